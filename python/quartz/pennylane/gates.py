"""The gates of PennyLane in OpenQASM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pennylane as qml

from quartz.interchange.comparison import MOST_COMPARED_QUBITS, have_symbols, phase_besides, with_phase
from quartz.interchange.steps import Call, controlled, inverse, moved
from quartz.interchange.templates import instantiate
from quartz.pennylane.symbols import TensorSymbols

#: How gates are written in OpenQASM (quartz.interchange.templates).
_TEMPLATES: dict[type, str] = {
    qml.Identity: "",
    qml.GlobalPhase: "gphase(-p0)",
    qml.X: "x 0",
    qml.Y: "y 0",
    qml.Z: "z 0",
    qml.Hadamard: "h 0",
    qml.S: "s 0",
    qml.T: "t 0",
    qml.SX: "sx 0",
    qml.RX: "rx(p0) 0",
    qml.RY: "ry(p0) 0",
    qml.RZ: "rz(p0) 0",
    qml.PhaseShift: "p(p0) 0",
    qml.U1: "p(p0) 0",
    qml.U2: "u2(p0, p1) 0",
    qml.U3: "u3(p0, p1, p2) 0",
    qml.Rot: "u3(p1, p2, p0) 0; gphase(-p0/2-p2/2)",
    qml.CNOT: "cx 0 1",
    qml.CY: "cy 0 1",
    qml.CZ: "cz 0 1",
    qml.CH: "ch 0 1",
    qml.CRX: "crx(p0) 0 1",
    qml.CRY: "cry(p0) 0 1",
    qml.CRZ: "crz(p0) 0 1",
    qml.ControlledPhaseShift: "cp(p0) 0 1",
    qml.SWAP: "swap 0 1",
    qml.ISWAP: "iswap 0 1",
    qml.SISWAP: "sqrtiswap 0 1",
    qml.ECR: "ecr 0 1",
    qml.IsingXX: "rxx(p0) 0 1",
    qml.IsingYY: "ryy(p0) 0 1",
    qml.IsingZZ: "rzz(p0) 0 1",
    qml.IsingXY: "rxx(-p0/2) 0 1; ryy(-p0/2) 0 1",
    qml.PSWAP: "swap 0 1; cx 0 1; p(p0) 1; cx 0 1",
    qml.Toffoli: "ccx 0 1 2",
    qml.CCZ: "ccz 0 1 2",
    qml.CSWAP: "cswap 0 1 2",
}
#: Operations whose decompositions are computed in floating-point numbers, or that are no gates; they are kept.
_KEPT: tuple[type, ...] = (
    qml.QubitUnitary,
    qml.DiagonalQubitUnitary,
    qml.SpecialUnitary,
    qml.operation.StatePrepBase,
    qml.operation.Channel,
    qml.Snapshot,
    qml.WireCut,
    qml.ops.Conditional,
    qml.ops.MidMeasure,
)


def ordered_wires(tape: qml.tape.QuantumScript) -> list[Any]:
    """Returns the wires of a tape: numbers in ascending order, and other wires in that of the tape."""
    wires = list(tape.wires)
    return sorted(wires) if all(isinstance(wire, int) for wire in wires) else wires


def is_barrier(operation: Any) -> bool:
    """Returns whether an operation separates what comes before it from what comes after."""
    return isinstance(operation, qml.Barrier)


def is_batch(operation: Any) -> bool:
    """Returns whether an operation means several gates, one for each element of its parameters."""
    return any(qml.math.ndim(each) > 0 for each in operation.data)


def calls_of(operation: Any, symbols: TensorSymbols) -> tuple[Call, ...] | None:
    """Returns how an operation is written, with its wires as operands; None for one that is no gate, or whose
    decomposition is not known exactly."""
    if isinstance(operation, _KEPT) or is_barrier(operation) or not isinstance(operation, qml.operation.Operator):
        return None
    if type(operation) in _TEMPLATES:
        parameters = operation.data
        return None if is_batch(operation) else instantiate(_TEMPLATES[type(operation)], _texts(parameters, symbols))
    if isinstance(operation, qml.ops.Adjoint):
        base = _calls_on(operation.base, operation.wires, symbols)
        return None if base is None else inverse(base)
    if isinstance(operation, qml.ops.Controlled):
        base = calls_of(operation.base, symbols)
        return None if base is None else controlled(base, [bool(value) for value in operation.control_values])
    return _calls_of_decomposition(operation, symbols)


def _texts(parameters: Sequence[Any], symbols: TensorSymbols) -> list[str]:
    return [symbols.text_of(each) for each in parameters]


def _calls_on(operation: Any, wires: Sequence[Any], symbols: TensorSymbols) -> tuple[Call, ...] | None:
    """Returns how an operation is written with these wires as operands; None if it has others."""
    places = {wire: place for place, wire in enumerate(wires)}
    if not places.keys() >= set(operation.wires):
        return None
    calls = calls_of(operation, symbols)
    return None if calls is None else moved(calls, [places[wire] for wire in operation.wires])


def _calls_of_decomposition(operation: Any, symbols: TensorSymbols) -> tuple[Call, ...] | None:
    if is_batch(operation) and not operation.has_decomposition:
        return None
    labels = set(operation.wires)
    tuples = [label for label in labels if isinstance(label, tuple)]
    if any(not labels.isdisjoint(label) for label in tuples):
        return None  # PennyLane may take the label for the wires that it lists
    try:
        parts = operation.decomposition()
    except qml.exceptions.DecompositionUndefinedError:
        return None
    except (qml.exceptions.WireError, ValueError):
        if tuples:
            return None  # as above
        raise
    calls: list[Call] = []
    for part in parts if isinstance(parts, (list, tuple)) else [parts]:  # that of a power may be one operator
        inner = _calls_on(part, operation.wires, symbols)
        if inner is None:
            return None
        calls += inner
    return _with_phase_of_matrix(operation, tuple(calls), symbols)


def _with_phase_of_matrix(operation: Any, calls: tuple[Call, ...], symbols: TensorSymbols) -> tuple[Call, ...] | None:
    """Returns a decomposition with the phase that it lacks; None if it is not that of the matrix.

    Simulators apply the matrix, which for a fractional power is the principal root, and others the decomposition, which
    may be another root: ``PhaseShift(2)`` for the square root of ``PhaseShift(4)``.
    """
    is_compared = len(operation.wires) <= MOST_COMPARED_QUBITS and not have_symbols(calls, symbols.tensors)
    if not is_compared or not operation.has_matrix:
        return None if _is_fractional_power(operation) else calls
    return with_phase(calls, _phase_besides(operation, calls))


def _is_fractional_power(operation: Any) -> bool:
    if not isinstance(operation, qml.ops.Pow):
        return False
    exponent = operation.z
    return bool(qml.math.is_abstract(exponent)) or bool(exponent != int(exponent))


def _phase_besides(operation: Any, calls: tuple[Call, ...]) -> float | None:
    """Returns the phase by which the matrix of an operation is that of calls; None if it is another one."""
    key = (type(operation), operation.hash, calls)
    if key not in _phases:
        if len(_phases) >= _MOST_PHASES:
            _phases.clear()
        _phases[key] = phase_besides(operation.matrix(), calls, len(operation.wires))
    return _phases[key]


#: The phases of operations that have been compared. PennyLane's hash of an operation rounds its parameters, the
#: arguments of calls do not.
_phases: dict[tuple[type, int, tuple[Call, ...]], float | None] = {}
_MOST_PHASES = 4096

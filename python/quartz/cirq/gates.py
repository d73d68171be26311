"""The gates of Cirq in OpenQASM."""

from __future__ import annotations

import cmath
from functools import lru_cache
from typing import Any

import cirq
import sympy

from quartz.interchange.comparison import MOST_COMPARED_QUBITS, have_symbols, phase_besides, with_phase
from quartz.interchange.exact_numbers import text_of_radians
from quartz.interchange.steps import Call, controlled, moved, phase_call
from quartz.interchange.sympy_symbols import SympySymbols
from quartz.interchange.templates import instantiate

#: Powers of gates with the global shift 0 (quartz.interchange.templates); p0 is pi times the exponent.
_POWERS: dict[type, str] = {
    cirq.XPowGate: "rx(p0) 0; gphase(p0/2)",
    cirq.YPowGate: "ry(p0) 0; gphase(p0/2)",
    cirq.ZPowGate: "p(p0) 0",
    cirq.HPowGate: "ry(-pi/4) 0; p(p0) 0; ry(pi/4) 0",
    cirq.CXPowGate: "h 1; cp(p0) 0 1; h 1",
    cirq.CZPowGate: "cp(p0) 0 1",
    cirq.SwapPowGate: "cx 0 1; h 0; cp(p0) 0 1; h 0; cx 0 1",
    cirq.ISwapPowGate: "rxx(-p0/2) 0 1; ryy(-p0/2) 0 1",
    cirq.XXPowGate: "rxx(p0) 0 1; gphase(p0/2)",
    cirq.YYPowGate: "ryy(p0) 0 1; gphase(p0/2)",
    cirq.ZZPowGate: "rzz(p0) 0 1; gphase(p0/2)",
    cirq.CCXPowGate: "h 2; ctrl @ cp(p0) 0 1 2; h 2",
    cirq.CCZPowGate: "ctrl @ cp(p0) 0 1 2",
}
#: Powers that have names of their own, by exponent.
_NAMED: dict[type, dict[float, str]] = {
    cirq.XPowGate: {1: "x", -1: "x", 0.5: "sx", -0.5: "sxdg"},
    cirq.YPowGate: {1: "y", -1: "y"},
    cirq.ZPowGate: {1: "z", -1: "z", 0.5: "s", -0.5: "sdg", 0.25: "t", -0.25: "tdg"},
    cirq.HPowGate: {1: "h", -1: "h"},
    cirq.CXPowGate: {1: "cx", -1: "cx"},
    cirq.CZPowGate: {1: "cz", -1: "cz", 0.5: "cs", -0.5: "csdg"},
    cirq.SwapPowGate: {1: "swap", -1: "swap"},
    cirq.ISwapPowGate: {1: "iswap", -1: "iswapdg", 0.5: "sqrtiswap", -0.5: "sqrtiswapdg"},
    cirq.CCXPowGate: {1: "ccx", -1: "ccx"},
    cirq.CCZPowGate: {1: "ccz", -1: "ccz"},
}
_ROTATIONS: dict[type, str] = {cirq.Rx: "rx(p0) 0", cirq.Ry: "ry(p0) 0", cirq.Rz: "rz(p0) 0"}


def calls_of(operation: cirq.Operation, symbols: SympySymbols) -> tuple[Call, ...] | None:
    """Returns how an operation is written, with its qubits as operands; None for one that is no gate of qubits, or
    whose decomposition is not known exactly."""
    untagged = operation.untagged
    if any(dimension != 2 for dimension in cirq.qid_shape(untagged)) or cirq.is_measurement(untagged):
        return None
    if isinstance(untagged, (cirq.CircuitOperation, cirq.ClassicallyControlledOperation)):
        return None
    gate = untagged.gate
    if isinstance(gate, (cirq.MatrixGate, cirq.ResetChannel, cirq.WaitGate)):
        return None
    known = None if gate is None else _calls_of_gate(gate, symbols)
    return known if known is not None else _calls_of_decomposition(untagged, symbols)


def _calls_of_decomposition(operation: cirq.Operation, symbols: SympySymbols) -> tuple[Call, ...] | None:
    # Decompositions of Cirq may depend on the order of the qubits (ThreeQubitDiagonalGate sorts them).
    qubits = cirq.LineQubit.range(len(operation.qubits))
    ordered = operation.with_qubits(*qubits)
    parts = cirq.decompose_once(ordered, default=None)
    if parts is None:
        return None
    places: dict[cirq.Qid, int] = {qubit: place for place, qubit in enumerate(qubits)}
    calls: list[Call] = []
    for part in parts:
        inner = calls_of(part, symbols) if places.keys() >= set(part.qubits) else None
        if inner is None:
            return None
        calls += moved(inner, [places[qubit] for qubit in part.qubits])
    # Some gates of Cirq do not tell that they have symbols.
    is_compared = len(qubits) <= MOST_COMPARED_QUBITS and not have_symbols(calls, symbols.expressions)
    if not is_compared or not cirq.has_unitary(ordered):
        return tuple(calls)
    return with_phase(calls, _phase_besides(ordered, tuple(calls)))


def _phase_besides(operation: cirq.Operation, calls: tuple[Call, ...]) -> float | None:
    """Returns the phase by which the unitary of an operation is that of calls; None if it is another one."""
    try:
        return _phase_of_hashable(operation, calls)
    except TypeError:  # a gate that cannot be hashed
        return _phase_of_hashable.__wrapped__(operation, calls)


@lru_cache(maxsize=4096)
def _phase_of_hashable(operation: cirq.Operation, calls: tuple[Call, ...]) -> float | None:
    return phase_besides(cirq.unitary(operation), calls, len(operation.qubits))


def _calls_of_gate(gate: cirq.Gate, symbols: SympySymbols) -> tuple[Call, ...] | None:
    """Returns how a gate is written; None for one that is in no table."""

    def half_turns(value: Any) -> str:
        return symbols.text_of(value, in_half_turns=True)

    def radians(value: Any) -> str:
        return symbols.text_of(value, in_half_turns=False)

    if type(gate) in _ROTATIONS:
        return instantiate(_ROTATIONS[type(gate)], [radians(gate._rads)])  # the exponent is rounded
    if (family := _power_family(gate)) is not None:
        return _calls_of_power(gate, family, half_turns)
    if isinstance(gate, cirq.IdentityGate):
        return ()
    if isinstance(gate, cirq.CSwapGate):
        return instantiate("cswap 0 1 2")
    if isinstance(gate, cirq.FSimGate):
        return instantiate("rxx(p0) 0 1; ryy(p0) 0 1; cp(-p1) 0 1", [radians(gate.theta), radians(gate.phi)])
    if isinstance(gate, cirq.PhasedXPowGate):
        angles = [half_turns(gate.exponent), half_turns(gate.phase_exponent), text_of_radians(gate.global_shift)]
        return instantiate("r(p0, p1) 0; gphase(p0/2+p0*p2)", angles)
    if isinstance(gate, cirq.PhasedXZGate):
        exponents = (gate.x_exponent, gate.z_exponent, gate.axis_phase_exponent)
        return instantiate("r(p0, p2) 0; p(p1) 0; gphase(p0/2)", [half_turns(each) for each in exponents])
    if isinstance(gate, cirq.GlobalPhaseGate):
        return _calls_of_phase(gate.coefficient, radians)
    return _calls_of_controlled(gate, symbols) if isinstance(gate, cirq.ControlledGate) else None


def _power_family(gate: cirq.Gate) -> type | None:
    """Returns the class in the table of powers that a gate of Cirq belongs to."""
    if not type(gate).__module__.startswith("cirq."):
        return None
    return next((each for each in _POWERS if isinstance(gate, each)), None)


def _calls_of_power(gate: Any, family: type, half_turns: Any) -> tuple[Call, ...]:
    shift, exponent = gate.global_shift, gate.exponent
    if shift == 0 and not isinstance(exponent, sympy.Basic) and exponent in _NAMED.get(family, {}):
        return instantiate(f"{_NAMED[family][exponent]} {' '.join(map(str, range(gate.num_qubits())))}")
    angle = half_turns(exponent)
    calls = instantiate(_POWERS[family], [angle])
    return calls if shift == 0 else (*calls, phase_call(f"({angle})*({text_of_radians(shift)})"))


def _calls_of_phase(coefficient: Any, radians: Any) -> tuple[Call, ...] | None:
    if not isinstance(coefficient, sympy.Basic):
        return (phase_call(text_of_radians(cmath.phase(complex(coefficient)))),)
    if isinstance(coefficient, sympy.exp):
        return (phase_call(radians(sympy.expand(coefficient.args[0] / sympy.I))),)
    return None


def _calls_of_controlled(gate: cirq.ControlledGate, symbols: SympySymbols) -> tuple[Call, ...] | None:
    controls = gate.num_controls()
    qubits = cirq.LineQubit.range(gate.num_qubits() - controls)
    inner = calls_of(gate.sub_gate.on(*qubits), symbols)
    if inner is None:
        return None
    calls: list[Call] = []
    values, tested = _control_values(gate)
    for each in values:
        calls += moved(controlled(inner, each), [*tested, *range(controls, gate.num_qubits())])
    return tuple(calls)


def _control_values(gate: cirq.ControlledGate) -> tuple[list[tuple[bool, ...]], list[int]]:
    """Returns the values of controls with which a gate acts, and the places of these controls. Controls whose value does
    not matter are left out."""
    values = {tuple(bool(value) for value in each) for each in gate.control_values.expand()}
    tested = []
    for place in range(gate.num_controls()):
        flipped = {(*each[:place], not each[place], *each[place + 1 :]) for each in values}
        if flipped != values:
            tested.append(place)
    return sorted({tuple(each[place] for place in tested) for each in values}), tested

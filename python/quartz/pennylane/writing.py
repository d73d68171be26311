"""The gates of Quartz in PennyLane."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pennylane as qml

from quartz._core import Angle
from quartz.interchange.common_gates import with_native_gates
from quartz.interchange.steps import Gate
from quartz.pennylane.symbols import TensorSymbols

#: Makes a gate from its parameters and wires.
_Make = Callable[..., Any]


def _u3_of_r(theta: Any, phi: Any, wires: Sequence[Any]) -> Any:
    return qml.U3(theta, phi - math.pi / 2, math.pi / 2 - phi, wires=wires)


_NATIVE: dict[str, _Make] = {
    "id": qml.Identity,
    "x": qml.X,
    "y": qml.Y,
    "z": qml.Z,
    "h": qml.Hadamard,
    "s": qml.S,
    "sdg": lambda wires: qml.adjoint(qml.S(wires)),
    "t": qml.T,
    "tdg": lambda wires: qml.adjoint(qml.T(wires)),
    "sx": qml.SX,
    "sxdg": lambda wires: qml.adjoint(qml.SX(wires)),
    "rx": qml.RX,
    "ry": qml.RY,
    "rz": qml.RZ,
    "p": qml.PhaseShift,
    "u1": qml.U1,
    "u2": qml.U2,
    "u3": qml.U3,
    "u": qml.U3,
    "r": _u3_of_r,
    "cx": qml.CNOT,
    "cy": qml.CY,
    "cz": qml.CZ,
    "ch": qml.CH,
    "cs": lambda wires: qml.ctrl(qml.S(wires[1:]), wires[:1]),
    "csdg": lambda wires: qml.ctrl(qml.adjoint(qml.S(wires[1:])), wires[:1]),
    "csx": lambda wires: qml.ctrl(qml.SX(wires[1:]), wires[:1]),
    "crx": qml.CRX,
    "cry": qml.CRY,
    "crz": qml.CRZ,
    "cp": qml.ControlledPhaseShift,
    "cu1": qml.ControlledPhaseShift,
    "swap": qml.SWAP,
    "iswap": qml.ISWAP,
    "iswapdg": lambda wires: qml.adjoint(qml.ISWAP(wires)),
    "sqrtiswap": qml.SISWAP,
    "sqrtiswapdg": lambda wires: qml.adjoint(qml.SISWAP(wires)),
    "ecr": qml.ECR,
    "rxx": qml.IsingXX,
    "ryy": qml.IsingYY,
    "rzz": qml.IsingZZ,
    "ccx": qml.Toffoli,
    "ccz": qml.CCZ,
    "cswap": qml.CSWAP,
    "c3x": qml.MultiControlledX,
    "c4x": qml.MultiControlledX,
}


class GateWriter:
    """Writes gates of Quartz in PennyLane, and adds up their global phases."""

    def __init__(self, symbols: TensorSymbols, parameters: Sequence[str]) -> None:
        self._symbols = symbols
        self._parameters = list(parameters)
        self._phases: list[Angle] = []

    def operations(self, gate: Gate, *, is_conditional: bool = False) -> Iterator[Any]:
        """Yields the operations for a gate. The phase of a conditional gate is not observable."""
        gates, phase = with_native_gates(gate, _NATIVE.__contains__, self._parameters)
        for each in gates:
            values = [self._symbols.value_of(angle) for angle in each.parameters]
            yield _NATIVE[each.name](*values, wires=list(each.qubits))
        if not is_conditional:
            self.add_phase(phase)

    def add_phase(self, phase: Angle) -> None:
        self._phases.append(phase)

    def phase_operations(self) -> list[Any]:
        """Returns the operation for the global phase of all gates; none if it is zero."""
        total: Any = 0.0
        for phase in self._phases:
            if str(phase) != "0":
                total = total + self._symbols.value_of(phase)
        if isinstance(total, float):
            total = math.remainder(total, 2 * math.pi)
            return [qml.GlobalPhase(-total)] if total else []
        return [qml.GlobalPhase(-total)]

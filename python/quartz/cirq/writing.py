"""The gates of Quartz in Cirq."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import cirq
import sympy

from quartz._core import Angle
from quartz.interchange.common_gates import with_native_gates
from quartz.interchange.steps import Gate
from quartz.interchange.sympy_symbols import SympySymbols

_CONSTANT: dict[str, cirq.Gate] = {
    "id": cirq.I,
    "x": cirq.X,
    "y": cirq.Y,
    "z": cirq.Z,
    "h": cirq.H,
    "s": cirq.S,
    "sdg": cirq.S**-1,
    "t": cirq.T,
    "tdg": cirq.T**-1,
    "sx": cirq.X**0.5,
    "sxdg": cirq.X**-0.5,
    "cx": cirq.CX,
    "cy": cirq.ControlledGate(cirq.Y),
    "cz": cirq.CZ,
    "ch": cirq.ControlledGate(cirq.H),
    "cs": cirq.CZ**0.5,
    "csdg": cirq.CZ**-0.5,
    "csx": cirq.CX**0.5,
    "swap": cirq.SWAP,
    "iswap": cirq.ISWAP,
    "iswapdg": cirq.ISWAP**-1,
    "sqrtiswap": cirq.SQRT_ISWAP,
    "sqrtiswapdg": cirq.SQRT_ISWAP_INV,
    "ccx": cirq.CCX,
    "ccz": cirq.CCZ,
    "cswap": cirq.CSWAP,
    "c3x": cirq.ControlledGate(cirq.X, 3),
    "c4x": cirq.ControlledGate(cirq.X, 4),
    "c3sqrtx": cirq.ControlledGate(cirq.X**0.5, 3),
}
#: Gates with parameters, from these in radians and in half turns.
_PARAMETRIZED: dict[str, Callable[[Sequence[Any], Sequence[Any]], cirq.Gate]] = {
    "rx": lambda radians, turns: cirq.Rx(rads=radians[0]),
    "ry": lambda radians, turns: cirq.Ry(rads=radians[0]),
    "rz": lambda radians, turns: cirq.Rz(rads=radians[0]),
    "p": lambda radians, turns: cirq.ZPowGate(exponent=turns[0]),
    "u1": lambda radians, turns: cirq.ZPowGate(exponent=turns[0]),
    "r": lambda radians, turns: cirq.PhasedXPowGate(exponent=turns[0], phase_exponent=turns[1], global_shift=-0.5),
    "gpi": lambda radians, turns: cirq.PhasedXPowGate(phase_exponent=turns[0]),
    "gpi2": lambda radians, turns: cirq.PhasedXPowGate(exponent=0.5, phase_exponent=turns[0], global_shift=-0.5),
    "crx": lambda radians, turns: cirq.ControlledGate(cirq.Rx(rads=radians[0])),
    "cry": lambda radians, turns: cirq.ControlledGate(cirq.Ry(rads=radians[0])),
    "crz": lambda radians, turns: cirq.ControlledGate(cirq.Rz(rads=radians[0])),
    "cp": lambda radians, turns: cirq.CZPowGate(exponent=turns[0]),
    "cu1": lambda radians, turns: cirq.CZPowGate(exponent=turns[0]),
    "rxx": lambda radians, turns: cirq.XXPowGate(exponent=turns[0], global_shift=-0.5),
    "ryy": lambda radians, turns: cirq.YYPowGate(exponent=turns[0], global_shift=-0.5),
    "rzz": lambda radians, turns: cirq.ZZPowGate(exponent=turns[0], global_shift=-0.5),
}


def _is_native(name: str) -> bool:
    return name in _CONSTANT or name in _PARAMETRIZED


class GateWriter:
    """Writes gates of Quartz in Cirq, and adds up their global phases."""

    def __init__(self, symbols: SympySymbols, parameters: Iterable[str]) -> None:
        self._symbols = symbols
        self._parameters = list(parameters)
        self._phases: list[Angle] = []

    def operations(self, gate: Gate, *, is_conditional: bool = False) -> Iterator[cirq.Operation]:
        """Yields the operations for a gate. The phase of a conditional gate is not observable."""
        gates, phase = with_native_gates(gate, _is_native, self._parameters)
        for each in gates:
            yield self._native(each).on(*each.qubits)
        if not is_conditional:
            self.add_phase(phase)

    def _native(self, gate: Gate) -> cirq.Gate:
        if gate.name in _CONSTANT:
            return _CONSTANT[gate.name]
        radians, turns = (
            [self._symbols.value_of(angle, in_half_turns=in_half_turns) for angle in gate.parameters]
            for in_half_turns in (False, True)
        )
        return _PARAMETRIZED[gate.name](radians, turns)

    def add_phase(self, phase: Angle) -> None:
        self._phases.append(phase)

    def phase_operations(self) -> list[cirq.Operation]:
        """Returns the operation for the global phase of all gates; none if it is zero."""
        phases = [self._symbols.value_of(phase, in_half_turns=True) for phase in self._phases]
        total = sum(phases)
        if isinstance(total, sympy.Basic) and total.free_symbols:
            return [cirq.GlobalPhaseGate(sympy.exp(sympy.I * sympy.pi * total)).on()]
        angle = math.pi * math.remainder(float(total), 2)
        return [cirq.global_phase_operation(complex(math.cos(angle), math.sin(angle)))] if angle else []

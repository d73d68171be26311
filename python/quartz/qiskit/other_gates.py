"""Gates of Quartz that Qiskit's standard library has under another name, or not at all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from qiskit.circuit import Gate, QuantumCircuit
from qiskit.circuit.library import XXPlusYYGate

_TURN = 2 * math.pi


class GPIGate(Gate):
    """IonQ's gate GPi, whose angle is in turns, as in the package qiskit-ionq."""

    def __init__(self, phi: Any) -> None:
        super().__init__("gpi", 1, [phi])

    def _define(self) -> None:
        self.definition = QuantumCircuit(1, name="gpi", global_phase=math.pi / 2)
        self.definition.r(math.pi, self.params[0] * _TURN, 0)

    def inverse(self, annotated: bool = False) -> Gate:
        return GPIGate(*self.params)


class GPI2Gate(Gate):
    """IonQ's gate GPi2, whose angle is in turns, as in the package qiskit-ionq."""

    def __init__(self, phi: Any) -> None:
        super().__init__("gpi2", 1, [phi])

    def _define(self) -> None:
        self.definition = QuantumCircuit(1, name="gpi2")
        self.definition.r(math.pi / 2, self.params[0] * _TURN, 0)

    def inverse(self, annotated: bool = False) -> Gate:
        return GPI2Gate(self.params[0] + 0.5)


class MSGate(Gate):
    """IonQ's Molmer-Sorensen gate, whose angles are in turns, as in the package qiskit-ionq."""

    def __init__(self, phi0: Any, phi1: Any, theta: Any = 0.25) -> None:
        super().__init__("ms", 2, [phi0, phi1, theta])

    def _define(self) -> None:
        phi0, phi1, theta = (each * _TURN for each in self.params)
        self.definition = QuantumCircuit(2, name="ms")
        self.definition.rz(-phi0, 0)
        self.definition.rz(-phi1, 1)
        self.definition.rxx(theta, 0, 1)
        self.definition.rz(phi0, 0)
        self.definition.rz(phi1, 1)

    def inverse(self, annotated: bool = False) -> Gate:
        phi0, phi1, theta = self.params
        return MSGate(phi0 + 0.5, phi1, theta)


_MAKERS: dict[str, Callable[..., Gate]] = {
    "iswapdg": lambda: XXPlusYYGate(math.pi),
    "sqrtiswap": lambda: XXPlusYYGate(-math.pi / 2),
    "sqrtiswapdg": lambda: XXPlusYYGate(math.pi / 2),
    "gpi": lambda phi: GPIGate(phi / _TURN),
    "gpi2": lambda phi: GPI2Gate(phi / _TURN),
    "ms": lambda phi0, phi1, theta: MSGate(phi0 / _TURN, phi1 / _TURN, theta / _TURN),
}


def other_gate(name: str, parameters: Sequence[Any]) -> Gate | None:
    """Returns the gate of Qiskit for a gate of Quartz that is not in Qiskit's standard library under its name; None if
    there is none."""
    return _MAKERS[name](*parameters) if name in _MAKERS else None

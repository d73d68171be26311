"""Circuits as Pauli rotations, in layers that commute: the T depth of Pauli-based computation.

A circuit of Clifford gates and rotations about z is a sequence of rotations about Pauli operators,
followed by a Clifford operator. As tzap's Pauli pass does (docs/pbc-optimize.md in its repository, there
without swaps of groups, "window 0"), rotations about the same operator are merged if they commute with
all between them, and those that become Clifford rotations are moved to the end. The T depth is the number
of layers of commuting rotations, each rotation as early as possible (Litinski, arXiv 1808.02892).
"""

from __future__ import annotations

import dataclasses
import math

from benchmarks import qasm

# The tolerance of angles, in quarter turns.
ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True)
class Pauli:
    """i^phase times the product of X on the qubits of `x`, then of Z on those of `z`, as bits."""

    x: int
    z: int
    phase: int = 0

    def __mul__(self, other: Pauli) -> Pauli:
        swaps = (self.z & other.x).bit_count()
        return Pauli(self.x ^ other.x, self.z ^ other.z, (self.phase + other.phase + 2 * swaps) % 4)

    def times_i(self, power: int) -> Pauli:
        return Pauli(self.x, self.z, (self.phase + power) % 4)

    def commutes_with(self, other: Pauli) -> bool:
        return ((self.x & other.z).bit_count() + (self.z & other.x).bit_count()) % 2 == 0

    def is_negative(self) -> bool:
        """Returns whether a Hermitian operator is minus a product of X, Y = iXZ and Z."""
        return (self.phase - (self.x & self.z).bit_count()) % 4 == 2


@dataclasses.dataclass
class Rotation:
    axis: Pauli  # with the sign +
    quarters: float  # the angle, in quarter turns


class Rotations:
    """The rotations of a circuit, to which gates are appended."""

    def __init__(self, qubits: int) -> None:
        self.found: list[Rotation] = []
        # What X and Z of each qubit are, pulled back to the beginning.
        self._x = [Pauli(1 << qubit, 0) for qubit in range(qubits)]
        self._z = [Pauli(0, 1 << qubit) for qubit in range(qubits)]

    def append(self, gate: qasm.Statement) -> None:
        """Appends a gate of {h, x, rz, cx}."""
        first, last = gate.qubits[0], gate.qubits[-1]
        if gate.name == "h":
            self._x[first], self._z[first] = self._z[first], self._x[first]
        elif gate.name == "x":
            self._z[first] = self._z[first].times_i(2)
        elif gate.name == "cx":
            self._x[first] = self._x[first] * self._x[last]
            self._z[last] = self._z[first] * self._z[last]
        elif gate.name == "rz":
            self._rotate(self._z[first], qasm.angle_value(gate.angles[0]) / (math.pi / 2))
        else:
            raise ValueError(f"no gate of h, x, rz and cx: {gate.name}")

    def _rotate(self, axis: Pauli, quarters: float) -> None:
        if axis.is_negative():
            axis, quarters = axis.times_i(2), -quarters
        place = self._mergeable(axis)
        if place is not None:
            quarters += self.found.pop(place).quarters
        if abs(quarters - round(quarters)) < ROUNDING:
            self._move_to_end(axis, round(quarters) % 4)
        elif place is None:
            self.found.append(Rotation(axis, quarters))
        else:
            self.found.insert(place, Rotation(axis, quarters))

    def _mergeable(self, axis: Pauli) -> int | None:
        """Returns the place of a rotation about the axis that commutes with all behind it."""
        for place in range(len(self.found) - 1, -1, -1):
            other = self.found[place].axis
            if other == axis:
                return place
            if not other.commutes_with(axis):
                return None
        return None

    def _move_to_end(self, axis: Pauli, quarters: int) -> None:
        """Moves a Clifford rotation behind everything that is still to come."""

        def moved(other: Pauli) -> Pauli:
            if quarters == 0 or other.commutes_with(axis):
                return other
            if quarters == 2:
                return other.times_i(2)
            return (axis * other).times_i(quarters)

        self._x = [moved(each) for each in self._x]
        self._z = [moved(each) for each in self._z]


def rotations_of(circuit: qasm.FlatCircuit) -> list[Rotation]:
    """Returns the rotations of a circuit that are no Clifford operators, merged where they meet."""
    rotations = Rotations(circuit.qubits)
    for statement in qasm.in_nam(circuit).statements:
        if statement.name not in qasm.NOT_GATES:
            rotations.append(statement)
    return rotations.found


def layers_of(rotations: list[Rotation]) -> int:
    """Returns the number of layers of commuting rotations."""
    layers: list[list[Pauli]] = []
    for rotation in rotations:
        level = len(layers)
        while level > 0 and all(rotation.axis.commutes_with(each) for each in layers[level - 1]):
            level -= 1
        if level == len(layers):
            layers.append([])
        layers[level].append(rotation.axis)
    return len(layers)


def t_depth_of(circuit: qasm.FlatCircuit) -> int:
    """Returns the most gates that one chain contains of those that qasm.counts() counts as t."""
    level = [0] * circuit.qubits
    for statement in circuit.statements:
        alone = qasm.FlatCircuit(circuit.qubits, {}, [statement])
        reached = max((level[qubit] for qubit in statement.qubits), default=0)
        reached += qasm.counts(alone)["t"]
        for qubit in statement.qubits:
            level[qubit] = reached
    return max(level, default=0)

"""The benchmark `t-depth`: Pauli rotations and their layers, T depths, and complaints."""

import cmath
import math
import random
import unittest

from benchmarks import pauli_layers, qasm, t_depth
from benchmarks.pauli_layers import Pauli
from benchmarks.qasm import FlatCircuit, Statement
from benchmarks.t_depth import Depths, Outcome


def gate(name, *qubits, angle=None):
    return Statement(name, () if angle is None else (angle,), qubits)


def t(qubit):
    return gate("rz", qubit, angle="pi/4")


def circuit(*statements, qubits=3):
    return FlatCircuit(qubits, {}, list(statements))


def axes(*statements, qubits=3):
    return [each.axis for each in pauli_layers.rotations_of(circuit(*statements, qubits=qubits))]


def apply(statement, state):
    """Applies a gate of {h, x, rz, cx} to amplitudes by index."""
    first, last = (1 << statement.qubits[0]), (1 << statement.qubits[-1])
    found = [0j] * len(state)
    for index, amplitude in enumerate(state):
        one = bool(index & first)
        if statement.name == "h":
            found[index & ~first] += amplitude / math.sqrt(2)
            found[index | first] += (-amplitude if one else amplitude) / math.sqrt(2)
        elif statement.name == "x":
            found[index ^ first] += amplitude
        elif statement.name == "cx":
            found[index ^ last if one else index] += amplitude
        else:
            half = qasm.angle_value(statement.angles[0]) / 2
            found[index] += amplitude * cmath.exp(1j * half if one else -1j * half)
    return found


def turned(rotation, state):
    """Applies exp(-i angle/2 P) to amplitudes by index."""
    half = rotation.quarters * math.pi / 4
    axis = rotation.axis
    found = [math.cos(half) * amplitude for amplitude in state]
    for index, amplitude in enumerate(state):
        sign = (-1) ** (index & axis.z).bit_count() * 1j**axis.phase
        found[index ^ axis.x] += -1j * math.sin(half) * sign * amplitude
    return found


class Rotations(unittest.TestCase):
    def test_operators_are_multiplied_with_their_phase(self):
        x, z = Pauli(1, 0), Pauli(0, 1)
        self.assertEqual(z * x, (x * z).times_i(2))
        self.assertFalse(x.commutes_with(z))
        self.assertTrue(Pauli(3, 0).commutes_with(Pauli(0, 3)))
        self.assertFalse((x * z).times_i(1).is_negative())  # Y
        self.assertTrue((x * z).times_i(3).is_negative())

    def test_axes_are_pulled_back_through_clifford_gates(self):
        self.assertEqual(axes(t(0)), [Pauli(0, 1)])
        self.assertEqual(axes(gate("h", 1), t(1)), [Pauli(2, 0)])
        self.assertEqual(axes(gate("cx", 0, 1), t(1)), [Pauli(0, 3)])

    def test_equal_axes_are_merged_and_cliffords_move_to_the_end(self):
        self.assertEqual(axes(t(0), t(0)), [])
        self.assertEqual(axes(t(0), gate("x", 0), t(0)), [])
        self.assertEqual(len(axes(t(0), gate("h", 0), t(0), gate("h", 0), t(0))), 3)
        # Z T; X S; Y T: the S turns Y into Z.
        s = gate("rz", 0, angle="pi/2")
        three = [t(0), gate("h", 0), s, gate("h", 0),
                 s, gate("h", 0), t(0), gate("h", 0), gate("rz", 0, angle="-pi/2")]  # fmt: skip
        self.assertEqual(len(axes(*three)), 0)

    def test_the_rotations_are_the_circuit_up_to_a_clifford_operator(self):
        # Both are applied to the states that Clifford gates make: what is left over must be Clifford,
        # and maps each of two Pauli rotations about other axes to one about a Pauli operator.
        for seed in range(20):
            rng = random.Random(seed)
            gates = []
            for _ in range(25):
                name = rng.choice(["h", "cx", "rz", "rz", "x"])
                wires = rng.sample(range(3), 2 if name == "cx" else 1)
                angle = f"{rng.randrange(8)}*pi/4" if name == "rz" else None
                gates.append(gate(name, *wires, angle=angle))
            rotations = pauli_layers.rotations_of(circuit(*gates))
            columns = []
            for index in range(8):
                state = [0j] * 8
                state[index] = 1
                for rotation in reversed(rotations):
                    state = turned(pauli_layers.Rotation(rotation.axis, -rotation.quarters), state)
                for each in gates:
                    state = apply(each, state)
                columns.append(state)
            self.assertTrue(is_clifford(columns), f"seed {seed}")


def is_clifford(columns):
    """Returns whether a unitary on three qubits, by columns, maps X and Z of each to a Pauli operator."""
    size = len(columns)
    for bit in (1, 2, 4):
        for is_x in (False, True):
            image = [[0j] * size for _ in range(size)]
            for index in range(size):
                sign = 1 if is_x or not index & bit else -1
                other = columns[index ^ bit if is_x else index]
                for row in range(size):
                    for column in range(size):
                        image[row][column] += sign * other[row] * columns[index][column].conjugate()
            places = [[column for column in range(size) if abs(image[row][column]) > 1e-9]
                      for row in range(size)]  # fmt: skip
            if any(len(place) != 1 or place[0] ^ row != places[0][0]
                   for row, place in enumerate(places)):  # fmt: skip
                return False
    return True


class Layers(unittest.TestCase):
    def test_commuting_rotations_share_a_layer(self):
        def layers(*statements):
            return pauli_layers.layers_of(pauli_layers.rotations_of(circuit(*statements)))

        self.assertEqual(layers(), 0)
        self.assertEqual(layers(t(0), gate("cx", 0, 1), t(1), t(2)), 1)
        self.assertEqual(layers(t(0), gate("h", 0), t(0)), 2)
        self.assertEqual(layers(t(0), gate("h", 0), t(0), t(1)), 2)

    def test_the_t_depth_of_a_circuit_is_that_of_its_longest_chain(self):
        self.assertEqual(pauli_layers.t_depth_of(circuit(t(0), t(1))), 1)
        chain = circuit(t(0), gate("cx", 0, 1), t(1), gate("rz", 2, angle="pi/2"))
        self.assertEqual(pauli_layers.t_depth_of(chain), 2)


class Complaints(unittest.TestCase):
    def of(self, after, tzap, verified=True):
        return Outcome("a", Depths(21, 14, 3), tzap, after, 1.0, verified).complaints()

    def test_neither_depth_may_be_above_that_of_tzap(self):
        tzap = Depths(15, 9, 3)
        self.assertEqual(self.of(Depths(15, 9, 3), tzap), [])
        self.assertEqual(self.of(Depths(15, 10, 3), tzap), ["a: T depth 10, tzap has 9"])
        self.assertEqual(self.of(Depths(15, 8, 4), tzap), ["a: 4 layers, tzap has 3"])
        self.assertEqual(self.of(Depths(15, 8, 3), tzap, verified=False), ["a: not verified"])

    def test_the_pauli_pass_may_begin_with_the_input(self):
        self.assertEqual(self.of(Depths(15, 8, 4), None), ["a: 4 layers, tzap has 3"])
        self.assertEqual(self.of(Depths(15, 8, 4), Depths(15, 9, 5)), ["a: 4 layers, tzap has 3"])

    def test_sums_are_of_the_circuits_that_tzap_takes(self):
        one = Outcome("a", Depths(21, 14, 3), Depths(15, 9, 3), Depths(15, 6, 3), 1, True)
        refused = Outcome("b", Depths(1, 1, 1), None, Depths(1, 1, 1), 1, True)
        self.assertEqual(t_depth.totals([one, refused])[1:-2],
                         ["21", "14", "3", "15", "9", "3", "15", "6", "3"])  # fmt: skip


if __name__ == "__main__":
    unittest.main()

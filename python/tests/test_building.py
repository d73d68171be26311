"""Circuits that are written gate by gate, their drawings, and the arithmetic of angles."""

import copy
import inspect
import math
import pathlib
import re
import unittest
from fractions import Fraction

import numpy
import quartz

import sample_circuits as circuits
import textbook_unitaries as matrices

GATES = pathlib.Path(__file__).resolve().parents[2] / "include/quartz/circuit/gates.inc"


def methods_of_gates():
    """Returns the names of the methods that append a gate, with the numbers of their angles and qubits."""
    found = {}
    for name, method in inspect.getmembers(quartz.Circuit):
        match = re.search(rf"^{name}\(self(.*)\) -> Circuit", method.__doc__ or "", re.M)
        if match and "Appends the gate" in method.__doc__:
            found[name] = (match[1].count("Angle"), match[1].count(": int"))
    return found


class Building(unittest.TestCase):
    def test_methods_return_the_circuit(self):
        circuit = quartz.Circuit(2, 1)
        self.assertIs(circuit.h(0).cx(0, 1).rz(math.pi / 4, 1).barrier().reset(0).measure(1, 0), circuit)
        self.assertEqual([each.name for each in circuit], ["h", "cx", "rz", "barrier", "reset", "measure"])
        self.assertEqual((circuit.num_qubits, circuit.num_bits, len(circuit)), (2, 1, 6))
        self.assertEqual((circuit.qubit_registers, circuit.bit_registers), ({"q": 2}, {"c": 1}))
        self.assertEqual(circuit[3].qubits, (0, 1))
        self.assertEqual((circuit[5].qubits, circuit[5].bits), ((1,), (0,)))

    def test_there_is_a_method_for_each_gate(self):
        if not GATES.is_file():
            self.skipTest("the gate table is not here")
        rows = re.findall(r"^QUARTZ_GATE\((\w+), \{.*?\}, (\d), \{(.*?)\},", GATES.read_text(), re.M)
        expected = {name: (parameters.count('"') // 2, int(qubits)) for name, qubits, parameters in rows}
        self.assertGreater(len(expected), 40)
        self.assertEqual(methods_of_gates(), expected)

    def test_matrices_are_those_of_textbooks(self):
        circuit = quartz.Circuit(3)
        circuit.h(0).cx(0, 1).rz(0.3, 1).p(0.1, 0).cz(2, 0).rx(-0.7, 1).ccx(0, 1, 2)
        numpy.testing.assert_allclose(circuit.unitary(), matrices.unitary_of(circuit), atol=1e-12)

    def test_arguments_have_names(self):
        by_name = quartz.Circuit(2).rz(theta=0.5, qubit=1).cx(qubit1=0, qubit2=1).p(lam=0.1, qubit=0)
        self.assertEqual(by_name, quartz.Circuit(2).rz(0.5, 1).cx(0, 1).p(0.1, 0))

    def test_angles_are_exact(self):
        circuit = quartz.Circuit(1)
        for angle in (quartz.pi / 3, "pi/3", quartz.Angle("pi/3"), math.pi / 3, numpy.float64(math.pi / 3)):
            circuit.rz(angle, 0)
        self.assertEqual({each.parameters for each in circuit}, {(quartz.Angle("pi/3"),)})
        self.assertEqual(quartz.Circuit(1).rz(1, 0)[0].parameters[0].radian_part, 1)
        self.assertEqual(quartz.Circuit(1).rz(0.1, 0)[0].parameters[0].radian_part, Fraction(1, 10))

    def test_free_parameters_are_declared(self):
        circuit = quartz.Circuit(1).rz("2*theta", 0).rx(quartz.Angle("phi") + 1, 0).rz("theta", 0)
        self.assertEqual(circuit.parameters, ["theta", "phi"])
        self.assertEqual(quartz.Circuit.from_qasm(circuit.to_qasm()), circuit)

    def test_append_takes_names_and_operations(self):
        circuit = quartz.Circuit(3).append("cx", [2, 0]).append("u3", [1], [0.1, "pi/2", quartz.pi])
        again = quartz.Circuit(3)
        for operation in circuit:
            again.append(operation)
        self.assertEqual(again, circuit)
        self.assertEqual(list(again), list(circuit))
        self.assertEqual(again.append(circuit[0], [0, 1])[2].qubits, (0, 1))

    def test_append_keeps_conditions(self):
        source = quartz.Circuit.from_qasm(circuits.MEASURED)
        target = quartz.Circuit(2, 2)
        for operation in source:
            target.append(operation)
        self.assertEqual(list(target), list(source))
        with self.assertRaisesRegex(quartz.UsageError, '"c"'):
            quartz.Circuit(2, 1).append(source[4])

    def test_bad_calls_are_refused(self):
        circuit = quartz.Circuit(2, 1)
        for call, message in (
            (lambda: circuit.h(2), "qubit 2 is not in a circuit with 2 qubits"),
            (lambda: circuit.h(-1), "qubit -1"),
            (lambda: circuit.cx(1, 1), "qubit 1 is used twice"),
            (lambda: circuit.measure(0, 1), "bit 1 is not in a circuit with 1 bit"),
            (lambda: circuit.append("nosuchgate", [0]), 'no gate "nosuchgate"'),
            (lambda: circuit.append("cx", [0]), "cx takes 0 angles and 2 qubits, not 0 and 1"),
            (lambda: circuit.append("h"), "needs qubits"),
            (lambda: quartz.Circuit(-1), "-1"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, message):
                call()
        for call, message in (
            (lambda: circuit.h(), r"h\(\): expected the arguments \(qubit\)"),
            (lambda: circuit.rz(0, 1, 2), r"expected the arguments \(theta, qubit\)"),
            (lambda: circuit.h("q"), "qubit is the number of a qubit, not 'q'"),
            (lambda: circuit.rz([1], 0), "not an angle"),
            (lambda: circuit.rz(True, 0), "not an angle"),
            (lambda: circuit.rz(Fraction(1, 2), 0), "quartz.pi"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                call()
        with self.assertRaises(quartz.InputError):
            circuit.rz(math.inf, 0)
        self.assertEqual(len(circuit), 0)

    def test_one_circuit_follows_another(self):
        first, second = quartz.Circuit(2).h(0), quartz.Circuit(2).cx(0, 1).add_global_phase("pi/4")
        self.assertEqual(first + second, quartz.Circuit(2).h(0).cx(0, 1).add_global_phase("pi/4"))
        self.assertEqual(len(first), 1)
        with self.assertRaises(quartz.UsageError):
            quartz.Circuit(1) + second

    def test_inverses_are_exact(self):
        circuit = quartz.Circuit(2).h(0).u2(0.1, "theta", 1).sx(0).barrier().cs(0, 1).iswap(0, 1).add_global_phase("pi/8")
        self.assertEqual(quartz.check(circuit + circuit.inverse(), quartz.Circuit(2)).verdict, "equal")
        with self.assertRaises(quartz.UsageError):
            quartz.Circuit(1, 1).measure(0, 0).inverse()

    def test_copies_are_independent(self):
        circuit = quartz.Circuit(1).h(0)
        for made in (circuit.copy(), copy.copy(circuit), copy.deepcopy(circuit)):
            self.assertEqual(made, circuit)
            made.x(0)
            self.assertEqual(len(circuit), 1)
        with self.assertRaises(TypeError):
            hash(circuit)

    def test_results_keep_the_circuit_that_was_given(self):
        circuit = quartz.Circuit(1).h(0).h(0)
        result = quartz.optimize(circuit, steps=1000, threads=1)
        circuit.x(0)
        self.assertEqual((len(result.given), len(result.circuit)), (2, 0))


class Drawings(unittest.TestCase):
    def test_wires_controls_and_boxes(self):
        circuit = quartz.Circuit(3, 1).h(0).cx(0, 2).rz("pi/4", 1).swap(0, 1).measure(2, 0)
        drawing = circuit.draw(width=80)
        self.assertEqual([line[:4] for line in drawing.splitlines()][::2], ["q[0]", "q[1]", "q[2]"])
        for part in ("┤h├", "●", "┼", "⊕", "┤rz(π/4)├", "╳", "┤M c[0]├"):
            self.assertIn(part, drawing)
        lines = drawing.splitlines()
        column = lines[0].index("●")
        self.assertEqual([line[column] for line in lines], ["●", "│", "┼", "│", "⊕"])

    def test_long_ones_are_continued_below(self):
        circuit = quartz.Circuit(2)
        for _ in range(40):
            circuit.h(0).cx(0, 1)
        lines = circuit.draw(width=60).splitlines()
        self.assertLessEqual(max(map(len, lines)), 60)
        self.assertGreater(sum(line.startswith("q[0]") for line in lines), 4)
        self.assertEqual(sum(line.count("●") for line in lines), 40)

    def test_print_shows_one(self):
        circuit = quartz.Circuit(1).h(0)
        self.assertEqual(str(circuit), circuit.draw())
        self.assertEqual(repr(circuit), "<quartz.Circuit: 1 qubit, 1 gate, depth 1>")
        self.assertEqual(str(quartz.Circuit(0)), "")


class Arithmetic(unittest.TestCase):
    def test_is_exact(self):
        theta = quartz.Angle("theta")
        self.assertEqual(quartz.pi / 3 + 2 * theta - 1, quartz.Angle("pi/3+2*theta-1"))
        self.assertEqual(-(theta * Fraction(1, 3)), quartz.Angle("-theta/3"))
        self.assertEqual(math.pi / 2 - theta, quartz.Angle("pi/2-theta"))
        self.assertEqual(quartz.pi * 0.5, quartz.Angle("pi/2"))
        self.assertEqual(theta / 2 * 2, theta)

    def test_messages_say_what_numbers_are_expected(self):
        for qubits, bits, message in (
            (1.5, 0, r"^Circuit\(\): qubits is a whole number up to 1e9, not 1.5$"),
            (2, "3", r"^Circuit\(\): bits is a whole number up to 1e9, not '3'$"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                quartz.Circuit(qubits, bits)
        with self.assertRaisesRegex(TypeError, r"has a whole number as its index, not slice\(0, 2, None\)$"):
            quartz.Circuit(1).h(0)[0:2]
        self.assertEqual(quartz.Circuit(numpy.int64(2)).num_qubits, 2)

    def test_pi_has_both_names_of_openqasm(self):
        self.assertEqual(quartz.Angle("3*π/4"), quartz.Angle("3*pi/4"))
        self.assertEqual(quartz.Angle("π").parameters, [])
        self.assertEqual(quartz.Circuit(1).rz("π/4", 0), quartz.Circuit(1).rz("pi/4", 0))

    def test_numbers_beyond_a_float_are_out_of_range(self):
        for number in (10**400, -(10**400)):
            with self.assertRaisesRegex(quartz.UsageError, "the angle is out of range"):
                quartz.Circuit(1).rz(number, 0)
        self.assertEqual(quartz.Circuit(1).rz(10**30, 0), quartz.Circuit(1).rz(1e30, 0))

    def test_bad_operands_are_refused(self):
        with self.assertRaises(ZeroDivisionError):
            quartz.pi / 0
        with self.assertRaises(quartz.OverflowError):
            quartz.pi * 2**70
        for bad in ("pi", None, [1]):
            with self.assertRaises(TypeError):
                quartz.pi + bad
        with self.assertRaises(TypeError):
            quartz.pi * quartz.pi


if __name__ == "__main__":
    unittest.main()

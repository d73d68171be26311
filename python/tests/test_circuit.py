"""quartz.Circuit, its operations, and quartz.Angle."""

import copy
import math
import pathlib
import pickle
import tempfile
import unittest
from fractions import Fraction

import numpy
import quartz

import sample_circuits as circuits
import textbook_unitaries as matrices


class Reading(unittest.TestCase):
    def test_text_and_file_give_the_same_circuit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.qasm"
            path.write_text(circuits.TOFFOLI_TWICE)
            from_text = quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE)
            self.assertEqual(quartz.Circuit.from_file(path), from_text)
            self.assertEqual(quartz.Circuit.from_file(str(path)), from_text)

    def test_included_files_are_in_the_folder_or_in_the_include_path(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "library").mkdir()
            (folder / "library/gates.inc").write_text("gate flip a { x a; }\n")
            text = 'OPENQASM 3.0;\ninclude "stdgates.inc";\ninclude "gates.inc";\nqubit q;\nflip q;\n'
            path = folder / "a.qasm"
            path.write_text(text)
            expected = quartz.Circuit.from_qasm(text, include_path=[folder / "library"])
            self.assertEqual(len(expected), 1)
            self.assertEqual(quartz.Circuit.from_file(path, include_path=[str(folder / "library")]), expected)
            for read in (lambda: quartz.Circuit.from_file(path), lambda: quartz.Circuit.from_qasm(text)):
                with self.assertRaisesRegex(quartz.InputError, "cannot include 'gates.inc'"):
                    read()

    def test_an_error_has_its_place(self):
        with self.assertRaises(quartz.InputError) as caught:
            quartz.Circuit.from_qasm("OPENQASM 2.0;\nqreg q[1];\nfoo q[0];\n", name="mine")
        self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), ("mine", 3, 1))
        self.assertIn("mine:3:1: ", str(caught.exception))
        self.assertIsInstance(caught.exception, quartz.Error)
        self.assertIsInstance(caught.exception, ValueError)

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(quartz.InputError, "no_such_file.qasm"):
            quartz.Circuit.from_file("no_such_file.qasm")

    def test_exceptions_survive_pickling(self):
        try:
            quartz.Circuit.from_qasm("OPENQASM 2.0;\nfoo q[0];\n")
        except quartz.InputError as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(again), again.line), (str(error), 2))


class Writing(unittest.TestCase):
    def test_both_versions_give_the_circuit_back(self):
        circuit = quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE)
        for version in (2, 3):
            text = circuit.to_qasm(version=version)
            self.assertTrue(text.startswith(f"OPENQASM {version}."), text)
            self.assertEqual(list(map(repr, quartz.Circuit.from_qasm(text))), list(map(repr, circuit)))

    def test_dialects(self):
        circuit = quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE)
        text = circuit.to_qasm(dialect="braket")
        self.assertIn("OPENQASM 3", text)
        self.assertNotIn("include", text)
        self.assertEqual(quartz.check(circuit, quartz.Circuit.from_qasm(text)).verdict, "equal")
        with self.assertRaisesRegex(quartz.UsageError, "braket"):
            circuit.to_qasm(dialect="no_such_dialect")

    def test_a_free_parameter_needs_version_3(self):
        circuit = quartz.Circuit.from_qasm(circuits.PARAMETRIZED)
        with self.assertRaises(quartz.UsageError):
            circuit.to_qasm(version=2)

    def test_an_unknown_version_is_refused(self):
        with self.assertRaises(quartz.UsageError):
            quartz.Circuit.from_qasm(circuits.TOFFOLI_TWICE).to_qasm(version=4)

    def test_pickles_and_copies_are_equal(self):
        for text in (circuits.TOFFOLI_TWICE, circuits.MEASURED, circuits.PARAMETRIZED):
            circuit = quartz.Circuit.from_qasm(text)
            self.assertEqual(pickle.loads(pickle.dumps(circuit)), circuit)
            self.assertEqual(copy.deepcopy(circuit), circuit)


class Operations(unittest.TestCase):
    def test_gates_have_names_qubits_and_parameters(self):
        circuit = quartz.Circuit.from_qasm(circuits.PARAMETRIZED)
        self.assertEqual(len(circuit), 4)
        self.assertEqual([gate.name for gate in circuit], ["rz", "cx", "cx", "rz"])
        self.assertEqual(circuit[1].qubits, (0, 1))
        self.assertEqual(circuit[-1].parameters, (quartz.Angle("2*theta+pi/4"),))
        with self.assertRaises(IndexError):
            circuit[4]

    def test_measurements_have_bits_and_conditional_gates_conditions(self):
        circuit = quartz.Circuit.from_qasm(circuits.MEASURED)
        self.assertEqual([each.kind for each in circuit], ["gate", "gate", "barrier", "measure", "gate"])
        self.assertEqual(circuit[3].bits, (0,))
        (condition,) = circuit[4].conditions
        self.assertEqual((condition.register, condition.element, condition.value), ("c", None, 1))
        self.assertFalse(condition.negated)

    def test_conditions_may_be_expressions(self):
        text = 'OPENQASM 3.0; include "stdgates.inc"; qubit q; bit[3] c; c[0] = measure q; if (c < 5) { x q; }'
        (condition,) = quartz.Circuit.from_qasm(text)[1].conditions
        self.assertIsNone(condition.register)
        self.assertIn("< 5", condition.expression)

    def test_counts(self):
        circuit = quartz.Circuit.from_qasm(circuits.MEASURED)
        self.assertEqual(circuit.counts(), {"barrier": 1, "cx": 1, "h": 1, "measure": 1, "x": 1})
        self.assertEqual((circuit.gate_count, circuit.two_qubit_count, circuit.t_count), (3, 1, 0))
        self.assertEqual(circuit.depth, 3)
        self.assertEqual((circuit.t_depth, circuit.measurement_count), (0, 1))
        self.assertEqual(repr(circuit), "<quartz.Circuit: 2 qubits, 3 gates, depth 3, 1 measurement>")
        self.assertEqual((circuit.num_qubits, circuit.num_bits), (2, 2))
        self.assertEqual((circuit.qubit_registers, circuit.bit_registers), ({"q": 2}, {"c": 2}))

    def test_t_depth(self):
        circuit = quartz.Circuit(2).t(0).t(1).cx(0, 1).rz(0.3, 1)
        self.assertEqual((circuit.t_count, circuit.t_depth), (3, 2))
        self.assertEqual(repr(circuit), "<quartz.Circuit: 2 qubits, 4 gates, depth 3, 3 T gates, T depth 2>")

    def test_notebooks_show_a_drawing(self):
        html = quartz.Circuit.from_qasm(circuits.MEASURED)._repr_html_()
        self.assertIn("2 qubits, 3 gates, 1 of them on two or more, depth 3", html)
        self.assertEqual(html.count("<svg"), 1)
        self.assertIn("measure q[0] -&gt; c[0]", html)


class Unitaries(unittest.TestCase):
    def test_agree_with_numpy(self):
        for seed in range(5):
            circuit = quartz.Circuit.from_qasm(circuits.random_qasm(30, 4, seed))
            unitary = circuit.unitary()
            self.assertEqual((unitary.shape, unitary.dtype), ((16, 16), numpy.complex128))
            numpy.testing.assert_allclose(unitary, matrices.unitary_of(circuit), atol=1e-12)

    def test_include_the_global_phase(self):
        circuit = quartz.Circuit.from_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit q; gphase(pi/3); x q;")
        expected = complex(math.cos(math.pi / 3), math.sin(math.pi / 3))
        self.assertAlmostEqual(circuit.unitary()[0, 1], expected)

    def test_parameters_are_bound(self):
        circuit = quartz.Circuit.from_qasm(circuits.PARAMETRIZED)
        self.assertEqual(circuit.parameters, ["theta"])
        unitary = circuit.unitary({"theta": 0.5})
        self.assertAlmostEqual(unitary[1, 1] / unitary[0, 0], complex(*map(lambda f: f(1.5 + math.pi / 4), (math.cos, math.sin))))
        with self.assertRaises(quartz.UsageError):
            circuit.unitary()
        for value in (math.nan, math.inf):
            with self.assertRaisesRegex(quartz.UsageError, "the value of 'theta' is (nan|inf), expected a finite number"):
                circuit.unitary({"theta": value})

    def test_a_measurement_and_too_many_qubits_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            quartz.Circuit.from_qasm(circuits.MEASURED).unitary()
        with self.assertRaises(quartz.UsageError):
            quartz.Circuit.from_qasm("OPENQASM 2.0; qreg q[15];").unitary()


class Expressions(unittest.TestCase):
    """Angles that are not linear in the parameters."""

    def setUp(self):
        self.circuit = quartz.Circuit.from_qasm(
            'OPENQASM 3.0; include "stdgates.inc"; input float a; input float b; qubit q; rx(2*sin(a)*b+1) q; gphase(sqrt(b));'
        )
        (self.operation,) = self.circuit

    def test_have_values(self):
        values = {"a": 0.3, "b": 0.7}
        angle = self.operation.parameters[0]
        self.assertAlmostEqual(angle.value(values), 2 * math.sin(0.3) * 0.7 + 1)
        entry = self.circuit.unitary(values)[0, 0]
        phase = math.sqrt(0.7)
        self.assertAlmostEqual(entry, complex(math.cos(phase), math.sin(phase)) * math.cos(angle.value(values) / 2))
        with self.assertRaisesRegex(quartz.UsageError, "has no value"):
            angle.value({"a": 0.3})
        with self.assertRaisesRegex(quartz.UsageError, r"sqrt\(b\).* has no finite real value"):
            self.circuit.unitary({"a": 0.3, "b": -1.0})

    def test_are_shown_as_programs_write_them(self):
        for text in (str(self.operation.parameters[0]), repr(self.operation.parameters[0]), repr(self.operation), self.circuit.draw()):
            self.assertIn("sin(a)", text)
            self.assertNotRegex(text, "[\ue000-\uf8ff]")
        again = pickle.loads(pickle.dumps(self.operation.parameters[0]))
        self.assertEqual(again, self.operation.parameters[0])


class Messages(unittest.TestCase):
    def test_expressions_are_written_out(self):
        circuit = quartz.Circuit.from_qasm('OPENQASM 3.0; include "stdgates.inc"; input float a; qubit q; rx(pi*sin(a)) q;')
        with self.assertRaisesRegex(quartz.UsageError, r"'\(\(\(sin\(a\)\)\)\*\(pi\)\)' has no value"):
            circuit.unitary()
        with self.assertRaisesRegex(quartz.InputError, r"rx\(\(\(\(sin\(a\)\)\)\*\(pi\)\)\) cannot be expressed"):
            quartz.optimize(circuit, "clifford_t", time=0.1)

    def test_errors_are_pickled_with_their_places(self):
        with self.assertRaises(quartz.InputError) as caught:
            quartz.Circuit.from_qasm("OPENQASM 2.0;\nqreg q[1]; nosuchgate q[0];")
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.line, again.column), (str(caught.exception), 2, 12))


class Angles(unittest.TestCase):
    def test_are_exact(self):
        angle = quartz.Angle("2*theta - 3*pi/4 + 0.25")
        self.assertEqual(angle.pi_part, Fraction(-3, 4))
        self.assertEqual(angle.radian_part, Fraction(1, 4))
        self.assertEqual(angle.terms, {"theta": Fraction(2)})
        self.assertEqual(angle.parameters, ["theta"])
        self.assertFalse(angle.is_constant)
        self.assertAlmostEqual(angle.value({"theta": 1.0}), 2.25 - 0.75 * math.pi)
        self.assertEqual(quartz.Angle(str(angle)), angle)
        self.assertEqual(hash(quartz.Angle(str(angle))), hash(angle))
        self.assertEqual(pickle.loads(pickle.dumps(angle)), angle)

    def test_constants_are_floats(self):
        self.assertEqual(float(quartz.Angle("pi/2")), math.pi / 2)
        with self.assertRaises(quartz.UsageError):
            float(quartz.Angle("theta"))
        with self.assertRaises(quartz.InputError):
            quartz.Angle("theta*theta")


if __name__ == "__main__":
    unittest.main()

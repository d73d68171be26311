"""Ancillas in the circuits of other packages: the results do what the inputs do, for every outcome."""

import unittest
import warnings

import quartz

OPTIONS = {"gate_set": "clifford_t", "ancillas": 3, "cost": "t,total", "steps": 20000, "threads": 1}


def require_t_gates(test, given, counts):
    test.assertLess(counts.get("t", 0) + counts.get("tdg", 0), given)


class Qiskit(unittest.TestCase):
    def setUp(self):
        try:
            import quartz.qiskit
            from branches import right_outcomes
            from qiskit import QuantumCircuit
            from qiskit.quantum_info import random_statevector
        except ImportError as error:
            self.skipTest(f"Qiskit is not installed: {error}")
        self.optimize, self.right_outcomes = quartz.qiskit.optimize, right_outcomes
        self.state = random_statevector(8, seed=5)
        self.circuit = QuantumCircuit(3)
        self.circuit.ccx(0, 1, 2)
        self.circuit.t(2)
        self.circuit.h(2)
        self.circuit.ccx(0, 2, 1)

    def test_every_outcome(self):
        better, result = self.optimize(self.circuit, with_result=True, **OPTIONS)
        require_t_gates(self, 15, better.count_ops())
        self.assertTrue(result.checked)
        self.assertGreater(result.ancillas, 0)
        self.assertEqual(better.num_qubits, 3 + result.ancillas)
        self.assertEqual([type(each).__name__ for each in better.qregs], ["QuantumRegister", "AncillaRegister"])
        self.assertGreater(self.right_outcomes(better, self.circuit, self.state), 1)
        converted = [quartz.qiskit.from_qiskit(each) for each in (self.circuit, better)]
        self.assertTrue(quartz.check(*converted, ancillas=True))

    def test_boundaries_and_names(self):
        from qiskit import ClassicalRegister

        self.circuit.add_register(ClassicalRegister(2, "ancilla"), ClassicalRegister(1, "outcome0"))
        self.circuit.barrier()
        self.circuit.ccx(1, 2, 0)
        self.circuit.measure(0, 1)
        better = self.optimize(self.circuit, **OPTIONS)
        self.assertEqual(better.clbits[:3], self.circuit.clbits)
        names = [each.name for each in [*better.qregs, *better.cregs]]
        self.assertEqual(len(set(names)), len(names))
        self.assertGreater(better.num_qubits, 3)
        self.assertEqual([each.clbits for each in better.data if better.clbits[1] in each.clbits], [(better.clbits[1],)])
        self.assertEqual(better.count_ops()["barrier"], 1)

    def test_a_circuit_for_a_device_is_refused(self):
        from qiskit import transpile

        compiled = transpile(self.circuit, basis_gates=["h", "t", "tdg", "cx"], coupling_map=[[0, 1], [1, 2], [0, 2]])
        self.assertIsNotNone(compiled.layout)
        with self.assertRaisesRegex(quartz.UsageError, "ancillas are more qubits, and the layout"):
            self.optimize(compiled, **OPTIONS)


class Pytket(unittest.TestCase):
    def setUp(self):
        try:
            import pytket
            import quartz.pytket
        except ImportError as error:
            self.skipTest(f"pytket is not installed: {error}")
        self.circuit = pytket.Circuit(3, 1).CCX(0, 1, 2).T(2).H(2).CCX(0, 2, 1)

    def optimized(self, circuit):
        better = circuit.copy()
        quartz.pytket.QuartzPass(**OPTIONS).apply(better)
        self.assertGreater(better.n_qubits, 3)
        self.assertEqual(better.qubits[:3], circuit.qubits)
        self.assertEqual(better.bits[: len(circuit.bits)], circuit.bits)
        self.assertEqual(set(better.created_qubits), set(better.qubits[3:]))
        self.assertEqual(set(better.discarded_qubits), set(better.qubits[3:]))
        return better

    def test_every_outcome(self):
        better = self.optimized(self.circuit)
        converted = [quartz.pytket.from_pytket(each) for each in (self.circuit, better)]
        require_t_gates(self, 15, converted[1].counts())
        self.assertTrue(quartz.check(*converted, ancillas=True))
        try:
            from branches import right_outcomes
            from qiskit.quantum_info import random_statevector
            from quartz.qiskit import to_qiskit
        except ImportError:
            return
        in_qiskit = [to_qiskit(each) for each in converted]
        self.assertGreater(right_outcomes(in_qiskit[1], in_qiskit[0], random_statevector(8, seed=5)), 1)

    def test_names_and_boundaries(self):
        from pytket.circuit import OpType

        self.circuit.add_q_register("z", 1)
        self.circuit.Measure(0, 0).CX(0, 1, condition_bits=[0], condition_value=1)
        better = self.circuit.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a condition may be in the way of ancillas
            quartz.pytket.QuartzPass(**OPTIONS).apply(better)
        self.assertEqual(better.qubits[: self.circuit.n_qubits], self.circuit.qubits)
        self.assertGreaterEqual(better.n_gates_of_type(OpType.Conditional), 1)


class Cirq(unittest.TestCase):
    def setUp(self):
        try:
            import cirq
            import quartz.cirq
        except ImportError as error:
            self.skipTest(f"Cirq is not installed: {error}")
        self.cirq = cirq

    def circuit(self, a, b, c):
        cirq = self.cirq
        return cirq.Circuit(cirq.CCX(a, b, c), cirq.T(c), cirq.H(c), cirq.CCX(a, c, b))

    def test_every_outcome(self):
        import numpy

        cirq = self.cirq
        for qubits in (cirq.LineQubit.range(3), [cirq.NamedQubit(name) for name in ("a", "q1", "q10")]):
            given = self.circuit(*qubits)
            better = quartz.cirq.optimize(given, **OPTIONS)
            everything = sorted(better.all_qubits())
            self.assertEqual(everything[:3], qubits)
            self.assertGreater(len(everything), 3)
            converted = [quartz.cirq.from_cirq(each) for each in (given, better)]
            require_t_gates(self, 15, converted[1].counts())
            self.assertTrue(quartz.check(*converted, ancillas=True))
            state = cirq.testing.random_superposition(8, random_state=3)
            expected = given.final_state_vector(initial_state=state, qubit_order=qubits)
            start = numpy.kron(state, numpy.eye(2 ** (len(everything) - 3))[0])
            outcomes = set()
            for seed in range(20):
                result = cirq.Simulator(seed=seed, dtype=numpy.complex128).simulate(
                    better, initial_state=start, qubit_order=everything
                )
                rows = result.final_state_vector.reshape(8, -1)
                self.assertAlmostEqual(numpy.linalg.norm(expected.conj() @ rows), 1, places=5)
                outcomes.add(tuple(int(result.measurements[key][0]) for key in sorted(result.measurements)))
            self.assertGreater(len(outcomes), 1)

    def test_keys_that_exist(self):
        cirq = self.cirq
        a, b, c = cirq.LineQubit.range(3)
        circuit = self.circuit(a, b, c) + cirq.Circuit(cirq.measure(a, key="outcome_0"))
        better = quartz.cirq.optimize(circuit, **OPTIONS)
        keys = better.all_measurement_key_names()
        self.assertGreater(len(keys), 1)
        measured = [each.qubits for each in better.all_operations() if "outcome_0" in cirq.measurement_key_names(each)]
        self.assertEqual(measured, [(a,)])


class PennyLane(unittest.TestCase):
    def setUp(self):
        try:
            import pennylane as qml
            import quartz.pennylane
        except ImportError as error:
            self.skipTest(f"PennyLane is not installed: {error}")
        self.qml = qml

    def function(self, wires):
        qml = self.qml

        def circuit():
            for place, wire in enumerate(wires):
                qml.RX(0.4 + 0.3 * place, wire)
                qml.RZ(0.2 + place, wire)
            qml.Barrier(wires)
            qml.Toffoli(wires)
            qml.T(wires[2])
            qml.Hadamard(wires[2])
            qml.Toffoli([wires[0], wires[2], wires[1]])
            return [qml.expval(each(wire)) for wire in wires for each in (qml.X, qml.Y, qml.Z)]

        return circuit

    def test_expectations(self):
        import numpy

        qml = self.qml
        options = {**OPTIONS, "gate_set": "nam"}
        for wires in ((0, 1, 2), ("a", "b", "c")):
            node = qml.QNode(self.function(wires), qml.device("default.qubit"))
            better = quartz.pennylane.optimize(node, **options)
            numpy.testing.assert_allclose(better(), node(), atol=1e-9)
            (tape,), _ = quartz.pennylane.optimize(qml.tape.make_qscript(self.function(wires))(), **options)
            self.assertGreater(len(tape.wires), 3)
            self.assertTrue(any(isinstance(each, qml.ops.Conditional) for each in tape.operations))

    def test_measurements_of_all_wires_are_refused(self):
        qml = self.qml
        tape = qml.tape.QuantumScript([qml.Toffoli([0, 1, 2])], [qml.probs()])
        with self.assertRaisesRegex(quartz.UsageError, "ancillas are more wires"):
            quartz.pennylane.optimize(tape, **OPTIONS)


class Bqskit(unittest.TestCase):
    def test_they_are_refused(self):
        try:
            import quartz.bqskit
        except ImportError as error:
            self.skipTest(f"BQSKit is not installed: {error}")
        with self.assertRaisesRegex(quartz.UsageError, "ancillas need gates under the outcomes"):
            quartz.bqskit.QuartzPass(**OPTIONS)


if __name__ == "__main__":
    unittest.main()

"""quartz.pennylane, compared with PennyLane's own matrices, results and gradients."""

import math
import random
import unittest
import warnings

import numpy

import quartz
from every_gate import ANGLES, distance, every_gate, reversed_bits

try:
    import pennylane as qml
    from pennylane import numpy as pnp

    import quartz.pennylane
    from quartz.pennylane import gates, transform
    from quartz.pennylane.symbols import TensorSymbols
except ImportError as error:
    raise unittest.SkipTest(f"PennyLane is not installed: {error}")

STEPS = {"steps": 20000, "threads": 1}


def matrix_of(tape, wires):
    return qml.matrix(tape, wire_order=wires)


def random_tape(number, wires, seed):
    draw = random.Random(seed)
    operations = [qml.GlobalPhase(0.3)]
    for _ in range(number):
        first, second = draw.sample(range(wires), 2)
        make = draw.choice(
            [
                lambda: qml.Hadamard(first),
                lambda: qml.T(first),
                lambda: qml.CNOT([first, second]),
                lambda: qml.CNOT([first, second]),
                lambda: qml.RZ(draw.choice([math.pi / 4, 0.3]), first),
                lambda: qml.Rot(0.1, math.pi / 2, 0.3, first),
                lambda: qml.IsingZZ(math.pi / 2, [first, second]),
                lambda: qml.adjoint(qml.S(first)),
            ]
        )
        operations.append(make())
    return qml.tape.QuantumScript(operations)


def optimized(tape, gate_set="auto", **options):
    (better,), _ = quartz.pennylane.optimize(tape, gate_set, **{**STEPS, **options})
    return better


def names(tape):
    return [operation.name for operation in tape.operations]


def some_gates():
    """Yields gates of the table, gates that are made from others, and templates."""
    for gate in gates._TEMPLATES:
        parameters = ANGLES[: gate.num_params if isinstance(gate.num_params, int) else 0]
        yield gate(*parameters, wires=range(gate.num_wires or 1))
    yield qml.adjoint(qml.Rot(0.1, 0.2, 0.3, 0))
    yield qml.ctrl(qml.RX(0.3, 2), [1, 0], control_values=[1, 0])
    yield qml.ctrl(qml.GlobalPhase(0.3), [0, 1])
    yield qml.ctrl(qml.adjoint(qml.S(1)), 0)
    yield qml.pow(qml.T(0), 3)
    yield qml.pow(qml.evolve(qml.X(0) @ qml.Z(1), 0.3), 2)
    yield qml.prod(qml.X(0), qml.S(0), qml.CNOT([0, 1]))
    yield qml.MultiControlledX([0, 1, 2, 3], control_values=[1, 0, 1])
    yield qml.MultiRZ(0.3, [0, 1, 2])
    yield qml.PauliRot(0.3, "XYZ", [0, 1, 2])
    yield qml.CRot(0.1, 0.2, 0.3, [0, 1])
    yield qml.CPhaseShift00(0.3, [0, 1])
    yield qml.SingleExcitation(0.3, [0, 1])
    yield qml.QFT([0, 1, 2])
    yield qml.StronglyEntanglingLayers(numpy.full((1, 3, 3), 0.3), [0, 1, 2])


class Conversions(unittest.TestCase):
    def test_every_gate_of_pennylane_has_the_same_matrix(self):
        for gate in some_gates():
            wires = list(range(len(gate.wires)))
            tape = qml.tape.QuantumScript([gate])
            converted = quartz.pennylane.from_pennylane(tape, wires)
            self.assertLess(distance(reversed_bits(matrix_of(tape, wires)), converted.unitary()), 1e-9, repr(gate))

    def test_every_gate_of_quartz_has_the_same_matrix(self):
        for circuit in every_gate():
            tape = quartz.pennylane.to_pennylane(circuit)
            wires = list(range(circuit.num_qubits))
            self.assertLess(distance(circuit.unitary(), reversed_bits(matrix_of(tape, wires))), 1e-9, circuit[0].name)

    def test_random_tapes_there_and_back(self):
        wires = range(4)
        for seed in range(5):
            tape = random_tape(40, 4, seed)
            back = quartz.pennylane.to_pennylane(quartz.pennylane.from_pennylane(tape, wires))
            self.assertLess(distance(matrix_of(tape, wires), matrix_of(back, wires)), 1e-9)

    def test_angles_are_exact(self):
        tape = qml.tape.QuantumScript([qml.RZ(math.pi / 3, 0), qml.RX(0.7, 0), qml.PhaseShift(-5 * math.pi / 8, 0)])
        converted = quartz.pennylane.from_pennylane(tape)
        self.assertEqual([str(angle) for gate in converted for angle in gate.parameters], ["pi/3", "0.7", "-5*pi/8"])
        back = quartz.pennylane.to_pennylane(converted)
        self.assertEqual([each.data for each in back.operations], [each.data for each in tape.operations])

    def test_wires_and_their_order(self):
        tape = qml.tape.QuantumScript([qml.CNOT(["a", "b"]), qml.T("a")])
        converted = quartz.pennylane.from_pennylane(tape, ["b", "a"])
        self.assertEqual(list(converted.qubit_registers), ["b", "a"])
        self.assertEqual([gate.qubits for gate in converted], [(1, 0), (1,)])
        back = quartz.pennylane.to_pennylane(converted, ["b", "a"])
        self.assertEqual([(each.name, each.wires) for each in back], [(each.name, each.wires) for each in tape])
        with self.assertRaisesRegex(quartz.UsageError, "2 qubits"):
            quartz.pennylane.to_pennylane(converted, ["b"])

    def test_measurements_and_conditions_are_kept(self):
        with qml.queuing.AnnotatedQueue() as queue:
            qml.Hadamard(0)
            first = qml.measure(0, reset=True)
            second = qml.measure(1)
            qml.cond(first & ~second, qml.X)(2)
            qml.Barrier([0, 2])
            qml.cond(first, qml.RZ, qml.RX)(0.5, 0)
        tape = qml.tape.QuantumScript.from_queue(queue)
        expected = quartz.Circuit.from_qasm(
            """OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[2] m; h q[0];
            m[0] = measure q[0]; reset q[0]; m[1] = measure q[1]; if (m == 1) { x q[2]; } barrier q[0], q[2];
            if (m[0]) { rz(0.5) q[0]; } else { rx(0.5) q[0]; }"""
        )
        converted = quartz.pennylane.from_pennylane(tape)
        self.assertTrue(quartz.check(expected, converted))
        back = quartz.pennylane.to_pennylane(converted)
        measured = [each for each in back.operations if each.name == "MidMeasureMP"]
        self.assertEqual([(each.meas_uid, each.reset) for each in measured], [("m[0]", True), ("m[1]", False)])
        self.assertTrue(quartz.check(expected, quartz.pennylane.from_pennylane(back)))

    def test_values_of_parameters(self):
        circuit = quartz.Circuit.from_qasm(
            "OPENQASM 3.0; input float a; qubit[1] q; rz(2*a+pi/4) q[0]; rx(sin(a)) q[0];"
        )
        with self.assertRaisesRegex(quartz.UsageError, "value"):
            quartz.pennylane.to_pennylane(circuit)
        linear = quartz.Circuit.from_qasm("OPENQASM 3.0; input float a; qubit[1] q; rz(2*a+pi/4) q[0];")
        (gate,) = quartz.pennylane.to_pennylane(linear, parameters={"a": 0.5}).operations
        self.assertAlmostEqual(gate.data[0], 1 + math.pi / 4)
        with self.assertRaisesRegex(quartz.UsageError, r"the angle \(sin\(a\)\) needs a value"):
            quartz.pennylane.to_pennylane(quartz.Circuit.from_qasm("OPENQASM 3.0; input float a; qubit[1] q; rx(sin(a)) q[0];"))

    def test_expressions_of_parameters(self):
        value = pnp.array(0.5, requires_grad=True)
        for angle, expected, slope in (
            ("pi*a", 0.5 * math.pi, math.pi),
            ("sin(a)+2", math.sin(0.5) + 2, math.cos(0.5)),
            ("3*a*a/2", 0.375, 1.5),
            ("sqrt(a)", math.sqrt(0.5), 0.5 / math.sqrt(0.5)),
        ):
            circuit = quartz.Circuit.from_qasm(f"OPENQASM 3.0; input float a; qubit[1] q; rz({angle}) q[0];")

            def first_angle(tensor, circuit=circuit):
                return quartz.pennylane.to_pennylane(circuit, parameters={"a": tensor}).operations[0].data[0]

            self.assertAlmostEqual(first_angle(value), expected)
            self.assertAlmostEqual(float(qml.grad(first_angle)(value)), slope)

    def test_tuples_as_labels_of_wires(self):
        wires = [(0, 0), (0, 1)]
        for circuit in every_gate():
            if circuit.num_qubits == 2:
                tape = quartz.pennylane.to_pennylane(circuit, wires)
                again = quartz.pennylane.from_pennylane(tape, wires)
                self.assertLess(distance(circuit.unitary(), again.unitary()), 1e-7, circuit[0].name)
        # PennyLane's own decompositions take a tuple for several wires.
        ambiguous = [(0, 1), 0, 1]
        for operation in (qml.QFT(wires), qml.QFT(ambiguous)):
            tape = qml.tape.QuantumScript([qml.Hadamard([operation.wires[0]]), operation])
            with self.assertRaisesRegex(quartz.UsageError, r"no operation for QFT\(wires=\[\(0, "):
                quartz.pennylane.from_pennylane(tape)
            (better,), _ = quartz.pennylane.optimize(tape, **STEPS)
            self.assertEqual([each.name for each in better.operations], ["Hadamard", "QFT"])

    def test_fractional_powers_are_those_of_the_matrix_or_are_kept(self):
        angle = pnp.array(4.0, requires_grad=True)
        for kept in (
            qml.pow(qml.PhaseShift(4.0, 0), 0.5),  # decomposed into PhaseShift(2), which is minus the principal root
            qml.pow(qml.pow(qml.CPhaseShift10(4.07, [0, 1]), -1), 0.5),
            qml.ctrl(qml.pow(qml.RX(9.0, 1), 1 / 3), 0),
            qml.pow(qml.MultiRZ(9.0, range(5)), 0.5),  # too many wires to compare
            qml.pow(qml.PhaseShift(angle, 0), 0.5),
        ):
            with self.subTest(kept=repr(kept)):
                self.assertIsNone(gates.calls_of(kept, TensorSymbols()))
                tape = qml.tape.QuantumScript([qml.Hadamard(0), kept, qml.Hadamard(1)])
                wires = range(5)
                self.assertLess(distance(matrix_of(tape, wires), matrix_of(optimized(tape), wires)), 1e-7)
        for gate, wires in (
            (qml.pow(qml.PhaseShift(1.0, 0), 0.5), [0]),
            (qml.pow(qml.RX(5.0, 0), 0.5), [0]),
            (qml.pow(qml.RX(9.0, 0), 0.5), [0]),  # minus RX(4.5)
            (qml.pow(qml.Z(0), 0.5), [0]),
            (qml.pow(qml.MultiRZ(9.0, range(5)), 2), range(5)),
            (qml.ctrl(qml.pow(qml.RY(1.0, 1), 1 / 3), 0), [0, 1]),
        ):
            with self.subTest(gate=repr(gate)):
                tape = qml.tape.QuantumScript([gate])
                converted = quartz.pennylane.from_pennylane(tape, list(wires))
                self.assertLess(distance(reversed_bits(matrix_of(tape, wires)), converted.unitary()), 1e-7)

    def test_what_cannot_be_expressed_is_named(self):
        for operation, name in (
            (qml.QubitUnitary(numpy.eye(2), 0), "QubitUnitary"),
            (qml.DepolarizingChannel(0.1, 0), "DepolarizingChannel"),
            (qml.BasisState([1], 0), "BasisState"),
            (qml.RX(numpy.array([0.1, 0.2]), 0), "RX"),
            (qml.ops.MidMeasure(0, postselect=1), "MidMeasure"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.pennylane.from_pennylane(qml.tape.QuantumScript([operation]))
        with self.assertRaisesRegex(quartz.UsageError, "f"):
            quartz.pennylane.to_pennylane(quartz.Circuit.from_qasm("OPENQASM 3.0; opaque f a; qubit[1] q; f q[0];"))


class Transform(unittest.TestCase):
    def test_warnings_name_the_operations_of_the_tape(self):
        layer = [qml.Hadamard(0), qml.T(0), qml.CNOT([0, 1]), qml.T(1)]
        swap = qml.QubitUnitary(qml.matrix(qml.SWAP([0, 1])), [0, 1])
        tape = qml.tape.QuantumScript([*layer * 4, swap, *layer * 2], [qml.probs(wires=[0])])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            optimized(tape, "clifford_t", ancillas=2, steps=2000)
        self.assertRegex(str(caught[0].message), "the opaque operation 'QubitUnitary_0'")

    def test_results_are_equal_and_cheaper(self):
        wires = range(4)
        for seed, gate_set in enumerate(("auto", "auto", "nam", "ionq_aria", "ibm_heron")):
            tape = random_tape(40, 4, seed)
            better = optimized(tape, gate_set)
            self.assertLess(distance(matrix_of(tape, wires), matrix_of(better, wires)), 1e-8, gate_set)
            if gate_set == "auto":
                self.assertLess(len(better.operations), len(tape.operations))

    def test_messages_show_the_values_of_parameters(self):
        tape = qml.tape.QuantumScript([qml.RX(pnp.array(0.375, requires_grad=True), 0)])
        with self.assertRaisesRegex(quartz.InputError, r"rx\(0\.375\) cannot be expressed"):
            optimized(tape, "clifford_t")

    def test_qnodes_and_gradients(self):
        def circuit(x, y):
            qml.RX(x[0], 0)
            qml.RX(x[1], 0)
            qml.CNOT([0, 1])
            qml.CNOT([0, 1])
            qml.RX(y, 0)
            qml.RY(y, 1)
            qml.RY(0.25, 1)
            qml.CNOT([0, 1])
            return qml.expval(qml.Z(1)), qml.probs(wires=[0])

        device = qml.device("default.qubit", wires=2)
        plain = qml.QNode(circuit, device)
        better = quartz.pennylane.optimize(qml.QNode(circuit, device), **STEPS)
        draw = random.Random(3)
        for _ in range(3):
            x = pnp.array([draw.uniform(-2, 2), draw.uniform(-2, 2)], requires_grad=True)
            y = pnp.array(draw.uniform(-2, 2), requires_grad=True)
            gradients = []
            for node in (plain, better):
                gradients.append(qml.jacobian(lambda x, y: qml.math.hstack(node(x, y)))(x, y))
                self.assertLess(distance(qml.math.hstack(node(x, y)), qml.math.hstack(plain(x, y))), 1e-9)
            for left, right in zip(*gradients):
                self.assertLess(distance(left, right), 1e-8)
        tape = qml.workflow.construct_tape(better, level="user")(x, y)
        self.assertEqual(sorted(names(tape)), ["CNOT", "RX", "RY"])

    def test_other_values_need_no_other_search(self):
        @quartz.pennylane.optimize(**STEPS, seed=5)
        @qml.qnode(qml.device("default.qubit"))
        def circuit(angle):
            qml.RX(angle, 0)
            qml.RX(0.1, 0)
            return qml.expval(qml.Z(0))

        before = transform._search.cache_info()
        for value in (0.2, 0.3, 0.4):
            self.assertAlmostEqual(float(circuit(pnp.array(value, requires_grad=True))), math.cos(value + 0.1))
        after = transform._search.cache_info()
        self.assertEqual((after.misses - before.misses, after.hits - before.hits), (1, 2))
        wires = [(0, 1)]  # a list has no hash
        tape = optimized(qml.tape.QuantumScript([qml.CNOT([0, 1]), qml.CNOT([0, 1]), qml.X(0)]), coupling=wires)
        self.assertEqual(names(tape), ["PauliX"])

    def test_it_runs_among_other_transforms(self):
        @qml.transforms.merge_rotations
        @quartz.pennylane.optimize(gate_set="nam", **STEPS)
        @qml.transforms.cancel_inverses
        @qml.qnode(qml.device("default.qubit"))
        def circuit(angle):
            qml.QFT([0, 1, 2])
            qml.RX(angle, 1)
            qml.adjoint(qml.QFT)([0, 1, 2])
            return qml.state()

        fourier = qml.matrix(qml.QFT([0, 1, 2]))
        expected = fourier.conj().T @ qml.matrix(qml.RX(0.4, 1), wire_order=[0, 1, 2]) @ fourier
        self.assertLess(distance(circuit(0.4), expected[:, 0]), 1e-8)

    def test_what_quartz_does_not_know_is_kept(self):
        unitary = qml.QubitUnitary(numpy.diag([1, 1j]), 0)
        with qml.queuing.AnnotatedQueue() as queue:
            qml.BasisState([1], 0)
            qml.Hadamard(0), qml.Hadamard(0)
            outcome = qml.measure(0, reset=True)
            qml.cond(outcome, qml.X)(1)
            qml.apply(unitary)
            qml.Snapshot()
            qml.RX(numpy.array([0.1, 0.2]), 1)
            qml.DepolarizingChannel(0.1, 1)
            qml.Barrier([0, 1])
            qml.CNOT([0, 1]), qml.CNOT([0, 1])
            qml.measure(1)
            qml.expval(qml.Z(0))
        tape = qml.tape.QuantumScript.from_queue(queue)
        better = optimized(tape)
        kept = [each for each in tape.operations if each.name not in ("Hadamard", "CNOT")]
        self.assertEqual([id(each) for each in better.operations], [id(each) for each in kept])
        self.assertEqual(better.measurements, tape.measurements)

    def test_outcomes_are_those_of_pennylane(self):
        @qml.set_shots(5)
        @qml.qnode(qml.device("default.qubit", seed=1))
        def circuit():
            qml.X(0)
            qml.S(0)
            outcome = qml.measure(0)
            qml.S(0)
            qml.cond(outcome, qml.X)(1)
            qml.Hadamard(1)
            qml.Hadamard(1)
            return qml.sample(wires=[1]), qml.sample(outcome)

        for node in (circuit, quartz.pennylane.optimize(circuit, **STEPS)):
            self.assertEqual([numpy.ravel(each).tolist() for each in node()], [[1] * 5, [1] * 5])

    def test_measurements_of_all_wires_keep_their_order(self):
        operations = [qml.X("b"), qml.X("b"), qml.Hadamard("c"), qml.X("a")]
        tape = qml.tape.QuantumScript(operations, [qml.probs()])
        better = optimized(tape)
        self.assertEqual(better.wires, tape.wires)
        device = qml.device("default.qubit")
        results = [qml.execute([each], device)[0] for each in (tape, better)]
        self.assertLess(distance(*results), 1e-9)

    def test_complete_programs(self):
        def tape_with(*measurements):
            with qml.queuing.AnnotatedQueue() as queue:
                qml.CNOT([1, 0])
                qml.Hadamard(0)
                outcome = qml.measure(0)
                qml.Hadamard(0)
            return qml.tape.QuantumScript(queue.queue, [each(outcome) for each in measurements])

        of_wires = tape_with(lambda outcome: qml.expval(qml.X(0)))
        self.assertEqual(names(optimized(of_wires, program=True)), ["Hadamard", "MidMeasureMP", "Hadamard"])
        with self.assertRaisesRegex(quartz.UsageError, "measured at its end"):
            optimized(of_wires, final_state="discarded")
        of_outcomes = tape_with(qml.sample)
        for options in ({"program": True}, {"initial_state": "zero", "final_state": "discarded"}):
            self.assertEqual(names(optimized(of_outcomes, **options)), ["Hadamard", "MidMeasureMP"])

    def test_barriers_can_be_ignored(self):
        tape = qml.tape.QuantumScript([qml.Hadamard(0), qml.Barrier([0, 1]), qml.Hadamard(0), qml.CNOT([0, 1])])
        self.assertEqual(names(optimized(tape)), ["Hadamard", "Barrier", "Hadamard", "CNOT"])
        self.assertEqual(names(optimized(tape, barriers="ignore")), ["CNOT"])

    def test_a_tape_without_gates_stays(self):
        tape = qml.tape.QuantumScript([], [qml.expval(qml.Z(0))])
        self.assertIs(optimized(tape), tape)

    def test_a_tape_without_wires(self):
        converted = quartz.pennylane.from_pennylane(qml.tape.QuantumScript([qml.GlobalPhase(0.3)]))
        self.assertEqual(converted.num_qubits, 0)
        self.assertAlmostEqual(float(converted.global_phase), -0.3)

    def test_bad_arguments_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            optimized(random_tape(5, 2, 1), barriers="sometimes")
        with self.assertRaisesRegex(quartz.UsageError, "permutation is 'free', but"):
            optimized(random_tape(5, 2, 1), permutation="free")


if __name__ == "__main__":
    unittest.main()

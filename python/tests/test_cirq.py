"""quartz.cirq, compared with Cirq's own unitaries."""

import itertools
import math
import random
import unittest

import numpy

import quartz
from every_gate import distance, every_gate, reversed_bits, with_values

try:
    import cirq
    import sympy

    import quartz.cirq
    from quartz.cirq import gates
except ImportError as error:
    raise unittest.SkipTest(f"Cirq is not installed: {error}")

STEPS = {"steps": 20000, "threads": 1}
A, B, C, D = cirq.LineQubit.range(4)


def unitary(circuit, qubits):
    return circuit.unitary(qubit_order=qubits, qubits_that_should_be_present=qubits)


def random_circuit(number, qubits, seed):
    draw = random.Random(seed)
    kinds = [cirq.H, cirq.T, cirq.X**0.3, cirq.CX, cirq.CX, cirq.rz(0.7), cirq.CZ**0.5, cirq.ISWAP**0.5]
    kinds.append(cirq.PhasedXZGate(x_exponent=0.1, z_exponent=0.5, axis_phase_exponent=0.25))
    operations = [cirq.global_phase_operation(1j)]
    for _ in range(number):
        gate = draw.choice(kinds)
        operations.append(gate.on(*draw.sample(cirq.LineQubit.range(qubits), gate.num_qubits())))
    return cirq.Circuit(operations)


def optimized(circuit, **options):
    return quartz.cirq.optimize(circuit, **{**STEPS, **options})


def some_gates():
    """Yields gates of Cirq: of the tables, with controls, and such as are decomposed."""
    for family in gates._POWERS:
        gate = family()
        for exponent in (1, -1, 0.5, -0.5, 0.25, 0.3, 1.7):
            yield family(exponent=exponent)
            yield family(exponent=exponent, global_shift=-0.5)
        yield cirq.ControlledGate(gate**0.3)
    for gate in (cirq.X, cirq.Y, cirq.Z, cirq.I, cirq.rx(0.3), cirq.ry(-2.1), cirq.rz(5.0), cirq.ms(0.3)):
        yield gate
        yield cirq.ControlledGate(gate, num_controls=2, control_values=[0, 1])
    yield cirq.IdentityGate(3)
    yield cirq.CSWAP
    yield cirq.FSimGate(0.3, 0.4)
    yield cirq.PhasedFSimGate(0.1, 0.2, 0.3, 0.4, 0.5)
    yield cirq.PhasedXPowGate(phase_exponent=0.2, exponent=0.3)
    yield cirq.PhasedXPowGate(phase_exponent=0.2, exponent=0.3, global_shift=-0.5)
    yield cirq.PhasedXZGate(x_exponent=0.1, z_exponent=0.2, axis_phase_exponent=0.3)
    yield cirq.PhasedISwapPowGate(phase_exponent=0.2, exponent=0.3)
    yield cirq.QuantumFourierTransformGate(3)
    yield cirq.givens(0.3)
    yield cirq.riswap(0.3)
    yield cirq.ParallelGate(cirq.X**0.3, 3)
    yield cirq.DensePauliString("XYZ", coefficient=1j)


class Conversions(unittest.TestCase):
    def test_every_gate_of_cirq_has_the_same_matrix(self):
        for gate in some_gates():
            qubits = cirq.LineQubit.range(gate.num_qubits())
            circuit = cirq.Circuit(gate.on(*reversed(qubits)))
            converted = quartz.cirq.from_cirq(circuit)
            self.assertLess(distance(reversed_bits(unitary(circuit, qubits)), converted.unitary()), 1e-7, repr(gate))

    def test_decompositions_that_depend_on_the_order_of_the_qubits(self):
        gate = cirq.ThreeQubitDiagonalGate([0.1 * number for number in range(8)])
        for qubits in itertools.permutations([A, B, C]):
            circuit = cirq.Circuit(gate.on(*qubits))
            expected = unitary(circuit, [A, B, C])
            converted = quartz.cirq.from_cirq(circuit, [A, B, C])
            self.assertLess(distance(reversed_bits(expected), converted.unitary()), 1e-7, qubits)
            self.assertLess(distance(expected, unitary(optimized(circuit), [A, B, C])), 1e-6, qubits)

    def test_decompositions_are_compared_with_the_unitary(self):
        class Decomposed(cirq.testing.TwoQubitGate):
            def __init__(self, *parts):
                self.parts = parts

            def _unitary_(self):
                return 1j * cirq.unitary(cirq.CX)

            def _decompose_(self, qubits):
                return [part(*qubits) for part in self.parts]

        # Where only the phase differs, it is added: it matters under a control.
        circuit = cirq.Circuit(Decomposed(cirq.CX).on(B, A), Decomposed(cirq.CX).on(C, A).controlled_by(B))
        converted = quartz.cirq.from_cirq(circuit)
        self.assertLess(distance(reversed_bits(unitary(circuit, [A, B, C])), converted.unitary()), 1e-7)
        wrong = cirq.Circuit(Decomposed(cirq.CZ).on(A, B))
        with self.assertRaisesRegex(quartz.UsageError, "no operation for .*Decomposed"):
            quartz.cirq.from_cirq(wrong)
        self.assertEqual(optimized(wrong), wrong)

    def test_controls_with_several_values(self):
        products = (cirq.ProductOfSums([(0, 1), 1]), cirq.ProductOfSums([(0, 1), (0, 1)]), cirq.ProductOfSums([0, (0, 1)]))
        sums = (cirq.SumOfProducts([[0, 1], [1, 0]]), cirq.SumOfProducts([[0, 0], [1, 0], [1, 1]]))
        for values in (*products, *sums):
            gate = cirq.ControlledGate(cirq.Y**0.3, num_controls=2, control_values=values)
            circuit = cirq.Circuit(gate.on(C, A, B))
            converted = quartz.cirq.from_cirq(circuit)
            self.assertLess(distance(reversed_bits(unitary(circuit, [A, B, C])), converted.unitary()), 1e-7, values)

    def test_circuit_operations_are_written_out(self):
        angle = sympy.Symbol("a")
        inner = cirq.FrozenCircuit(cirq.H(A), cirq.CX(A, B), cirq.rz(angle)(B))
        operation = cirq.CircuitOperation(inner).repeat(-3).with_qubits(C, A).with_params({"a": 0.3})
        nested = cirq.CircuitOperation(cirq.FrozenCircuit(cirq.T(B), operation)).repeat(2)
        circuit = cirq.Circuit(nested, cirq.S(C))
        converted = quartz.cirq.from_cirq(circuit)
        self.assertEqual(converted.counts(), {"t": 2, "h": 6, "cx": 6, "rz": 6, "s": 1})
        self.assertLess(distance(reversed_bits(unitary(circuit, [A, B, C])), converted.unitary()), 1e-7)
        conditional = cirq.CircuitOperation(cirq.FrozenCircuit(cirq.X(A), cirq.Y(B))).with_classical_controls("m")
        converted = quartz.cirq.from_cirq(cirq.Circuit(cirq.measure(C, key="m"), conditional))
        self.assertEqual([len(each.conditions) for each in converted], [0, 1, 1])
        for bad, reason in (
            (cirq.CircuitOperation(cirq.FrozenCircuit(cirq.measure(A, key="m"))), "no operation for .*CircuitOperation"),
            (cirq.CircuitOperation(inner).repeat(10**8), "more than 1000000 operations"),
            (cirq.CircuitOperation(inner, repetitions=angle, use_repetition_ids=False), "repetitions are not a number"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, reason):
                quartz.cirq.from_cirq(cirq.Circuit(bad))

    def test_every_gate_of_quartz_has_the_same_matrix(self):
        for circuit in every_gate():
            converted = quartz.cirq.to_cirq(circuit)
            qubits = cirq.LineQubit.range(circuit.num_qubits)
            self.assertLess(
                distance(circuit.unitary(), reversed_bits(unitary(converted, qubits))), 1e-7, circuit[0].name
            )

    def test_random_circuits_there_and_back(self):
        for seed in range(5):
            circuit = random_circuit(40, 4, seed)
            back = quartz.cirq.to_cirq(quartz.cirq.from_cirq(circuit, [A, B, C, D]))
            self.assertLess(distance(unitary(circuit, [A, B, C, D]), unitary(back, [A, B, C, D])), 1e-7)

    def test_angles_are_exact(self):
        circuit = cirq.Circuit(cirq.Z(A) ** (1 / 3), cirq.rx(0.7)(A), cirq.ry(math.pi / 8)(A), cirq.T(A))
        converted = quartz.cirq.from_cirq(circuit)
        self.assertEqual([str(angle) for gate in converted for angle in gate.parameters], ["pi/3", "0.7", "pi/8"])
        self.assertEqual(quartz.cirq.to_cirq(converted), circuit)

    def test_qubits_and_their_order(self):
        first, second = cirq.GridQubit(1, 2), cirq.NamedQubit("b")
        circuit = cirq.Circuit(cirq.CX(first, second), cirq.T(first))
        converted = quartz.cirq.from_cirq(circuit, [second, first])
        self.assertEqual(converted.qubit_registers, {"b": 1, "q_1__2_": 1})
        self.assertEqual([gate.qubits for gate in converted], [(1, 0), (1,)])
        self.assertEqual(quartz.cirq.to_cirq(converted, [second, first]), circuit)
        with self.assertRaisesRegex(quartz.UsageError, "2 qubits"):
            quartz.cirq.to_cirq(converted, [second])

    def test_measurements_and_conditions_are_kept(self):
        circuit = cirq.Circuit(
            cirq.H(A),
            cirq.measure(A, B, key="pair"),
            cirq.measure(C, key="one"),
            cirq.reset(A),
            cirq.X(B).with_classical_controls("one"),
            cirq.Y(B).with_classical_controls(
                cirq.BitMaskKeyCondition("pair", bitmask=2, target_value=0, equal_target=True)
            ),
        )
        converted = quartz.cirq.from_cirq(circuit)
        self.assertEqual(list(converted.bit_registers.items()), [("one", 1), ("pair", 2)])
        expected = quartz.Circuit.from_qasm(
            """OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[1] one; bit[2] pair; h q[0];
            pair = measure q[0:1]; one[0] = measure q[2]; reset q[0];
            if (one[0]) { x q[1]; } if (!pair[0]) { y q[1]; }"""
        )
        self.assertTrue(quartz.check(expected, converted))
        back = quartz.cirq.to_cirq(converted)
        self.assertEqual(back.all_measurement_key_names(), {"pair", "one"})
        self.assertTrue(quartz.check(quartz.cirq.from_cirq(back), converted))

    def test_outcomes_are_those_of_cirq(self):
        circuit = cirq.Circuit(cirq.X(A), cirq.measure(A, B, key="m", invert_mask=(False, True)))
        circuit.append(cirq.X(C).with_classical_controls(cirq.BitMaskKeyCondition("m", bitmask=2)))
        circuit.append([cirq.measure(C, key="n"), cirq.X(D), cirq.measure(D, key="d")])
        back = quartz.cirq.to_cirq(quartz.cirq.from_cirq(circuit))
        for each in (circuit, back, optimized(circuit), optimized(circuit, gate_set="nam")):
            outcomes = cirq.Simulator(seed=1).run(each).measurements
            self.assertEqual(
                {key: value.tolist() for key, value in outcomes.items()}, {"m": [[1, 1]], "n": [[1]], "d": [[1]]}
            )

    def test_waits_are_delays(self):
        short, long = (cirq.Circuit(cirq.H(A), cirq.wait(A, picos=picos), cirq.H(A)) for picos in (500, 1500))
        self.assertEqual(quartz.cirq.from_cirq(short).counts(), {"h": 2, "delay[0.500ns]": 1})
        self.assertFalse(quartz.check(*(quartz.cirq.from_cirq(each) for each in (short, long))))
        self.assertEqual(optimized(long), long)
        for each in (short, long, cirq.Circuit(cirq.wait(A, B, micros=3), cirq.wait(A, nanos=0.25), cirq.wait(B, picos=0.5))):
            converted = quartz.cirq.from_cirq(each)
            self.assertEqual(quartz.cirq.from_cirq(quartz.cirq.to_cirq(converted)).counts(), converted.counts())
        with self.assertRaisesRegex(quartz.UsageError, r"no operation for delay\[3dt\]"):
            quartz.cirq.to_cirq(quartz.Circuit.from_qasm("OPENQASM 3.0; qubit[1] q; delay[3dt] q[0];"))
        with self.assertRaisesRegex(quartz.UsageError, "its duration is not a number"):
            quartz.cirq.from_cirq(cirq.Circuit(cirq.wait(A, nanos=sympy.Symbol("t"))))

    def test_parameters_are_known_by_their_names(self):
        theta, phi, q = sympy.symbols("θ φ q")
        left, right = (cirq.Circuit(cirq.rx(first)(A), cirq.rz(second)(A)) for first, second in ((theta, phi), (phi, theta)))
        self.assertFalse(quartz.check(*(quartz.cirq.from_cirq(each) for each in (left, right))))
        self.assertEqual(quartz.cirq.from_cirq(cirq.Circuit(cirq.rx(q)(A))).parameters, ["q"])
        clash = cirq.Circuit(cirq.rx(sympy.Symbol("a b"))(A), cirq.rz(sympy.Symbol("a_b"))(A))
        with self.assertRaisesRegex(quartz.UsageError, "'a_b' and another one would both be a_b"):
            quartz.cirq.from_cirq(clash)

    def test_what_cannot_be_expressed_is_named(self):
        expression = cirq.X(B).with_classical_controls(sympy.Symbol("m") > 1)
        for operation, name in (
            (cirq.MatrixGate(numpy.eye(2))(A), "MatrixGate"),
            (cirq.depolarize(0.1)(A), "depolarize"),
            (expression, "condition"),
            (cirq.X(A).controlled_by(cirq.LineQid(1, 3)), "X"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.cirq.from_cirq(cirq.Circuit(cirq.measure(C, key="m"), operation))
        for body, name in (
            ("opaque f a; qubit[1] q; f q[0];", "f"),
            ("qubit[1] q; measure q[0];", "discarded"),
            ("qubit[1] q; bit[2] c; c[0] = measure q[0]; if (c[0]) { c[1] = measure q[0]; }", "conditional measurement"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.cirq.to_cirq(quartz.Circuit.from_qasm(f"OPENQASM 3.0; {body}"))


class Symbols(unittest.TestCase):
    def test_they_have_their_names_and_values(self):
        a, b = sympy.symbols("a b")
        circuit = cirq.Circuit(
            cirq.rx(a)(A), cirq.Z(A) ** (a * b), cirq.PhasedXPowGate(phase_exponent=b, exponent=a / 3)(B)
        )
        converted = quartz.cirq.from_cirq(circuit)
        self.assertEqual(set(converted.parameters), {"a", "b"})
        back = quartz.cirq.to_cirq(converted)
        values = {"a": 0.31, "b": -1.7}
        expected = unitary(cirq.resolve_parameters(circuit, values), [A, B])
        self.assertLess(distance(reversed_bits(with_values(converted, values).unitary()), expected), 1e-7)
        self.assertLess(distance(unitary(cirq.resolve_parameters(back, values), [A, B]), expected), 1e-7)

    def test_messages_name_them(self):
        circuit = cirq.Circuit(cirq.rx(sympy.Symbol("theta"))(A))
        with self.assertRaisesRegex(quartz.InputError, r"rx\(theta\) cannot be expressed"):
            quartz.cirq.optimize(circuit, gate_set="clifford_t", time=0.1)

    def test_in_gates_that_are_decomposed(self):
        t = sympy.Symbol("t")
        for gate in (
            cirq.PhasedFSimGate(0.1, t, 0.3, 0.4, 0.5),
            cirq.PhasedISwapPowGate(phase_exponent=t, exponent=0.2),
            cirq.BooleanHamiltonianGate(["a", "b"], ["a ^ b"], t),  # Cirq does not know its parameter
        ):
            converted = quartz.cirq.from_cirq(cirq.Circuit(gate(B, A)))
            back = quartz.cirq.to_cirq(converted)
            self.assertEqual((converted.parameters, cirq.parameter_names(back)), (["t"], {"t"}), gate)

    def test_expressions_in_gates_that_cirq_does_not_have(self):
        a, b = sympy.symbols("lambda b")
        values = {a: 0.31, b: 1.7}
        for angle in (a, a * a, sympy.sin(a) * b, a / b, sympy.sqrt(b) + sympy.pi * sympy.atan(a), a**3 - sympy.exp(b)):
            phased = cirq.PhasedXPowGate(phase_exponent=0.2, exponent=angle)
            circuit = cirq.Circuit(phased(A).controlled_by(B), cirq.Z(A) ** angle)
            back = quartz.cirq.to_cirq(quartz.cirq.from_cirq(circuit))
            bound = [unitary(cirq.resolve_parameters(each, values), [A, B]) for each in (circuit, back)]
            self.assertLess(distance(*bound), 1e-7, angle)

    def test_in_gates_that_cirq_does_not_have(self):
        circuit = cirq.Circuit(cirq.rx(sympy.Symbol("a"))(A), cirq.rz(sympy.Symbol("b"))(A))
        better = optimized(circuit, gate_set="ibm_u")
        values = {"a": 0.3, "b": -1.7}
        bound = [unitary(cirq.resolve_parameters(each, values), [A]) for each in (circuit, better)]
        self.assertLess(distance(*bound), 1e-7)

    def test_they_merge_and_come_back(self):
        a, b = sympy.symbols("a b")
        circuit = cirq.Circuit(
            cirq.Z(A) ** (a + b**2), cirq.CX(A, B), cirq.CX(A, B), cirq.Z(A) ** (a / 2 - b**2), cirq.H(B)
        )
        better = optimized(circuit)
        self.assertEqual(len(list(better.all_operations())), 2)
        self.assertEqual(cirq.parameter_names(better), {"a"})
        draw = random.Random(5)
        for gate_set in ("auto", "nam"):
            better = optimized(circuit, gate_set=gate_set)
            for _ in range(3):
                values = {"a": draw.uniform(-2, 2), "b": draw.uniform(-2, 2)}
                bound = [unitary(cirq.resolve_parameters(each, values), [A, B]) for each in (circuit, better)]
                self.assertLess(distance(*bound), 1e-7)


class Transformer(unittest.TestCase):
    def test_results_are_equal_and_cheaper(self):
        for seed, gate_set in enumerate(("auto", "auto", "nam", "google", "ibm_heron")):
            circuit = random_circuit(40, 4, seed)
            better = optimized(circuit, gate_set=gate_set)
            self.assertLess(distance(unitary(circuit, [A, B, C, D]), unitary(better, [A, B, C, D])), 1e-6, gate_set)
            if gate_set == "auto":
                sizes = [sum(len(each.qubits) > 1 for each in given.all_operations()) for given in (circuit, better)]
                self.assertLessEqual(sizes[1], sizes[0])

    def test_it_is_a_transformer(self):
        circuit = random_circuit(30, 4, 3)
        context = cirq.TransformerContext(logger=cirq.TransformerLogger())
        better = quartz.cirq.optimize(circuit, context=context, gate_set="nam", **STEPS)
        better = cirq.optimize_for_target_gateset(better, gateset=cirq.CZTargetGateset(), context=context)
        self.assertEqual([stage.transformer_name for stage in context.logger._logs][0], "optimize")
        cirq.testing.assert_circuits_with_terminal_measurements_are_equivalent(circuit, better, atol=1e-5)

    def test_what_quartz_does_not_know_is_kept(self):
        matrix = cirq.MatrixGate(cirq.unitary(cirq.X**0.1))
        kept = [
            cirq.measure(A, B, key="pair"),
            cirq.measure(C, key="c").with_tags("mine"),
            cirq.X(A).with_classical_controls("c", sympy.Symbol("pair") > 1),
            matrix(B),
            cirq.depolarize(0.1)(C),
            cirq.reset(D),
            cirq.H(D).with_tags("hands off"),
        ]
        around = [cirq.H(qubit) for qubit in (A, B, C, D)]
        circuit = cirq.Circuit(around, around, kept, around, around)
        context = cirq.TransformerContext(tags_to_ignore=("hands off",))
        better = quartz.cirq.optimize(circuit, context=context, **STEPS)
        self.assertCountEqual(list(better.all_operations()), kept)

    def test_circuits_within_circuits(self):
        inner = cirq.CircuitOperation(cirq.FrozenCircuit(cirq.T(A), cirq.T(A), cirq.CX(A, B), cirq.CX(A, B))).repeat(3)
        circuit = cirq.Circuit(cirq.H(A), inner, cirq.H(B), cirq.H(B))
        shallow = optimized(circuit)
        self.assertCountEqual(list(shallow.all_operations()), [cirq.H(A), inner])
        deep = optimized(circuit, context=cirq.TransformerContext(deep=True), gate_set="clifford_t")
        (operation,) = (each for each in deep.all_operations() if isinstance(each, cirq.CircuitOperation))
        self.assertEqual((operation.circuit, operation.repetitions), (cirq.FrozenCircuit(cirq.S(A)), 3))

    def test_complete_programs(self):
        measured = cirq.measure(A, B, key="pair")
        circuit = cirq.Circuit(cirq.CX(C, A), cirq.H(A), cirq.CX(A, B), measured, cirq.H(A), cirq.CX(C, B))
        better = optimized(circuit, program=True)
        self.assertEqual(list(better.all_operations()), [cirq.H(A), cirq.CX(A, B), measured])
        # Without measurements the state counts, and noise is none.
        circuit = cirq.Circuit(cirq.CX(C, A), cirq.H(A), cirq.depolarize(0.1)(A), cirq.H(A))
        better = optimized(circuit, program=True)
        self.assertEqual(list(better.all_operations()), [cirq.H(A), cirq.depolarize(0.1)(A), cirq.H(A)])

    def test_a_circuit_within_a_program_is_none(self):
        inner = cirq.CircuitOperation(cirq.FrozenCircuit(cirq.CX(A, B), cirq.measure(B, key="b"), cirq.H(A)))
        circuit = cirq.Circuit(cirq.H(A), cirq.CX(A, B), inner, cirq.measure(A, key="a"))
        deep = optimized(circuit, context=cirq.TransformerContext(deep=True), program=True)
        self.assertEqual(deep, circuit)

    def test_measurements_stay_on_their_keys(self):
        for seed in range(3):
            circuit = random_circuit(20, 3, seed)
            circuit.append([cirq.measure(C, key="z"), cirq.measure(A, B, key="y")])
            better = optimized(circuit, gate_set="nam")
            left, right = (quartz.cirq.from_cirq(each, [A, B, C]) for each in (circuit, better))
            self.assertEqual(left.bit_registers, right.bit_registers)
            self.assertTrue(quartz.check(left, right))

    def test_a_circuit_without_gates_stays(self):
        circuit = cirq.FrozenCircuit(cirq.measure(A))
        self.assertEqual(optimized(circuit), circuit.unfreeze())

    def test_bad_arguments_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            optimized(random_circuit(5, 2, 1), barriers="sometimes")
        with self.assertRaisesRegex(quartz.UsageError, "permutation is 'free', but"):
            optimized(random_circuit(5, 2, 1), permutation="free")


if __name__ == "__main__":
    unittest.main()

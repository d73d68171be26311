"""quartz.qiskit.from_qiskit: what quartz.check says of converted circuits is true of the circuits of Qiskit."""

import itertools
import math
import unittest

import quartz
from every_gate import every_gate

try:
    import quartz.qiskit
    from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
    from qiskit.circuit import Clbit, Gate, Instruction, Parameter, ParameterVector, Qubit
    from qiskit.circuit.classical import expr, types
    from qiskit.circuit.library import PermutationGate
    from qiskit.quantum_info import Operator
except ImportError as error:
    raise unittest.SkipTest(f"Qiskit is not installed: {error}")


def circuit_of(add, qubits=2, bits=2):
    """Returns a circuit that a function adds to, after measurements of qubits in no known state."""
    circuit = QuantumCircuit(qubits, bits)
    circuit.h(range(qubits))
    circuit.measure(range(bits), range(bits))
    add(circuit)
    return circuit


def if_test(condition, true, false=None):
    def add(circuit):
        with circuit.if_test(condition(circuit)) as otherwise:
            getattr(circuit, true)(1)
        if false is not None:
            with otherwise:
                getattr(circuit, false)(1)

    return add


def for_loop(count):
    def add(circuit):
        with circuit.for_loop(range(count)):
            circuit.x(0)

    return add


def turning_loop(values):
    def add(circuit):
        with circuit.for_loop(values) as step:
            circuit.rx(0.1 * step, 0)

    return add


def while_loop(gate):
    def add(circuit):
        with circuit.while_loop((circuit.clbits[0], 1)):
            getattr(circuit, gate)(0)
            circuit.measure(0, 0)

    return add


def switch(first, other):
    def add(circuit):
        with circuit.switch(circuit.cregs[0]) as case:
            with case(0, 3):
                getattr(circuit, first)(1)
            with case(case.DEFAULT):
                getattr(circuit, other)(1)

    return add


def verdict(left, right):
    return quartz.check(quartz.qiskit.from_qiskit(left), quartz.qiskit.from_qiskit(right)).verdict


class Comparisons(unittest.TestCase):
    def require_difference(self, left, right, *same):
        left, right = circuit_of(left), circuit_of(right)
        self.assertIn(verdict(left, right), ("not equal", "undecided"))
        self.assertEqual(verdict(left, left.copy()), "equal")
        for each in same:
            self.assertIn(verdict(left, circuit_of(each)), ("equal", "equal up to global phase"))

    def test_conditions(self):
        def bit(circuit):
            return circuit.clbits[0], 1

        def zero(circuit):
            return circuit.clbits[0], 0

        def register(circuit):
            return circuit.cregs[0], 2

        self.require_difference(if_test(bit, "x"), if_test(bit, "z"))
        self.require_difference(if_test(bit, "x"), if_test(zero, "x"))
        self.require_difference(if_test(bit, "x"), if_test(register, "x"))
        self.require_difference(if_test(bit, "x", "z"), if_test(bit, "x", "y"), if_test(zero, "z", "x"))
        self.require_difference(if_test(register, "x", "h"), if_test(register, "x"))

    def test_expressions_of_bits(self):
        def either(circuit):
            return expr.logic_or(circuit.clbits[0], circuit.clbits[1])

        def neither(circuit):
            return expr.logic_not(expr.bit_or(*circuit.clbits))

        def above_zero(circuit):
            return expr.greater(circuit.cregs[0], 0)

        def as_truth(circuit):
            return expr.cast(circuit.cregs[0], types.Bool())

        self.require_difference(if_test(either, "x", "z"), if_test(neither, "x", "z"), if_test(neither, "z", "x"))
        self.require_difference(if_test(above_zero, "x"), if_test(neither, "x"), if_test(as_truth, "x"), if_test(either, "x"))

    def test_loops(self):
        self.require_difference(for_loop(1), for_loop(2), lambda circuit: circuit.x(0))
        self.require_difference(turning_loop(range(3)), turning_loop(range(4)), turning_loop((2, 1, 0)))
        self.require_difference(while_loop("x"), while_loop("h"))

    def test_switches(self):
        self.require_difference(switch("x", "z"), switch("z", "x"))

    def test_delays(self):
        def delay(duration, unit):
            return lambda circuit: circuit.delay(duration, 0, unit)

        self.require_difference(delay(1, "ns"), delay(100, "ns"), delay(1000, "ps"))
        self.require_difference(delay(100, "ns"), delay(100, "dt"), delay(0.1, "us"))

    def test_initializations(self):
        def initialize(state):
            return lambda circuit: circuit.initialize(state, [0, 1])

        self.require_difference(initialize("00"), initialize("11"))

    def test_outcomes_are_in_their_bits(self):
        left, right = QuantumCircuit(2, 2), QuantumCircuit(2, 2)
        left.measure([0, 1], [0, 1])
        right.measure([0, 1], [1, 0])
        self.assertEqual(verdict(left, right), "not equal")

    def test_composite_instructions(self):
        def composite(gate):
            inner = QuantumCircuit(1, 1)
            getattr(inner, gate)(0)
            inner.measure(0, 0)
            return lambda circuit: circuit.append(inner.to_instruction(), [1], [0])

        self.require_difference(composite("x"), composite("h"))

    def test_boxes(self):
        def box(gate):
            def add(circuit):
                with circuit.box():
                    getattr(circuit, gate)(0)

            return add

        self.require_difference(box("x"), box("h"))

    def test_parameters_are_known_by_their_names(self):
        first, second = Parameter("θ"), Parameter("φ")
        left, right, same = QuantumCircuit(1), QuantumCircuit(1), QuantumCircuit(1)
        for circuit, parameters in ((left, (first, second)), (right, (second, first)), (same, (Parameter("θ"), second))):
            circuit.rx(parameters[0], 0)
            circuit.rz(parameters[1], 0)
        self.assertEqual(verdict(left, right), "not equal")
        self.assertEqual(verdict(left, same), "equal")
        alone = [QuantumCircuit(1), QuantumCircuit(1)]
        alone[0].rx(first, 0)
        alone[1].rx(second, 0)
        self.assertEqual(verdict(*alone), "not equal")

    def test_expressions_of_parameters(self):
        a, b = Parameter("a"), Parameter("b")

        def turned(angle):
            circuit = QuantumCircuit(1)
            circuit.rx(angle, 0)
            return circuit

        self.assertNotEqual(verdict(turned(a * b), turned(a / b)), "equal")
        self.assertEqual(verdict(turned(a * b + 1), turned(a * b + 1)), "equal")
        self.assertNotEqual(verdict(turned(a.arcsin()), turned(a.sin())), "equal")
        with self.assertRaisesRegex(quartz.UsageError, r"does not understand the expression abs\(a\)"):
            quartz.qiskit.from_qiskit(turned(abs(a)))

    def test_nested_blocks_are_on_the_right_bits(self):
        body = QuantumCircuit(2, 2)
        inner = QuantumCircuit(1)
        inner.x(0)
        body.if_test((body.clbits[1], 1), inner, [0], [])
        left, right = QuantumCircuit(2, 2), QuantumCircuit(2, 2)
        for circuit, qubits, clbits in ((left, [1, 0], [1, 0]), (right, [0, 1], [0, 1])):
            circuit.h([0, 1])
            circuit.measure([0, 1], [0, 1])
            circuit.for_loop(range(1), None, body, qubits, clbits)
        expected = QuantumCircuit(2, 2)
        expected.h([0, 1])
        expected.measure([0, 1], [0, 1])
        with expected.if_test((expected.clbits[0], 1)):
            expected.x(1)
        self.assertEqual(verdict(left, expected), "equal")
        self.assertEqual(verdict(right, expected), "not equal")


class Forms(unittest.TestCase):
    def test_registers_bits_and_phases(self):
        circuit = QuantumCircuit(
            QuantumRegister(1, "a"), QuantumRegister(2, "b"), ClassicalRegister(1, "m"), global_phase=0.3
        )
        circuit.cx(2, 0)
        circuit.measure(2, 0)
        converted = quartz.qiskit.from_qiskit(circuit)
        self.assertEqual((converted.qubit_registers, converted.bit_registers), ({"a": 1, "b": 2}, {"m": 1}))
        self.assertEqual([each.qubits for each in converted], [(2, 0), (2,)])
        self.assertAlmostEqual(float(converted.global_phase), 0.3)

    def test_loose_and_shared_bits(self):
        bits = [Clbit(), Clbit(), Clbit()]
        circuit = QuantumCircuit([Qubit(), Qubit()], bits, ClassicalRegister(bits=bits[::-1], name="back"))
        circuit.measure([0, 1], [0, 2])
        with circuit.if_test((circuit.cregs[0], 4)):  # the most significant bit of the register is bit 0
            circuit.x(1)
        expected = QuantumCircuit(2, 3)
        expected.measure([0, 1], [0, 2])
        with expected.if_test((expected.cregs[0], 1)):
            expected.x(1)
        self.assertEqual(verdict(circuit, expected), "equal")

    def test_numbers_in_bits_that_are_not_in_order(self):
        def switch(circuit, register):
            with circuit.switch(register) as case:
                with case(1):
                    circuit.x(0)
                with case(4, 6):
                    circuit.y(0)
                with case(case.DEFAULT):
                    circuit.h(0)

        def test(condition):
            def add(circuit, register):
                with circuit.if_test(condition(register)):
                    circuit.x(0)

            return add

        uses = [switch, test(lambda register: expr.less(register, 3)), test(lambda register: expr.equal(register, 4))]
        uses.append(test(lambda register: expr.not_equal(expr.bit_and(register, 6), 4)))
        for order in itertools.permutations(range(3)):
            for number, use in enumerate(uses):
                bits = [Clbit(), Clbit(), Clbit()]
                shared = ClassicalRegister(bits=bits[:2], name="shared")
                given = QuantumCircuit(
                    QuantumRegister(3, "q"), bits, shared, ClassicalRegister(bits=[bits[place] for place in order], name="m")
                )
                expected = QuantumCircuit(3, 3)
                for place in range(3):
                    given.measure(order[place], order[place])
                    expected.measure(order[place], place)
                use(given, given.cregs[1])
                use(expected, expected.cregs[0])
                # The bits are in other places, so that only the qubits are compared.
                for circuit, places in ((given, order), (expected, range(3))):
                    for place in places:
                        circuit.measure(2, place)
                self.assertIn(verdict(given, expected), ("equal", "equal up to global phase"), (order, number))

    def test_permutations(self):
        for pattern in itertools.permutations(range(4)):
            circuit = QuantumCircuit(4)
            circuit.append(PermutationGate(pattern), [3, 1, 0, 2])
            matrix = Operator(circuit).data
            self.assertLess(abs(quartz.qiskit.from_qiskit(circuit).unitary() - matrix).max(), 1e-9, pattern)
        circuit.cx(3, 0)
        better = quartz.qiskit.optimize(circuit, "nam", steps=1000, threads=1)
        self.assertLessEqual(set(better.count_ops()), {"h", "x", "rz", "cx"})
        self.assertLess(abs(Operator(better).data - Operator(circuit).data).max(), 1e-9)

    def test_names_of_parameters(self):
        vector = ParameterVector("x", 2)
        circuit = QuantumCircuit(QuantumRegister(1, "q"))
        circuit.rx(vector[1] + 2 * Parameter("q") + vector[0], 0)
        converted = quartz.qiskit.from_qiskit(circuit)
        self.assertEqual(sorted(converted.parameters), ["q", "x_0_", "x_1_"])
        values = {"q": 0.1, "x_0_": 0.2, "x_1_": 0.4}
        bound = circuit.assign_parameters({each: values[each.name.replace("[", "_").replace("]", "_")] for each in circuit.parameters})
        self.assertLess(abs(converted.unitary(values) - Operator(bound).data).max(), 1e-9)
        other = QuantumCircuit(1)
        other.rx(vector[1] + Parameter("x_1_"), 0)
        with self.assertRaisesRegex(quartz.UsageError, r"'x_1_' and another one would both be x_1_|'x\[1\]' and another one"):
            quartz.qiskit.from_qiskit(other)

    def test_gates_without_a_definition_are_opaque(self):
        def plain(name, angle):
            circuit = QuantumCircuit(2)
            circuit.append(Gate(name, 2, [angle]), [1, 0])
            return circuit

        converted = quartz.qiskit.from_qiskit(plain("mystery", 0.5))
        self.assertEqual([(each.kind, each.name, each.qubits) for each in converted], [("opaque", "mystery", (1, 0))])
        self.assertEqual(verdict(plain("mystery", 0.5), plain("mystery", 0.5)), "equal")
        self.assertNotEqual(verdict(plain("mystery", 0.5), plain("riddle", 0.5)), "equal")
        self.assertNotEqual(verdict(plain("mystery", 0.5), plain("mystery", 0.25)), "equal")
        with self.assertRaisesRegex(quartz.UsageError, "cx of Qiskit"):
            quartz.qiskit.from_qiskit(plain("cx", 0.5))

    def test_there_and_back(self):
        def delays(circuit):
            circuit.delay(100, 0, "dt")
            circuit.delay(0.25, 1, "us")

        circuit = circuit_of(delays)
        again = quartz.qiskit.to_qiskit(quartz.qiskit.from_qiskit(circuit))
        found = [(each.operation.duration, each.operation.unit) for each in again.data if each.name == "delay"]
        self.assertEqual(found, [(100, "dt"), (0.25, "us")])
        self.assertEqual(verdict(circuit, again), "equal")
        with self.assertRaisesRegex(quartz.UsageError, "Qiskit has no operation for the statement while"):
            quartz.qiskit.to_qiskit(quartz.qiskit.from_qiskit(circuit_of(while_loop("x"))))

    def test_every_gate_there_and_back(self):
        for circuit in every_gate():
            converted = quartz.qiskit.to_qiskit(circuit)
            self.assertLess(abs(Operator(converted).data - circuit.unitary()).max(), 1e-9, circuit[0].name)
            again = quartz.qiskit.from_qiskit(converted)
            self.assertLess(abs(again.unitary() - circuit.unitary()).max(), 1e-9, circuit[0].name)
            (gate,) = [each.operation for each in converted.data]
            self.assertLess(abs(Operator(gate.inverse()).data - Operator(gate).data.conj().T).max(), 1e-9, circuit[0].name)

    def test_parameters_of_gates_in_turns(self):
        circuit = quartz.Circuit.from_qasm(
            """OPENQASM 3.0; include "stdgates.inc"; input float a; qubit[2] q;
            gpi(a) q[0]; gpi2(-a/2) q[1]; ms(0.5*a, 2*a, a/4) q[0], q[1];"""
        )
        converted = quartz.qiskit.to_qiskit(circuit)
        self.assertEqual([each.name for each in converted.data], ["gpi", "gpi2", "ms"])
        bound = converted.assign_parameters([0.7])
        self.assertAlmostEqual(bound.data[0].params[0], 0.7 / (2 * math.pi))
        self.assertLess(abs(Operator(bound).data - circuit.unitary({"a": 0.7})).max(), 1e-9)
        self.assertEqual(quartz.check(quartz.qiskit.from_qiskit(converted), circuit).verdict, "equal")

    def test_expressions_there_and_back(self):
        a, b = Parameter("lambda"), Parameter("b")
        values = {a.name: 0.3, b.name: 1.1}
        for angle in (
            *(a * math.pi, a * math.tau, (a + b) / 2 * math.pi, a * (math.pi / 4) + 1),
            *(a * a, a**3 - b / a, a * b * math.pi, 2 * (a * b).exp() - b**0.5, (a / 2).arcsin() + b.arctan()),
            *(a.sin() * math.pi, a.cos() + a.tan() + b.log(), a.arccos()),
        ):
            circuit = QuantumCircuit(1, global_phase=angle)
            circuit.rx(angle, 0)
            again = quartz.qiskit.to_qiskit(quartz.qiskit.from_qiskit(circuit))
            bound = [
                each.assign_parameters({parameter: values[parameter.name] for parameter in each.parameters})
                for each in (circuit, again)
            ]
            self.assertLess(abs(Operator(bound[0]).data - Operator(bound[1]).data).max(), 1e-9, angle)

    def test_what_cannot_be_expressed_is_named(self):
        def store(circuit):
            circuit.store(circuit.clbits[0], expr.lift(True))

        def jump(circuit):
            with circuit.for_loop(range(3)):
                circuit.x(0)
                with circuit.if_test((circuit.clbits[0], 1)):
                    circuit.break_loop()

        class Own(Gate):
            def __init__(self):
                super().__init__("own", 1, [])

        for name, add in (
            ("store", store),
            ("break_loop", jump),
            ("delay", lambda circuit: circuit.delay(Parameter("d"), 0, "dt")),
            ("noise", lambda circuit: circuit.append(Instruction("noise", 1, 0, []), [0])),
            ("own", lambda circuit: circuit.append(Own(), [0])),
            ("shift", lambda circuit: circuit.add_var("shift", expr.lift(True))),
        ):
            with self.subTest(name), self.assertRaisesRegex(quartz.UsageError, f"Quartz has no operation for .*{name} of Qiskit"):
                quartz.qiskit.from_qiskit(circuit_of(add))

    def test_arguments_of_another_type(self):
        with self.assertRaisesRegex(TypeError, r"from_qiskit\(\): circuit is a str, expected a QuantumCircuit"):
            quartz.qiskit.from_qiskit("x q;")


if __name__ == "__main__":
    unittest.main()

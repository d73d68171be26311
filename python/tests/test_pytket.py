"""quartz.pytket, compared with pytket's own unitaries."""

import itertools
import random
import unittest

import numpy

import quartz
from every_gate import ANGLES, distance, every_gate, reversed_bits, with_values

try:
    import pytket
    import sympy
    from pytket.circuit import Bit, CircBox, OpType, ToffoliBox, ToffoliBoxSynthStrat, Unitary1qBox
    from pytket.passes import CommuteThroughMultis, DecomposeBoxes, RemoveRedundancies, SequencePass

    import quartz.pytket
    from quartz.pytket import gates
except ImportError as error:
    raise unittest.SkipTest(f"pytket is not installed: {error}")

STEPS = {"steps": 20000, "threads": 1}


def random_circuit(number, qubits, seed):
    draw = random.Random(seed)
    circuit = pytket.Circuit(qubits).add_phase(0.3)
    for _ in range(number):
        first, second = draw.sample(range(qubits), 2)
        kind = draw.choice([OpType.H, OpType.T, OpType.CX, OpType.CX, OpType.Rz, OpType.Rx, OpType.TK1, OpType.ZZPhase])
        parameters = {OpType.Rz: [0.25], OpType.Rx: [0.3], OpType.TK1: [0.1, 0.5, 1 / 3], OpType.ZZPhase: [0.5]}
        targets = [first, second] if kind in (OpType.CX, OpType.ZZPhase) else [first]
        circuit.add_gate(kind, parameters.get(kind, []), targets)
    return circuit


def optimized(circuit, gate_set="auto", **options):
    better = circuit.copy()
    quartz.pytket.QuartzPass(gate_set, **STEPS, **options).apply(better)
    return better


def names(circuit):
    return [command.op.type.name for command in circuit.get_commands()]


def every_pytket_gate():
    """Yields a circuit for each gate of the adapter's tables."""
    for name in [*gates._TEMPLATES, *gates._CONTROLLED]:
        for size in (0,) if name == "Phase" else (4, 3, 2, 1):
            for parameters in (ANGLES[:3], ANGLES[:2], ANGLES[:1], []):
                circuit = pytket.Circuit(max(size, 1))
                try:
                    circuit.add_gate(getattr(OpType, name), parameters, list(range(size)))
                except (RuntimeError, ValueError, IndexError):
                    continue
                yield name, circuit


class Conversions(unittest.TestCase):
    def test_every_gate_of_the_tables_has_the_same_matrix(self):
        found = set()
        for name, circuit in every_pytket_gate():
            found.add(name)
            converted = quartz.pytket.from_pytket(circuit)
            self.assertLess(distance(converted.unitary(), reversed_bits(circuit.get_unitary())), 1e-9, name)
        self.assertEqual(found, {*gates._TEMPLATES, *gates._CONTROLLED})

    def test_gates_on_any_number_of_qubits(self):
        for size in range(5):
            qubits = random.Random(size).sample(range(4), size)
            for kind, parameters in ((OpType.NPhasedX, [0.13, 0.37]), (OpType.PhaseGadget, [0.71])):
                circuit = pytket.Circuit(4).add_gate(kind, parameters, qubits)
                converted = quartz.pytket.from_pytket(circuit)
                self.assertLess(distance(converted.unitary(), reversed_bits(circuit.get_unitary())), 1e-9, (kind, size))

    def test_permutations_of_basis_states(self):
        draw = random.Random(4)
        for size in (1, 2, 3):
            states = list(itertools.product([False, True], repeat=size))
            for strategy in (ToffoliBoxSynthStrat.Matching, ToffoliBoxSynthStrat.Cycle):
                box = ToffoliBox(dict(zip(states, draw.sample(states, len(states)))), strategy)
                circuit = pytket.Circuit(3).add_gate(box, draw.sample(range(3), size))
                converted = quartz.pytket.from_pytket(circuit)
                self.assertLess(distance(converted.unitary(), reversed_bits(circuit.get_unitary())), 1e-9, (size, strategy))

    def test_every_gate_of_quartz_has_the_same_matrix(self):
        for circuit in every_gate():
            converted = quartz.pytket.to_pytket(circuit)
            self.assertLess(distance(circuit.unitary(), reversed_bits(converted.get_unitary())), 1e-9, circuit[0].name)

    def test_random_circuits_there_and_back(self):
        for seed in range(5):
            circuit = random_circuit(40, 4, seed)
            back = quartz.pytket.to_pytket(quartz.pytket.from_pytket(circuit))
            self.assertLess(distance(circuit.get_unitary(), back.get_unitary()), 1e-9)

    def test_angles_are_exact(self):
        a = sympy.Symbol("a")
        circuit = pytket.Circuit(1).Rz(1 / 3, 0).Rz(sympy.Rational(3, 7), 0).Rz(0.1 + 0.2, 0).Rx(a / 3 + 0.25, 0)
        angles = [gate.parameters[0] for gate in quartz.pytket.from_pytket(circuit)]
        self.assertEqual([str(angle) for angle in angles[:2]], ["pi/3", "3*pi/7"])
        back = quartz.pytket.to_pytket(quartz.pytket.from_pytket(circuit))
        parameters = [command.op.params[0] for command in back.get_commands()]
        self.assertEqual(parameters, [1 / 3, 3 / 7, 0.1 + 0.2, a / 3 + sympy.Rational(1, 4)])

    def test_registers_measurements_and_conditions_are_kept(self):
        circuit = pytket.Circuit()
        left, right = circuit.add_q_register("left", 2), circuit.add_q_register("alpha", 1)
        bits, flag = circuit.add_c_register("bits", 2), circuit.add_c_register("flag", 1)
        circuit.H(left[1]).Measure(left[1], bits[0]).Reset(left[1]).add_barrier([left[0], right[0]])
        circuit.X(right[0], condition_bits=[bits[0], bits[1]], condition_value=2)
        circuit.Rz(0.5, left[0], condition_bits=[flag[0]], condition_value=0)
        converted = quartz.pytket.from_pytket(circuit)
        self.assertEqual(converted.qubit_registers, {"alpha": 1, "left": 2})
        self.assertEqual(converted.bit_registers, {"bits": 2, "flag": 1})
        expected = quartz.Circuit.from_qasm(
            """OPENQASM 3.0; include "stdgates.inc"; qubit[1] alpha; qubit[2] left; bit[2] bits; bit[1] flag;
            h left[1]; bits[0] = measure left[1]; reset left[1]; barrier left[0], alpha[0];
            if (bits == 2) { x alpha[0]; } if (flag == 0) { rz(pi/2) left[0]; }"""
        )
        self.assertTrue(quartz.check(expected, converted))
        for source in (converted, expected):
            self.assertEqual(quartz.pytket.to_pytket(source), circuit)

    def test_names_that_openqasm_does_not_have(self):
        circuit = pytket.Circuit(1).Rz(sympy.Symbol("pi'"), 0).Rx(sympy.Symbol("q") * sympy.Symbol("h"), 0)
        self.assertEqual(quartz.pytket.from_pytket(circuit).parameters, ["h", "pi_", "q"])

    def test_parameters_are_known_by_their_names(self):
        left, right = sympy.symbols("θ φ")
        self.assertFalse(
            quartz.check(*(quartz.pytket.from_pytket(pytket.Circuit(1).Rx(each, 0)) for each in (left, right)))
        )

    def test_what_cannot_be_expressed_is_named(self):
        unitary = pytket.Circuit(1).add_unitary1qbox(Unitary1qBox(numpy.eye(2)), 0)
        classical = pytket.Circuit(1, 2).add_c_setbits([True], [Bit(0)])
        for circuit, name in ((unitary, "Unitary1qBox"), (classical, "SetBits")):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.pytket.from_pytket(circuit)
        for text, name in (("opaque f a; qubit[1] q; f q[0];", "f"), ("qubit[1] q; measure q[0];", "discarded")):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.pytket.to_pytket(quartz.Circuit.from_qasm(f"OPENQASM 3.0; {text}"))


class Symbols(unittest.TestCase):
    def test_they_have_their_names_and_values(self):
        a, b = sympy.symbols("a b")
        circuit = pytket.Circuit(2).Rz(a, 0).CX(0, 1).Rx(a * b - 2 * a / 3, 1).add_phase(b / 2).TK1(a, b, 0.1, 0)
        converted = quartz.pytket.from_pytket(circuit)
        self.assertEqual(set(converted.parameters), {"a", "b"})
        back = quartz.pytket.to_pytket(converted)
        values = {a: 0.31, b: -1.7}
        circuit.symbol_substitution(values)
        back.symbol_substitution(values)
        self.assertLess(distance(with_values(converted, values).unitary(), reversed_bits(circuit.get_unitary())), 1e-9)
        self.assertLess(distance(back.get_unitary(), circuit.get_unitary()), 1e-9)

    def test_messages_name_them(self):
        circuit = pytket.Circuit(1).Rx(sympy.Symbol("theta"), 0)
        with self.assertRaisesRegex(quartz.InputError, r"pi\*theta.* cannot be expressed"):
            quartz.pytket.QuartzPass("clifford_t", time=0.1).apply(circuit)

    def test_expressions_in_gates_that_pytket_does_not_have(self):
        a, b = sympy.symbols("lambda b")
        for text in ("lambda*lambda", "pi*lambda", "sin(lambda)*b", "sqrt(b)+2*lambda/b"):
            circuit = quartz.Circuit.from_qasm(
                f"""OPENQASM 3.0; include "stdgates.inc"; input float lambda; input float b; qubit[2] q;
                cu({text},0.1,0,b) q[0],q[1];"""
            )
            back = quartz.pytket.to_pytket(circuit)
            back.symbol_substitution({a: 0.31, b: 1.7})
            expected = with_values(circuit, {"lambda": 0.31, "b": 1.7}).unitary()
            self.assertLess(distance(reversed_bits(back.get_unitary()), expected), 1e-9, text)

    def test_they_merge_and_come_back(self):
        a, b = sympy.symbols("a b")
        circuit = pytket.Circuit(2).Rz(a + sympy.sin(b), 0).CX(0, 1).CX(0, 1).Rz(a / 2 - sympy.sin(b), 0).H(1)
        better = optimized(circuit)
        self.assertEqual(sorted(names(better)), ["H", "Rz"])
        self.assertEqual(better.free_symbols(), {a})
        draw = random.Random(5)
        for _ in range(3):
            values = {a: draw.uniform(-2, 2), b: draw.uniform(-2, 2)}
            bound = [each.copy() for each in (circuit, better)]
            for each in bound:
                each.symbol_substitution(values)
            self.assertLess(distance(bound[0].get_unitary(), bound[1].get_unitary()), 1e-9)


class Pass(unittest.TestCase):
    def test_results_are_equal_and_cheaper(self):
        for seed, gate_set in enumerate(("auto", "auto", "nam", "quantinuum", "ionq_forte")):
            circuit = random_circuit(40, 4, seed)
            better = optimized(circuit, gate_set)
            self.assertLess(distance(circuit.get_unitary(), better.get_unitary()), 1e-8, gate_set)
            if gate_set == "auto":
                self.assertLess(better.n_gates, circuit.n_gates)
                self.assertLessEqual(set(names(better)), set(names(circuit)) | {"U3"})  # TK1 is a u3

    def test_it_runs_among_other_passes(self):
        circuit = random_circuit(40, 4, 3)
        better = circuit.copy()
        own = quartz.pytket.QuartzPass("nam", **STEPS)
        sequence = SequencePass([DecomposeBoxes(), own, CommuteThroughMultis(), RemoveRedundancies()])
        self.assertTrue(sequence.apply(better))
        self.assertLess(better.n_2qb_gates(), circuit.n_2qb_gates())
        self.assertLess(distance(circuit.get_unitary(), better.get_unitary()), 1e-8)

    def test_what_quartz_does_not_know_is_kept(self):
        circuit = pytket.Circuit(3, 3, "mine")
        circuit.H(0).H(0).Measure(2, 1).Measure(0, 0)
        circuit.X(1, condition_bits=[0, 1], condition_value=1)
        circuit.add_c_and(0, 1, 2)
        circuit.add_unitary1qbox(Unitary1qBox(numpy.diag([1, 1j])), 1)
        circuit.CX(1, 2).CX(1, 2).Reset(2).add_barrier([0, 1])
        inner = pytket.Circuit(2).T(0).T(0).add_phase(0.25)
        circuit.add_circbox(CircBox(inner), [1, 0])
        circuit.qubit_discard(circuit.qubits[0])
        better = optimized(circuit, "clifford_t")
        self.assertEqual((better.name, better.bits), ("mine", circuit.bits))
        self.assertEqual(better.discarded_qubits, circuit.discarded_qubits)
        kinds = ["Measure", "Measure", "Conditional", "ExplicitPredicate", "Unitary1qBox", "Reset", "Barrier", "S"]
        self.assertCountEqual(names(better), kinds)
        classical = [[str(each) for each in given.get_commands() if Bit(0) in each.args] for given in (circuit, better)]
        self.assertEqual(*classical)
        self.assertAlmostEqual(float(better.phase), 0.25)

    def test_measurements_stay_on_their_bits(self):
        for seed in range(3):
            circuit = random_circuit(20, 3, seed)
            for bit, qubit in enumerate((2, 0, 1)):
                circuit.add_bit(Bit(bit))
                circuit.Measure(qubit, bit)
            better = optimized(circuit, "nam")
            self.assertTrue(quartz.check(quartz.pytket.from_pytket(circuit), quartz.pytket.from_pytket(better)))
            self.assertEqual(better.qubit_to_bit_map, circuit.qubit_to_bit_map)

    def test_complete_programs(self):
        circuit = pytket.Circuit(3, 3).CX(2, 0).H(0).CX(0, 1).Measure(0, 0).Measure(1, 1).H(0).CX(2, 1)
        self.assertEqual(names(optimized(circuit, program=True)), ["H", "CX", "Measure", "Measure"])
        # Without measurements the state counts, and classical operations are none.
        circuit = pytket.Circuit(2, 1).CX(0, 1).H(1).add_c_setbits([True], [Bit(0)])
        circuit.X(0, condition=Bit(0)).H(0)
        self.assertCountEqual(names(optimized(circuit, program=True)), ["H", "SetBits", "Conditional", "H"])

    def test_permutations_of_the_wires(self):
        circuit = random_circuit(10, 3, 2)
        circuit.SWAP(0, 1).SWAP(1, 2)
        circuit.replace_SWAPs()
        self.assertTrue(circuit.has_implicit_wireswaps)
        self.assertLess(distance(circuit.get_unitary(), optimized(circuit, "nam").get_unitary()), 1e-8)
        converted = quartz.pytket.from_pytket(circuit)
        self.assertLess(distance(reversed_bits(circuit.get_unitary()), converted.unitary()), 1e-9)

    def test_swaps_can_become_permutations(self):
        for seed in range(3):
            circuit = random_circuit(10, 4, seed).SWAP(0, 1).CX(1, 2).SWAP(2, 3).SWAP(1, 3)
            better = optimized(circuit, "nam", permutation="free")
            self.assertTrue(better.has_implicit_wireswaps)
            self.assertNotIn("SWAP", names(better))
            self.assertLess(distance(circuit.get_unitary(), better.get_unitary()), 1e-8)
        circuit = pytket.Circuit(3, 1).H(0).SWAP(0, 2).Measure(2, 0).Reset(0)
        circuit.add_barrier([0, 1]).X(1, condition=Bit(0)).SWAP(0, 1).CX(0, 1, condition=Bit(0))
        better = optimized(circuit, "nam", permutation="free")
        self.assertTrue(quartz.check(quartz.pytket.from_pytket(circuit), quartz.pytket.from_pytket(better)))
        self.assertEqual(better.n_gates_of_type(OpType.SWAP), 0)

    def test_barriers_can_be_ignored(self):
        circuit = pytket.Circuit(2).H(0)
        circuit.add_barrier([0, 1])
        circuit.H(0).CX(0, 1)
        self.assertEqual(names(optimized(circuit)), ["H", "Barrier", "H", "CX"])
        self.assertEqual(names(optimized(circuit, barriers="ignore")), ["CX"])

    def test_a_circuit_without_gates_stays(self):
        circuit = pytket.Circuit(1, 1).Measure(0, 0)
        self.assertEqual(optimized(circuit), circuit)

    def test_bad_arguments_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            optimized(random_circuit(5, 2, 1), barriers="sometimes")


if __name__ == "__main__":
    unittest.main()

"""quartz.bqskit, compared with BQSKit's own unitaries."""

import asyncio
import cmath
import math
import random
import unittest

import numpy

import quartz
from every_gate import ANGLES, distance, every_gate, reversed_bits

try:
    from bqskit import Circuit
    from bqskit.compiler import Compiler, PassData, Workflow
    from bqskit.ir import gates as g
    from bqskit.passes import ForEachBlockPass, QuickPartitioner, UnfoldPass

    import quartz.bqskit
    from quartz.bqskit import gates
except ImportError as error:
    raise unittest.SkipTest(f"BQSKit is not installed: {error}")

STEPS = {"steps": 20000, "threads": 1}


def unitary(circuit):
    return circuit.get_unitary().numpy


def up_to_phase(left, right):
    """The greatest difference between two unitaries with the same phase."""
    overlap = numpy.vdot(left, right)
    return distance(left * cmath.exp(1j * cmath.phase(overlap)), right)


def random_circuit(number, qubits, seed):
    draw = random.Random(seed)
    circuit = Circuit(qubits)
    for _ in range(number):
        first, second = draw.sample(range(qubits), 2)
        gate, parameters = draw.choice(
            [
                (g.HGate(), []),
                (g.TGate(), []),
                (g.CNOTGate(), []),
                (g.CNOTGate(), []),
                (g.U3Gate(), [0.1, math.pi / 2, 0.3]),
                (g.RZGate(), [math.pi / 4]),
                (g.RZZGate(), [math.pi / 2]),
            ]
        )
        circuit.append_gate(gate, [first, second][: gate.num_qudits], parameters)
    return circuit


def optimized(circuit, gate_set="auto", **options):
    better = circuit.copy()
    asyncio.run(quartz.bqskit.QuartzPass(gate_set, **STEPS, **options).run(better, PassData(better)))
    return better


def names(circuit):
    return [operation.gate.name for operation in circuit]


def some_gates():
    """Yields gates of the table, and gates that are made from others."""
    for gate in gates._TEMPLATES:
        yield gate()
    block = Circuit(2)
    block.append_gate(g.U3Gate(), [0], [0.1, 0.2, 0.3])
    block.append_gate(g.CNOTGate(), [1, 0])
    yield g.CircuitGate(block)
    yield g.DaggerGate(g.U3Gate())
    yield g.PowerGate(g.TGate(), 3)
    yield g.PowerGate(g.CSGate(), -2)
    yield g.ControlledGate(g.RYGate(), 2, control_levels=[0, 1])
    yield g.FrozenParameterGate(g.U3Gate(), {1: 0.4})
    yield g.TaggedGate(g.RXGate(), "mine")
    yield g.IdentityGate(2)


class Conversions(unittest.TestCase):
    def test_every_gate_of_bqskit_has_the_same_matrix(self):
        for gate in some_gates():
            circuit = Circuit(gate.num_qudits)
            circuit.append_gate(gate, list(reversed(range(gate.num_qudits))), ANGLES[: gate.num_params])
            converted = quartz.bqskit.from_bqskit(circuit)
            self.assertLess(distance(reversed_bits(unitary(circuit)), converted.unitary()), 1e-9, gate.name)

    def test_every_gate_of_quartz_has_the_same_matrix(self):
        for circuit in every_gate():
            converted = quartz.bqskit.to_bqskit(circuit)
            self.assertLess(up_to_phase(circuit.unitary(), reversed_bits(unitary(converted))), 1e-9, circuit[0].name)

    def test_random_circuits_there_and_back(self):
        for seed in range(5):
            circuit = random_circuit(40, 4, seed)
            back = quartz.bqskit.to_bqskit(quartz.bqskit.from_bqskit(circuit))
            self.assertLess(distance(unitary(circuit), unitary(back)), 1e-9)
            self.assertEqual(names(circuit), names(back))

    def test_angles_are_exact(self):
        circuit = Circuit(1)
        circuit.append_gate(g.RZGate(), [0], [math.pi / 3])
        circuit.append_gate(g.RXGate(), [0], [0.7])
        converted = quartz.bqskit.from_bqskit(circuit)
        self.assertEqual([str(angle) for gate in converted for angle in gate.parameters], ["pi/3", "0.7"])
        self.assertEqual(
            [each.params for each in quartz.bqskit.to_bqskit(converted)], [each.params for each in circuit]
        )

    def test_measurements_resets_and_barriers_are_kept(self):
        text = """OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[2]; creg d[1];
        h q[0]; reset q[1]; barrier q[0],q[2]; measure q[2] -> c[0]; measure q[0] -> d[0]; h q[0];
        measure q[0] -> c[1];"""
        circuit = quartz.Circuit.from_qasm(text)
        converted = quartz.bqskit.to_bqskit(circuit)
        self.assertCountEqual(names(converted), ["HGate", "Reset", "barrier", "measurement", "HGate", "measurement"])
        back = quartz.bqskit.from_bqskit(converted)
        self.assertEqual(list(back.bit_registers.items()), [("c", 2), ("d", 1)])
        self.assertTrue(quartz.check(circuit, back))

    def test_what_cannot_be_expressed_is_named(self):
        circuit = Circuit(1)
        circuit.append_gate(g.ConstantUnitaryGate(numpy.eye(2)), [0])
        with self.assertRaisesRegex(quartz.UsageError, "ConstantUnitaryGate"):
            quartz.bqskit.from_bqskit(circuit)
        with self.assertRaisesRegex(quartz.UsageError, "qudits"):
            quartz.bqskit.from_bqskit(Circuit(1, [3]))
        for body, name in (
            ("input float a; qubit[1] q; rz(a) q[0];", "a"),
            ("qubit[1] q; bit[1] c; c[0] = measure q[0]; if (c[0]) { x q[0]; }", "condition"),
            ("opaque f a; qubit[1] q; f q[0];", "f"),
            ("qubit[1] q; measure q[0];", "discarded"),
        ):
            with self.assertRaisesRegex(quartz.UsageError, name):
                quartz.bqskit.to_bqskit(quartz.Circuit.from_qasm(f"OPENQASM 3.0; {body}"))


class Pass(unittest.TestCase):
    def test_results_are_equal_and_cheaper(self):
        for seed, gate_set in enumerate(("auto", "auto", "nam", "ibm_heron", "ionq_forte")):
            circuit = random_circuit(40, 4, seed)
            better = optimized(circuit, gate_set)
            self.assertLess(up_to_phase(unitary(circuit), unitary(better)), 1e-8, gate_set)
            if gate_set == "auto":
                self.assertLess(better.num_operations, circuit.num_operations)
                self.assertLessEqual(set(names(better)), set(names(circuit)))

    def test_it_runs_in_a_workflow(self):
        circuit = random_circuit(40, 4, 3)
        own = quartz.bqskit.QuartzPass("ibm_u", **STEPS)
        workflow = Workflow([QuickPartitioner(3), ForEachBlockPass([own]), UnfoldPass(), own])
        with Compiler(num_workers=1) as compiler:
            better, data = compiler.compile(circuit, workflow, request_data=True)
        self.assertLess(up_to_phase(unitary(circuit), unitary(better)), 1e-8)
        self.assertLess(better.num_operations, circuit.num_operations)
        self.assertEqual(list(data.final_mapping), [0, 1, 2, 3])

    def test_what_quartz_does_not_know_is_kept(self):
        circuit = Circuit(3, [2, 2, 3])
        for gate, location in (
            (g.HGate(), [0]),
            (g.HGate(), [0]),
            (g.ShiftGate(3), [2]),
            (g.ConstantUnitaryGate(numpy.diag([1, 1j])), [0]),
            (g.TaggedGate(g.HGate(), "mine"), [1]),
            (g.BarrierPlaceholder(2), [0, 1]),
            (g.Reset(), [1]),
            (g.CNOTGate(), [0, 1]),
            (g.CNOTGate(), [0, 1]),
            (g.MeasurementPlaceholder([("c", 2)], {0: ("c", 1), 1: ("c", 0)}), [0, 1]),
        ):
            circuit.append_gate(gate, location)
        better = optimized(circuit)
        kept = [each for each in circuit if each.gate.name not in ("HGate", "CNOTGate")]
        self.assertCountEqual(
            [(each.gate, each.location) for each in better], [(each.gate, each.location) for each in kept]
        )
        self.assertEqual(better.radixes, circuit.radixes)

    def test_measurements_stay_on_their_bits(self):
        for seed in range(3):
            circuit = random_circuit(20, 3, seed)
            places = {2: ("c", 0), 0: ("d", 0), 1: ("c", 1)}
            circuit.append_gate(g.MeasurementPlaceholder([("c", 2), ("d", 1)], places), list(places))
            better = optimized(circuit, "nam")
            self.assertTrue(quartz.check(quartz.bqskit.from_bqskit(circuit), quartz.bqskit.from_bqskit(better)))

    def test_complete_programs(self):
        circuit = Circuit(3)
        for gate, location in (
            (g.CNOTGate(), [2, 0]),
            (g.HGate(), [0]),
            (g.CNOTGate(), [0, 1]),
            (g.MeasurementPlaceholder([("c", 2)], {0: ("c", 0), 1: ("c", 1)}), [0, 1]),
            (g.HGate(), [0]),
        ):
            circuit.append_gate(gate, location)
        self.assertEqual(names(optimized(circuit, program=True)), ["HGate", "CNOTGate", "measurement"])
        circuit = Circuit(2)
        circuit.append_gate(g.CNOTGate(), [0, 1])
        circuit.append_gate(g.HGate(), [0])
        self.assertEqual(names(optimized(circuit, program=True)), ["HGate"])

    def test_barriers_can_be_ignored(self):
        circuit = Circuit(2)
        for gate, location in (
            (g.HGate(), [0]),
            (g.BarrierPlaceholder(2), [0, 1]),
            (g.HGate(), [0]),
            (g.CNOTGate(), [0, 1]),
        ):
            circuit.append_gate(gate, location)
        self.assertEqual(names(optimized(circuit)), ["HGate", "barrier", "HGate", "CNOTGate"])
        self.assertEqual(names(optimized(circuit, barriers="ignore")), ["CNOTGate"])

    def test_a_circuit_without_gates_stays(self):
        self.assertEqual(optimized(Circuit(2)), Circuit(2))

    def test_bad_arguments_are_refused(self):
        with self.assertRaises(quartz.UsageError):
            optimized(random_circuit(5, 2, 1), barriers="sometimes")
        with self.assertRaisesRegex(quartz.UsageError, "permutation is 'free', but"):
            optimized(random_circuit(5, 2, 1), permutation="free")


if __name__ == "__main__":
    unittest.main()

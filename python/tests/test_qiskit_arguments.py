"""Arguments of quartz.qiskit: what is wrong is said where it is given, and bodies of control flow are in the gate set."""

import re
import unittest
import warnings

import quartz

try:
    import quartz.qiskit
    from qiskit import QuantumCircuit, transpile
    from qiskit.circuit.library import RXGate
    from qiskit.providers.fake_provider import GenericBackendV2
    from qiskit.transpiler import PassManager
except ImportError as error:
    raise unittest.SkipTest(f"Qiskit is not installed: {error}")

STEPS = {"steps": 2000, "threads": 1}


class Arguments(unittest.TestCase):
    def test_settings(self):
        for name, value, error, expected in (
            ("cost", "foo", quartz.UsageError, "a list of two-qubit, total"),
            ("cost", "total,foo", quartz.UsageError, "a list of two-qubit, total"),
            ("cost", 5, TypeError, "a list of two-qubit, total"),
            ("cost", ["total", 5], TypeError, "a list of two-qubit, total"),
            ("cost", [], quartz.UsageError, "a list of two-qubit, total"),
            ("cost", ["total", "foo"], quartz.UsageError, "a list of two-qubit, total"),
            ("time", -1, quartz.UsageError, "a number of seconds, 0 or more"),
            ("time", "3", TypeError, "a number of seconds, 0 or more"),
            ("threads", -3, quartz.UsageError, "a number of threads"),
            ("steps", 0, quartz.UsageError, "a whole number, 1 or more"),
            ("seed", 0.5, TypeError, "a whole number"),
            ("permutation", "foo", quartz.UsageError, "'keep' or 'free'"),
            ("barriers", "foo", quartz.UsageError, "'keep' or 'ignore'"),
            ("program", "no", TypeError, "True or False"),
        ):
            with self.subTest(name=name, value=value):
                with self.assertRaisesRegex(error, rf"settings\(\): {name} is {expected}.*, not {re.escape(repr(value))}"):
                    quartz.qiskit.settings(**{name: value})  # not only where a block begins
                with self.assertRaisesRegex(error, rf"QuartzOptimization\(\): {name} is {expected}"):
                    quartz.qiskit.QuartzOptimization(GenericBackendV2(2, seed=1).target, **{name: value})

    def test_settings_that_are_right(self):
        with quartz.qiskit.settings(time=0, cost="t,errors,two-qubit-depth", seed=0, threads=0, steps=1) as chosen:
            self.assertEqual(chosen.threads, 0)

    def test_costs_and_lists_of_them(self):
        backend = GenericBackendV2(3, basis_gates=["cz", "rz", "sx", "x"], seed=1)
        circuit = QuantumCircuit(3)
        for _ in range(3):
            circuit.cz(0, 1)
        circuit.rz(0.5, 2)
        gate_set = quartz.GateSet.load("ibm_eagle")
        by_name = quartz.Cost.load("two-qubit,total", gate_set)
        for cost in (by_name, [by_name], ["two-qubit", quartz.Cost.load("total", gate_set)], ("two-qubit", "errors")):
            with self.subTest(cost=cost):
                optimization = quartz.qiskit.QuartzOptimization(backend.target, cost=cost, **STEPS)
                better = PassManager([optimization]).run(circuit)
                self.assertEqual(better.count_ops()["cz"], 1)
                with quartz.qiskit.settings(cost=cost, **STEPS):
                    compiled = transpile(circuit, backend, optimization_method="quartz", optimization_level=3)
                self.assertEqual(compiled.num_nonlocal_gates(), 1)

    def test_circuits_and_gate_sets_of_another_type(self):
        circuit, backend = QuantumCircuit(1), GenericBackendV2(2, seed=1)
        for arguments, message in (
            (([circuit, circuit], "nam"), "circuit is a list, expected a QuantumCircuit of Qiskit; call it for each"),
            (("x q;", "nam"), "circuit is a str, expected a QuantumCircuit of Qiskit"),
            ((None, "nam"), "circuit is a NoneType, expected a QuantumCircuit of Qiskit"),
            ((circuit, backend), "gate_set is a .*GenericBackendV2, expected a quartz.GateSet.*transpile.circuit, backend"),
            ((circuit, backend.target), "gate_set is a .*Target, expected a quartz.GateSet.*transpile.circuit, backend"),
            ((circuit, ["rz", "cz"]), "gate_set is a list, expected a quartz.GateSet.*basis_gates"),
            ((circuit, 5), "gate_set is an int, expected a quartz.GateSet"),
        ):
            with self.subTest(message), self.assertRaisesRegex(TypeError, message):
                quartz.qiskit.optimize(*arguments)
        with self.assertRaisesRegex(TypeError, "quartz.qiskit.from_qiskit converts them"):
            quartz.check(circuit, circuit)
        with self.assertRaisesRegex(TypeError, "target is a .*GenericBackendV2, expected a Target"):
            quartz.qiskit.QuartzOptimization(backend)

    def test_pairs_are_by_the_numbers_of_the_circuit(self):
        circuit = QuantumCircuit(3)
        circuit.h(2)
        circuit.cx(2, 1)
        better = quartz.qiskit.optimize(circuit, coupling=[(2, 1)], **STEPS)
        self.assertEqual(better.count_ops()["cx"], 1)


class Bodies(unittest.TestCase):
    def circuit(self, add):
        circuit = QuantumCircuit(2, 1)
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((0, 1)) as otherwise:
            add(circuit)
        with otherwise, circuit.for_loop(range(2)):
            circuit.h(1)
            circuit.s(1)
            circuit.h(1)
        return circuit

    def test_they_are_optimized_for_the_gate_set(self):
        def add(circuit):
            for _ in range(2):
                circuit.h(1)
            circuit.rx(0.3, 1)

        circuit = self.circuit(add)
        for options in (STEPS, {"time": 0.1}):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                better = quartz.qiskit.optimize(circuit, "ibm_heron", **options)
            (operation,) = (each.operation for each in better.data if each.name == "if_else")
            loop = operation.blocks[1].data[0].operation
            self.assertLessEqual(set(operation.blocks[0].count_ops()), {"rz", "sx", "x"})
            self.assertLessEqual(set(loop.blocks[0].count_ops()), {"rz", "sx", "x"})
            self.assertTrue(quartz.check(*(quartz.qiskit.from_qiskit(each) for each in (circuit, better))))

    def test_a_body_that_stays_is_named(self):
        circuit = self.circuit(lambda circuit: circuit.append(RXGate(0.3), [1]))
        with self.assertWarnsRegex(RuntimeWarning, "a body of the operation if_else is left as it is.*epsilon does not apply") as caught:
            better = quartz.qiskit.optimize(circuit, "clifford_t", epsilon=1e-2, **STEPS)
        self.assertEqual(caught.filename, __file__)
        self.assertTrue(quartz.check(*(quartz.qiskit.from_qiskit(each) for each in (circuit, better))))
        with self.assertWarnsRegex(RuntimeWarning, "if_else is left as it is.*coupling map"):
            quartz.qiskit.optimize(circuit, coupling=[(0, 1)], **STEPS)


if __name__ == "__main__":
    unittest.main()

"""Objects that travel to other processes."""

import copy
import json
import multiprocessing
import pickle
import tempfile
import unittest

import quartz

import sample_circuits as circuits

#: Gates of a set of its own: by a matrix, by a body, and one that consists of the other.
GATE_SET = {
    "format": "quartz-gate-set",
    "version": 1,
    "name": "pickled",
    "gates": [
        {"gate": "h"},
        {"gate": "cx"},
        {"gate": "rz"},
        {"gate": "pickled_root", "qubits": 1, "matrix": [[1, 0], [0, "exp(i*pi/4)"]]},
        {"gate": "gate pickled_pair a, b { pickled_root a; cx a, b; }"},
    ],
    "alphabet": {"parameters": 1, "expressions": ["p0"]},
}


def description(value):
    """Returns a text about a value that another process computes from its pickle."""
    if isinstance(value, quartz.Circuit):
        return value.to_qasm(version=3) + value.inverse().to_qasm(version=3)
    if isinstance(value, quartz.GateSet):
        return f"{value.name} {value.gates} {value.digest}"
    if isinstance(value, quartz.CouplingMap):
        return f"{value.pairs} {value.directed}"
    if isinstance(value, quartz.RuleSet):
        return f"{value.gate_set} {value.gate_set_digest} {value.rule_count} {value.circuit_count}"
    return str(value)


def optimized(task):
    circuit, gate_set, coupling, rules = task
    return quartz.optimize(circuit, gate_set, steps=1000, threads=1, coupling=coupling, rules=rules)


class Pickling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A process that knows neither the gates nor the circuits of this one.
        cls.pool = multiprocessing.get_context("spawn").Pool(1)
        cls.gate_set = quartz.GateSet.parse(json.dumps(GATE_SET))
        cls.coupling = quartz.CouplingMap([(1, 0), (1, 2)], directed=True)
        with tempfile.TemporaryDirectory() as folder:
            cls.rules = quartz.generate(cls.gate_set, gates=2, qubits=2, checkpoint=folder).rules

    @classmethod
    def tearDownClass(cls):
        cls.pool.terminate()
        cls.pool.join()

    def require_same_elsewhere(self, *values):
        self.assertEqual(self.pool.map(description, values), [description(value) for value in values])
        for value in values:
            for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
                self.assertEqual(description(again), description(value))

    def test_circuits(self):
        self.require_same_elsewhere(quartz.Circuit.from_qasm(circuits.PARAMETRIZED), quartz.Circuit(2).h(0).cx(0, 1))

    def test_circuits_with_custom_gates(self):
        circuit = quartz.Circuit(2).h(0).append("pickled_pair", [0, 1], gate_set=self.gate_set)
        circuit.append("pickled_root", [1], gate_set=self.gate_set)
        self.require_same_elsewhere(circuit, circuit.inverse())
        self.assertEqual(pickle.loads(pickle.dumps(circuit)), circuit)

    def test_circuits_with_different_gates_of_one_name(self):
        definition = dict(GATE_SET, gates=[*GATE_SET["gates"][:3], {"gate": "gate pickled_root a { h a; rz(pi/8) a; }"}])
        other_set = quartz.GateSet.parse(json.dumps(definition))
        one = quartz.Circuit(1).append("pickled_root", [0], gate_set=self.gate_set)
        other = quartz.Circuit(1).append("pickled_root", [0], gate_set=other_set)
        self.assertNotEqual(one, other)
        self.require_same_elsewhere(one, other, one)
        for circuit in (one, other):
            self.assertEqual(pickle.loads(pickle.dumps(circuit)), circuit)

    def test_gate_sets(self):
        self.require_same_elsewhere(self.gate_set, quartz.GateSet.load("nam"))

    def test_coupling_maps(self):
        undirected = quartz.CouplingMap([(3, 1), (1, 0)])
        self.require_same_elsewhere(self.coupling, undirected)
        self.assertEqual(pickle.loads(pickle.dumps(self.coupling)), self.coupling)
        self.assertNotEqual(self.coupling, undirected)

    def test_rule_sets_with_custom_gates(self):
        self.assertGreater(self.rules.rule_count, 0)
        self.require_same_elsewhere(self.rules, quartz.RuleSet.bundled(quartz.GateSet.load("nam")))

    def test_calls_in_other_processes(self):
        circuit = quartz.Circuit(3).append("pickled_root", [0], gate_set=self.gate_set).h(1).h(1)
        task = (circuit, self.gate_set, quartz.CouplingMap([(0, 1)]), self.rules)
        (result,) = self.pool.map(optimized, [task])
        self.assertEqual([each.name for each in result.circuit], ["pickled_root"])
        self.assertTrue(result.checked)
        self.assertEqual(result.circuit, optimized(task).circuit)


if __name__ == "__main__":
    unittest.main()

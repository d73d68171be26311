"""Objects that travel to other processes."""

import concurrent.futures
import copy
import json
import multiprocessing
import pathlib
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


#: Weights of its gates, one of them on two qubits only, and a default.
WEIGHTS = {
    "format": "quartz-cost",
    "version": 1,
    "name": "pickled_weights",
    "gates": [
        {"gate": "pickled_pair", "weight": 0.125},
        {"gate": "pickled_root", "weight": 3},
        {"gate": "cx", "weight": 1.7},
        {"gate": "cx", "qubits": [1, 0], "weight": 0.001},
    ],
    "default": 0.1,
}

DURATIONS = {
    "format": "quartz-cost",
    "version": 1,
    "name": "pickled_durations",
    "durations": True,
    "gates": [{"gate": "h", "duration_ns": 35.5}, {"gate": "measure", "duration_ns": 700}],
    "default": 50,
}

def calibration(gate, qubits, error, nanoseconds):
    """Returns the entry of a gate in the properties of a Qiskit backend."""
    values = [("gate_error", "", error), ("gate_length", "ns", nanoseconds)]
    parameters = [{"name": name, "unit": unit, "value": value} for name, unit, value in values]
    return {"gate": gate, "qubits": qubits, "parameters": parameters}


DEVICE = {
    "backend_name": "pickled",
    "qubits": [[], []],
    "gates": [
        calibration("rz", [0], 0, 0),
        calibration("sx", [0], 2e-4, 40),
        calibration("sx", [1], 3e-4, 40),
        calibration("cz", [0, 1], 4.5e-3, 80),
    ],
}


def description(value):
    """Returns a text about a value that another process computes from its pickle."""
    if isinstance(value, quartz.Circuit):
        return value.to_qasm(version=3) + value.inverse().to_qasm(version=3)
    if isinstance(value, quartz.GateSet):
        return f"{value.name} {value.gates} {value.digest}"
    if isinstance(value, quartz.CouplingMap):
        return f"{value.pairs} {value.directed}"
    if isinstance(value, quartz.Backend):
        circuit = quartz.Circuit(2).rz(0.3, 0).sx(0).cz(0, 1)
        costs = [cost and cost.values(circuit) for cost in (value.error, value.duration)]
        coupling = value.coupling and description(value.coupling)
        try:
            gate_set = value.gate_set_name()
        except quartz.UsageError as error:
            gate_set = str(error)
        return f"{value!r} {value.gates} {value.qubits} {coupling} {gate_set} {costs}"
    if isinstance(value, quartz.RuleSet):
        return f"{value.gate_set} {value.gate_set_digest} {value.rule_count} {value.circuit_count}"
    if isinstance(value, tuple):
        cost, circuit = value
        return f"{cost.name} {cost.values(circuit)}"
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

    def test_costs(self):
        circuit = quartz.Circuit(2, 1).h(0).t(0).cx(0, 1).cx(1, 0).rz(0.3, 1).measure(0, 0)
        gate_set = quartz.GateSet.load("nam")
        durations = quartz.Cost.parse(json.dumps(DURATIONS))
        named = quartz.Cost.load("t,two-qubit,depth,total", gate_set)
        file = quartz.Cost.load(str(pathlib.Path(quartz.costs.bundled()["ibm_heron_errors"])), quartz.GateSet.load("ibm_heron"))
        self.require_same_elsewhere(
            (named, circuit),
            (durations, circuit),
            (quartz.Cost.join([durations, quartz.Cost.load("two-qubit", gate_set)]), circuit),
            (file, quartz.Circuit(2).rz(0.3, 0).sx(0).cz(0, 1)),
        )

    def test_costs_of_devices(self):
        device = quartz.Backend.parse(json.dumps(DEVICE))
        circuit = quartz.Circuit(2).rz(0.3, 0).sx(0).cz(0, 1)
        self.assertGreater(device.error.values(circuit)["error"], 0)
        self.require_same_elsewhere((device.error, circuit), (device.duration, circuit))
        self.require_same_elsewhere((quartz.Cost.join([device.error, device.duration]), circuit))

    def test_devices(self):
        with_costs = quartz.Backend.parse(json.dumps(DEVICE))
        self.assertIn("no bundled gate set", description(with_costs))
        directed = [{"gate": gate, "qubits": qubits, "parameters": []}
                    for gate, qubits in (("rz", [0]), ("sx", [0]), ("x", [0]), ("ecr", [1, 0]))]  # fmt: skip
        without_costs = quartz.Backend.parse(json.dumps({"backend_name": "own", "qubits": [[], []], "gates": directed}))
        self.assertIn("[(1, 0)] True ibm_eagle", description(without_costs))
        self.require_same_elsewhere(with_costs, without_costs)

    def test_costs_of_custom_gates(self):
        cost = quartz.Cost.parse(json.dumps(WEIGHTS), gate_set=self.gate_set)
        circuit = quartz.Circuit(2).h(0).append("pickled_pair", [0, 1], gate_set=self.gate_set).cx(1, 0).cx(0, 1)
        circuit.append("pickled_root", [1], gate_set=self.gate_set)
        self.assertEqual(cost.values(circuit), {"pickled_weights": 4.926})
        both = quartz.Cost.join([quartz.Cost.load("total", self.gate_set), cost])
        self.require_same_elsewhere((cost, circuit), (both, circuit))

    def test_costs_of_different_gates_of_one_name(self):
        definition = dict(GATE_SET, gates=[*GATE_SET["gates"][:3], {"gate": "gate pickled_root a { h a; rz(pi/8) a; }"}])
        other_set = quartz.GateSet.parse(json.dumps(definition))
        weights = dict(WEIGHTS, name="pickled_others", gates=[{"gate": "pickled_root", "weight": 7}])
        costs = [
            quartz.Cost.parse(json.dumps(WEIGHTS), gate_set=self.gate_set),
            quartz.Cost.parse(json.dumps(weights), gate_set=other_set),
        ]
        for gate_set, values in ((self.gate_set, [3, 0.1]), (other_set, [0.1, 7])):
            circuit = quartz.Circuit(1).append("pickled_root", [0], gate_set=gate_set)
            both = quartz.Cost.join(costs)
            self.assertEqual(list(both.values(circuit).values()), values)
            self.require_same_elsewhere((both, circuit))

    def test_costs_of_calls_in_other_processes(self):
        circuits_of_pool = [quartz.Circuit(2).h(0).h(0).cx(0, 1).t(1), quartz.Circuit(2).cx(0, 1).cx(0, 1).h(1)]
        cost = quartz.Cost.join([quartz.Cost.load("t", self.gate_set), quartz.Cost.parse(json.dumps(WEIGHTS), gate_set=self.gate_set)])
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
            outcomes = list(
                quartz.optimize_many(
                    circuits_of_pool, self.gate_set, cost=cost, steps=1000, threads=1, rules=self.rules, executor=executor
                )
            )
        self.assertEqual([each.error for each in outcomes], [None, None])
        for outcome in outcomes:
            self.assertEqual(list(outcome.result.cost_after), ["t", "pickled_weights"])
            self.assertEqual(outcome.result.cost_after, cost.values(outcome.result.circuit))

    def test_calls_in_other_processes(self):
        circuit = quartz.Circuit(3).append("pickled_root", [0], gate_set=self.gate_set).h(1).h(1)
        task = (circuit, self.gate_set, quartz.CouplingMap([(0, 1)]), self.rules)
        (result,) = self.pool.map(optimized, [task])
        self.assertEqual([each.name for each in result.circuit], ["pickled_root"])
        self.assertTrue(result.checked)
        self.assertEqual(result.circuit, optimized(task).circuit)


if __name__ == "__main__":
    unittest.main()

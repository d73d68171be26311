"""The costs of the benchmarks are those of quartz-opt."""

import argparse
import json
import math
import pathlib
import tempfile
import unittest

from benchmarks import circuits, costs, qasm
from benchmarks.programs import ROOT


class Costs(unittest.TestCase):
    FILE = str(ROOT / "costs/example_errors.json")

    def test_a_list_is_measured_by_its_first_objective(self):
        self.assertEqual(costs.read("t,two-qubit").measure, "t")
        self.assertEqual(costs.read("two-qubit,x.json").measure, "two_qubit")
        self.assertEqual(costs.read(f"{self.FILE},t").measure, "errors")

    def test_a_cost_that_is_neither_a_name_nor_a_file_is_refused(self):
        self.assertEqual(circuits.cost_argument(f"t,{self.FILE}").text, f"t,{self.FILE}")
        for text in ("", "beauty", "t,,depth", "none.json"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                circuits.cost_argument(text)

    def test_weights_by_gate_by_place_and_by_default(self):
        weights = costs.read_weights(self.FILE)
        text = "qreg q[4]; cz q[1],q[0]; cz q[3],q[0]; rz(1) q[0]; h q[1]; barrier q;"
        rates = (2.1e-3, 3e-3, 0, 1e-3)  # cz on qubits 0 and 1, cz elsewhere, rz, default
        self.assertAlmostEqual(
            weights.of(qasm.read(text)), -sum(math.log(1 - rate) for rate in rates), places=12
        )
        self.assertAlmostEqual(weights.least(), -math.log(1 - 2.5e-4), places=12)

    def test_both_directions_of_a_pair_and_an_error_rate_of_1(self):
        gates = [
            {"gate": "cz", "qubits": [0, 1], "error_rate": 0.02},
            {"gate": "cz", "qubits": [1, 0], "error_rate": 0.01},
            {"gate": "cz", "qubits": [1, 2], "error_rate": 0.01},
            {"gate": "cz", "qubits": [2, 1], "error_rate": 1.0},
        ]
        document = {"name": "backend", "errors": True, "gates": gates, "default": 1.0}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "backend.json"
            path.write_text(json.dumps(document))
            weights = costs.read_weights(path)
        for text, expected in (
            ("cz q[1],q[0];", -math.log(0.98)),
            ("cz q[1],q[2];", 37),
            ("h q[0];", 37),
        ):
            with self.subTest(text):
                circuit = qasm.read(f"qreg q[3]; {text}")
                self.assertAlmostEqual(weights.of(circuit), expected, places=12)

    def test_only_interchangeable_operands_are_sorted(self):
        self.assertNotEqual(costs.place("cx", (0, 1)), costs.place("cx", (1, 0)))
        self.assertEqual(costs.place("ccx", (1, 0, 2)), costs.place("ccx", (0, 1, 2)))
        self.assertNotEqual(costs.place("ccx", (2, 0, 1)), costs.place("ccx", (0, 1, 2)))

    def test_a_gate_without_a_weight_is_an_error(self):
        weights = costs.Weights("some", {"x": 1}, {}, None)
        with self.assertRaises(KeyError):
            weights.of(qasm.read("qreg q[1]; h q[0];"))


if __name__ == "__main__":
    unittest.main()

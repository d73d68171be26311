"""The benchmark `rotations`: its circuits, what it counts, and what it complains of."""

import argparse
import contextlib
import io
import json
import math
import pathlib
import unittest
from unittest import mock

from benchmarks import programs, qasm, rotation_bounds, rotation_peers, rotations
from benchmarks.qasm import FlatCircuit, Statement
from benchmarks.rotations import Result


class Circuits(unittest.TestCase):
    def test_every_family_has_circuits(self):
        self.assertEqual({name.rpartition("_")[0] for name in rotations.names()}, set(rotations.CIRCUITS))

    def test_every_circuit_is_flat_and_has_rotations(self):
        for name in rotations.names():
            with self.subTest(name):
                circuit = qasm.read(rotations.circuit_text(name))
                self.assertGreater(rotation_peers.rotations_of(circuit), 5)

    def test_controlled_phases_become_three_rotations(self):
        circuit = FlatCircuit(2, {}, [Statement("cu1", ("-pi/8",), (0, 1)),
                                      Statement("rzz", ("0.25",), (1, 0)),
                                      Statement("swap", (), (0, 1))])  # fmt: skip
        found = rotation_peers.in_one_axis(circuit)
        self.assertEqual(qasm.gate_names(found), {"rz", "cx"})
        angles = [float(each.angles[0]) for each in found.statements if each.name == "rz"]
        eighth = math.pi / 16
        for angle, expected in zip(angles, [-eighth, -eighth, eighth, 0.25], strict=True):
            self.assertAlmostEqual(angle, expected)
        self.assertEqual(rotation_peers.rotations_of(found), 4)

    def test_multiples_of_an_eighth_turn_are_not_approximated(self):
        circuit = FlatCircuit(1, {}, [Statement("rz", (angle,), (0,))
                                      for angle in ("pi/4", "-3*pi/4", "pi", "pi/8", "0.7")])  # fmt: skip
        self.assertEqual(rotation_peers.rotations_of(circuit), 2)

    def test_words_of_gridsynth_are_merged(self):
        self.assertEqual(rotation_peers.merged(list("tthhsssxht")), ["s", "sdg", "x", "h", "t"])
        self.assertEqual(rotation_peers.exact_word(-math.pi / 4), ["t"] * 7)
        self.assertEqual(rotation_peers.merged(["t"] * 7), ["tdg"])


class Complaints(unittest.TestCase):
    DISTANCE = 1e-3

    def of(self, *results):
        return rotations.complaints(results, self.DISTANCE)

    def test_fewer_t_gates_of_a_peer_count_if_it_keeps_the_distance(self):
        ours = Result("a", "quartz", t=100, proved=9e-4, simulated=8e-4)
        self.assertEqual(self.of(ours, Result("a", "tzap", t=100)), [])
        self.assertEqual(self.of(ours, Result("a", "tzap", t=99)),
                         ["a: 100 T gates, tzap has 99"])  # fmt: skip
        self.assertEqual(self.of(ours, Result("a", "tzap", t=99, simulated=2e-3)), [])
        self.assertEqual(self.of(ours, Result("a", "tzap", "crashed")), [])

    def test_quartz_has_to_prove_the_distance(self):
        for bad in (
            Result("a", "quartz", t=100),
            Result("a", "quartz", t=100, proved=2e-3),
            Result("a", "quartz", t=100, proved=9e-4, simulated=2e-3),
            Result("a", "quartz", "failed"),
        ):
            self.assertEqual(len(self.of(bad)), 1, bad)

    def test_the_change_is_a_geometric_mean(self):
        results = [Result("a", "quartz", t=50), Result("a", "tzap", t=100),
                   Result("b", "quartz", t=30), Result("b", "tzap", t=15),
                   Result("c", "quartz", t=1), Result("c", "tzap", "crashed")]  # fmt: skip
        self.assertAlmostEqual(rotations.change_against("tzap", results), 0)
        self.assertIsNone(rotations.change_against("qiskit", results))
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            rotations.show(results, self.DISTANCE)
        self.assertIn("failed", text.getvalue())


class RandomCircuits(unittest.TestCase):
    def test_a_circuit_depends_on_its_index_and_the_seed(self):
        first = rotation_bounds.random_circuit(7, seed=3)
        self.assertEqual(first, rotation_bounds.random_circuit(7, seed=3))
        self.assertNotEqual(first, rotation_bounds.random_circuit(7, seed=4))
        self.assertNotEqual(first, rotation_bounds.random_circuit(8, seed=3))
        asked = {rotation_bounds.asked_of(index) for index in range(1000)}
        self.assertEqual(asked, set(rotation_bounds.DISTANCES))

    def test_circuits_have_what_their_description_says(self):
        for index in range(200):
            circuit = rotation_bounds.random_circuit(index, seed=1)
            self.assertEqual(qasm.read(qasm.write(circuit)), circuit)
            self.assertIn(circuit.qubits, (2, 3, 4))
            turned = sum(each.name in rotation_bounds.ROTATIONS for each in circuit.statements)
            self.assertTrue(1 <= turned <= 10)

    def approximation(self, **changes):
        values = {"index": 0, "asked": 1e-3, "proved": 9e-4, "simulated": 8e-4,
                  "verdict": "equal within epsilon", "rotations": 1, "t": 40}  # fmt: skip
        return rotation_bounds.Approximation(**(values | changes))

    def test_problems(self):
        self.assertIsNone(self.approximation().problem())
        for changes, words in (
            ({"proved": None}, "not proved"),
            ({"proved": 1.1e-3}, "proved 0.0011, asked 0.001"),
            ({"simulated": 9.1e-4}, "the simulation has 0.00091"),
        ):
            self.assertIn(words, self.approximation(**changes).problem())
        good, bad = self.approximation(), self.approximation(proved=None)
        (row,) = rotation_bounds.summary_of([good, bad])
        self.assertEqual((row["circuits"], row["within"]), (2, 1))
        self.assertAlmostEqual(row["greatest_proved_of_asked"], 0.9)

    def test_what_is_not_verified_is_not_proved(self):
        check = {"distance": 5e-4, "log2_failure": None}
        self.assertEqual(rotation_bounds.proved_distance({"verified": True, "check": check}), 5e-4)
        self.assertEqual(rotation_bounds.proved_distance({"verified": True, "check": None}), 0)
        self.assertIsNone(rotation_bounds.proved_distance({"verified": None, "check": check}))

    def test_results_of_one_call_are_found_by_their_index(self):
        def call(command):
            folder = pathlib.Path(command[1])
            files = [{"file": str(path), "output": "", "error": "no output",
                      "stats": None if path.stem == "3" else {"written": False}}
                     for path in sorted(folder.iterdir(), reverse=True)]  # fmt: skip
            return mock.Mock(stdout=json.dumps({"files": files}))

        settings = argparse.Namespace(seed=0, random_time="0", threads=1, programs=pathlib.Path())
        with mock.patch.object(programs, "call", call):
            found = rotation_bounds.run_batch(2, 5, settings)
        self.assertEqual([each.index for each in found], [2, 3, 4])
        self.assertEqual({each.problem() for each in found}, {"not proved: no output"})


if __name__ == "__main__":
    unittest.main()

"""The benchmark `fixpoint`: its identity pairs, its statistics, and what it complains of."""

import argparse
import contextlib
import io
import pathlib
import random
import tempfile
import unittest
from unittest import mock

from benchmarks import fixpoint, programs, qasm
from benchmarks.fixpoint import Mean, Outcome, Run

TEXT = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[3];\nh q[0];\ncx q[0],q[1];\nrz(pi/4) q[1];\n'


class Pairs(unittest.TestCase):
    def test_the_gates_of_a_pair_cancel_each_other(self):
        names = set()
        for seed in range(100):
            first, second = fixpoint.identity_pair(3, random.Random(seed))
            names.add(first.name)
            self.assertEqual((first.name, first.qubits), (second.name, second.qubits))
            self.assertEqual(len(set(first.qubits)), 2 if first.name == "cx" else 1)
            angles = [qasm.angle_value(gate.angles[0]) for gate in (first, second) if gate.angles]
            self.assertEqual(len(angles), 2 if first.name == "rz" else 0)
            self.assertEqual(sum(angles), 0)
        self.assertEqual(names, set(fixpoint.PAIRS))

    def test_one_qubit_has_no_pair_of_cnots(self):
        names = {fixpoint.identity_pair(1, random.Random(seed))[0].name for seed in range(100)}
        self.assertEqual(names, {"h", "x", "rz"})

    def test_a_pair_is_at_any_place_and_nothing_else_changes(self):
        circuit = qasm.read(TEXT)
        places = set()
        for seed in range(100):
            changed = fixpoint.with_pair(circuit, seed).statements
            self.assertEqual(len(changed), len(circuit.statements) + 2)
            found = [place for place in range(len(circuit.statements) + 1)
                     if changed[:place] + changed[place + 2 :] == circuit.statements]  # fmt: skip
            self.assertTrue(found)
            places |= set(found)
        self.assertEqual(places, {0, 1, 2, 3})
        self.assertEqual(fixpoint.with_pair(circuit, 5), fixpoint.with_pair(circuit, 5))


class Complaints(unittest.TestCase):
    @staticmethod
    def outcome(*differences, again=0):
        return Outcome("a", 20, [Run(10, 10 + again, 10 + each) for each in differences])

    def test_the_standard_error_is_that_of_the_mean(self):
        mean = fixpoint.mean_of([1, -1, 1, -1])
        self.assertEqual(mean.value, 0)
        self.assertAlmostEqual(mean.error, (4 / 3) ** 0.5 / 2)
        self.assertEqual(fixpoint.mean_of([3]), Mean(3, 0))

    def test_a_difference_within_the_error_is_no_complaint(self):
        self.assertEqual(fixpoint.complaints([self.outcome(0, 0, 0)], 2), [])
        self.assertEqual(fixpoint.complaints([self.outcome(1, -1, 0, 1)], 2), [])
        self.assertEqual(fixpoint.complaints([self.outcome(-1, -1, -1)], 2), [])

    def test_a_result_with_a_pair_must_not_cost_more_in_the_mean(self):
        worse, equal = self.outcome(1, 1, 1, 0), self.outcome(0, 0, 0, 0)
        self.assertEqual(len(fixpoint.complaints([worse], 2)), 2)
        self.assertEqual(fixpoint.complaints([worse, equal], 2)[-1],
                         "all circuits: an identity pair costs +0.375 ± 0.125")  # fmt: skip

    def test_no_result_may_cost_more_when_it_is_optimized_again(self):
        self.assertEqual(fixpoint.complaints([self.outcome(0, 0, again=1)], 2),
                         ["a: 2 results cost more when they are optimized again"])  # fmt: skip
        self.assertEqual(fixpoint.complaints([self.outcome(0, 0, again=-1)], 2), [])


class Runs(unittest.TestCase):
    def test_each_seed_has_three_runs_with_the_same_options(self):
        calls = []

        def write_input(command, seconds):
            source, target = command[1], pathlib.Path(command[command.index("--output") + 1])
            calls.append([str(part) for part in command[2:]])
            target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
            return ""

        parser = argparse.ArgumentParser()
        fixpoint.add_arguments(parser)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.qasm").write_text(TEXT, encoding="utf-8")
            settings = parser.parse_args([folder, "--seeds", "3", "--steps", "70"])
            printed = io.StringIO()
            with (
                mock.patch.object(programs, "run", write_input),
                mock.patch.object(programs, "require_commands"),
                contextlib.redirect_stdout(printed),
            ):
                status = fixpoint.run(settings)
        self.assertEqual(status, 1)  # the pair is still there
        self.assertIn("a: an identity pair costs +2.000 ± 0.000", printed.getvalue())
        self.assertEqual(len(calls), 9)
        for index, command in enumerate(calls):
            self.assertEqual(command[command.index("--seed") + 1], str(index // 3))
            self.assertEqual(command[command.index("--steps") + 1], "70")


if __name__ == "__main__":
    unittest.main()

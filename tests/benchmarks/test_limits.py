"""The random circuits of the benchmark `limits`, and what it prints."""

import contextlib
import io
import pathlib
import tempfile
import unittest

from benchmarks import command_line, limits, qasm
from benchmarks.random_circuits import RandomCircuit


def settings(*arguments):
    return command_line.make_parser().parse_args(["limits", *arguments])


class RandomCircuits(unittest.TestCase):
    def test_sizes_are_within_the_limits_and_reproducible(self):
        asked = settings("--circuits", "50", "--most-gates", "1000", "--most-qubits", "30")
        drawn = list(limits.random_circuits(asked))
        self.assertEqual(drawn, list(limits.random_circuits(asked)))
        self.assertEqual(len(drawn), 50)
        for circuit in drawn:
            self.assertTrue(4 <= circuit.gates <= 1000 and 3 <= circuit.qubits <= 30, circuit)

    def test_a_circuit_has_the_gates_and_qubits_that_it_names(self):
        for distinct in (False, True):
            found = qasm.read(RandomCircuit(200, 5, distinct, seed=7).to_qasm())
            self.assertEqual((found.qubits, len(found.statements)), (5, 200))
            self.assertEqual(qasm.gate_names(found), {"cx", "h", "rz"})
            angles = [each.angles for each in found.statements if each.name == "rz"]
            self.assertEqual(len(set(angles)) == len(angles), distinct)


class Report(unittest.TestCase):
    CIRCUIT = RandomCircuit(4, 3, False, 1)

    def make_run(self, over=-0.2, check_seconds=0.1, checked="exact path sum: equal", **values):
        values = {"is_verified": True, "is_earlier": False} | values
        return limits.Run(
            self.CIRCUIT, over, check_seconds, checked, peak_memory_bytes=2**20, **values
        )

    def printed(self, show, *arguments):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            count = show(*arguments)
        return count, text.getvalue()

    def show(self, *overs):
        return self.printed(limits.show_times, [self.make_run(over) for over in overs], 1)

    def test_undecided_checks_are_counted_and_named(self):
        runs = [
            self.make_run(),
            self.make_run(is_earlier=True),
            self.make_run(is_verified=False, checked="undecided: out of time", check_seconds=2),
        ]
        count, text = self.printed(limits.show_checks, runs, 1)
        self.assertEqual(count, 1)
        self.assertIn("    2  exact path sum", text)
        self.assertIn("undecided: 4 gates on 3 qubits, seed 1: undecided: out of time", text)
        self.assertIn("an earlier circuit was written: 4 gates on 3 qubits", text)
        self.assertIn("1 of 3 checks exceed 1 s by more than 0.6 s", text)
        self.assertIn("undecided: 1 of 3\n", text)

    def test_the_files_of_a_folder_replace_the_random_circuits(self):
        with tempfile.TemporaryDirectory() as name:
            for each in ("b.qasm", "a.qasm", "c.txt"):
                (pathlib.Path(name) / each).write_text("text", encoding="utf-8")
            found = list(limits.circuits_of(settings(name)))
        self.assertEqual([each.describe() for each in found], ["a.qasm", "b.qasm"])

    def test_the_default_limit_of_the_check_is_that_of_quartz_opt(self):
        self.assertEqual(limits.check_limit(settings("--time", "10")), 3.5)
        self.assertEqual(limits.check_limit(settings("--time", "10", "--check-time", "2")), 2)

    def test_only_runs_beyond_the_allowance_count(self):
        count, text = self.show(-0.2, 0.59, 0.61, 1.5)
        self.assertEqual(count, 2)
        self.assertIn("2 of 4 exceed the limit by more than 0.6 s", text)
        self.assertIn("4 gates on 3 qubits, seed 1", text)

    def test_every_value_is_in_one_bin(self):
        values = [-1, 0, 0.05, 0.3, 5]
        lines = limits.histogram(values)
        self.assertEqual(sum(int(line.split(" s")[1].split()[0]) for line in lines), len(values))


if __name__ == "__main__":
    unittest.main()

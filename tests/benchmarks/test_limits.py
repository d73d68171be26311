"""The random circuits of the benchmark `limits`, and what it prints."""

import contextlib
import io
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

    def show(self, *overs):
        runs = [limits.Run(self.CIRCUIT, over, 0.1, 2**20) for over in overs]
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            count = limits.show(runs, seconds=1)
        return count, text.getvalue()

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

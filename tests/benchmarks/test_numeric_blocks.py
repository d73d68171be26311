"""The benchmark `numeric-blocks`: its blocks, its verdicts, and how a peer's answers are read."""

import argparse
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from benchmarks import numeric_blocks, packages, programs
from benchmarks.numeric_blocks import Outcome, PeerOutcome


class Blocks(unittest.TestCase):
    def test_the_unitaries_are_random_and_the_states_have_published_bounds(self):
        unitaries = list(numeric_blocks.unitaries(20, 0))
        self.assertEqual(sum(block.qubits == 3 for block in unitaries), 20)
        self.assertEqual(len({block.text() for block in unitaries}), len(unitaries))
        bounds = {block.name: block.published for block in numeric_blocks.states()}
        self.assertEqual((bounds["Dicke 4,1"], bounds["Dicke 8,1"]), (5, 13))
        self.assertEqual(bounds["Dicke 4,2"], 12)
        self.assertTrue(all(block.starts_zero for block in numeric_blocks.states()))


class Verdicts(unittest.TestCase):
    @staticmethod
    def outcome(after, *peers, is_equal=True):
        return Outcome("a", 20, after, 14, 1.0, "equal", is_equal, 1e-12, list(peers))

    def test_more_gates_than_published_or_than_a_peer_are_bad(self):
        self.assertFalse(self.outcome(14).is_bad())
        self.assertTrue(self.outcome(15).is_bad())
        self.assertTrue(self.outcome(14, is_equal=False).is_bad())
        self.assertFalse(self.outcome(14, PeerOutcome("qiskit", 14, 1, 1e-9)).is_bad())
        self.assertTrue(self.outcome(14, PeerOutcome("qiskit", 13, 1, 1e-9)).is_bad())

    def test_a_peer_counts_only_with_an_answer_of_bounded_distance(self):
        self.assertFalse(self.outcome(14, PeerOutcome("bqskit", reason="no answer")).is_bad())
        self.assertFalse(self.outcome(14, PeerOutcome("bqskit", 3, 1, None)).is_bad())

    def test_rows_have_cells_for_each_peer(self):
        row = self.outcome(14, PeerOutcome("qiskit", 19, 0.5, 1e-12),
                           PeerOutcome("bqskit", reason="no answer in 2 s")).row()  # fmt: skip
        self.assertEqual(row[-6:], ["19", "0.5", "1.0e-12", "no answer in 2 s", "", ""])


class Peers(unittest.TestCase):
    BLOCK = next(numeric_blocks.states())

    def run_peer(self, script, seconds="20s"):
        parser = argparse.ArgumentParser()
        numeric_blocks.add_arguments(parser)
        settings = parser.parse_args(["--peer-time", seconds])
        settings.python = sys.executable
        checked = argparse.Namespace(returncode=0, stdout='{"distance": 2e-8}')
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "in.qasm").write_text(self.BLOCK.text(), encoding="utf-8")
            command = [sys.executable, "-c", script.replace("OUT", str(path / "bqskit.qasm"))]
            with (
                mock.patch.object(packages, "module_command", return_value=command),
                mock.patch.object(programs, "call", return_value=checked),
            ):
                return numeric_blocks.run_peer("bqskit", self.BLOCK, settings, path)

    WRITE = (
        "open('OUT', 'w').write('cx q[0],q[1];\\nu3(1,2,3) q[0];\\ncx q[1],q[2];\\n');"
        "print('{\"seconds\": 0.25, \"variant\": \"level 1\"}', flush=True);"
    )

    def test_the_last_answer_counts_also_if_the_peer_runs_out_of_time(self):
        expected = PeerOutcome("bqskit", 2, 0.25, 2e-8)
        self.assertEqual(self.run_peer(self.WRITE), expected)
        slow = self.WRITE + "import time; time.sleep(60)"
        self.assertEqual(self.run_peer(slow, "2s"), expected)

    def test_no_answer_is_no_number_of_gates(self):
        found = self.run_peer("raise SystemExit(1)")
        self.assertIsNone(found.after)
        self.assertIn("no answer", found.reason)


if __name__ == "__main__":
    unittest.main()

"""The comparison with other optimizers: its rows, its tables, and the results kept on disk."""

import dataclasses
import pathlib
import tempfile
import unittest
from unittest import mock

from benchmarks import comparison_runs, isolation, peer_variants, workloads
from benchmarks.comparison_tables import Row, loss_lines, losses, summary
from benchmarks.peer_variants import ASSUMPTIONS, Task

BELL = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\nh q[0];\ncx q[0],q[1];\n'


def row(circuit="bell", ours=2, before=3, verified=True, verdicts=None, **peers):
    return Row("logical", circuit, "none", before, ours, 0.5, verified, "", peers,
               verdicts or {}, dict.fromkeys(verdicts or {}, "level 3"))  # fmt: skip


class Rows(unittest.TestCase):
    def test_wins_ties_and_losses_are_against_the_best_exact_peer(self):
        self.assertTrue(row(qiskit=3, tzap=4).is_win())
        self.assertFalse(row(qiskit=3, tzap=2).is_win())
        self.assertFalse(row(qiskit=3, tzap=2).is_loss())
        self.assertTrue(row(qiskit=3, tzap=1, verdicts={"tzap": "equal"}).is_loss())
        self.assertFalse(row(qiskit=None).is_win())

    def test_a_wrong_result_is_no_loss_and_an_undecided_one_is(self):
        wrong = row(qiskit=3, tzap=1, verdicts={"tzap": "not equal"})
        self.assertFalse(wrong.is_loss())
        self.assertEqual(wrong.best_peer(), 3)
        self.assertTrue(row(tzap=1, verdicts={"tzap": "undecided"}).is_loss())

    def test_an_approximate_result_is_no_loss_but_listed(self):
        approximate = row(qiskit=3, bqskit=1, verdicts={"bqskit": "distance 2.0e-08"})
        self.assertFalse(approximate.is_loss())
        self.assertTrue(approximate.is_win())
        self.assertIn("bell, logical, assumed none: ours 2, bqskit 1, checked: distance 2.0e-08",
                      losses([approximate], pathlib.Path("cache")))  # fmt: skip

    def test_no_result_of_ours_is_a_loss(self):
        self.assertTrue(row(ours=None, before=None, verified=False, qiskit=3).is_loss())


class Tables(unittest.TestCase):
    def test_a_table_for_each_target_and_the_counts(self):
        rows = [
            row("bell", qiskit=3, tzap=4),
            dataclasses.replace(
                row("ghz", qiskit=2, tzap=None), peer_failures={"tzap": "unsupported: bit"}
            ),
            row("qft", ours=5, before=6, qiskit=4, verdicts={"qiskit": "equal"}),
        ]
        text = summary(rows)
        self.assertIn("### logical, assumed: none", text)
        self.assertIn("| circuit | before | qiskit | tzap | ours | seconds |", text)
        self.assertIn("| ghz | 3 | 2 | - | 2 | 0.5 |", text)
        self.assertIn("| logical | none | 3 | 12 | 9 | 9 | 1 | 1 | 1 | 0 |", text)
        self.assertTrue(text.endswith("- tzap has no result: unsupported: bit (1)"))
        self.assertEqual(
            loss_lines(rows),
            ["- qft, logical, assumed none: before 6, ours 5, qiskit 4 (level 3; checked: equal)"],
        )


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        source = self.folder / "bell.qasm"
        source.write_text(BELL, encoding="utf-8")
        self.workload = workloads.Workload("bell", workloads.TARGETS["logical"], source)
        self.task = Task(self.workload, ASSUMPTIONS["none"])
        self.results = comparison_runs.Results(self.folder)
        self.calls = 0

    def peer(self, _):
        yield "first", 2, "two"
        yield "second", 1, "one"

    def run_peer(self, variants, peer="pytket"):
        with (
            mock.patch.dict(peer_variants.PEERS, {peer: variants}),
            mock.patch.object(comparison_runs.importlib.metadata, "version", return_value="1"),
        ):
            return comparison_runs.peer_result(peer, self.task, self.results)

    def test_the_best_variant_is_kept_and_read_again(self):
        first = self.run_peer(self.peer)
        self.assertEqual((first["two_qubit"], first["variant"]), (1, "second"))
        output = self.results.path(self.task, "pytket", ".qasm")
        self.assertEqual(output.read_text(encoding="utf-8"), "one")
        again = self.run_peer(lambda _: self.fail("not read from the disk"))
        self.assertEqual(again["two_qubit"], 1)

    def test_another_input_is_another_result(self):
        self.run_peer(self.peer)
        self.workload.path.write_text(BELL + "h q[0];\n", encoding="utf-8")
        again = self.run_peer(lambda _: iter([("third", 7, "seven")]))
        self.assertEqual(again["two_qubit"], 7)

    def test_a_peer_that_fails_or_refuses_has_no_count(self):
        def refusing(_):
            raise peer_variants.NotOffered("too large")
            yield

        def failing(_):
            raise ValueError("unknown gate")

        self.assertEqual(self.run_peer(refusing)["not_offered"], "too large")
        self.assertEqual(self.run_peer(failing, "tzap")["failed"], "ValueError: unknown gate")

    def test_a_circuit_is_compared_under_the_options_of_the_assumptions(self):
        both = Task(self.workload, ASSUMPTIONS["both"])
        self.assertEqual(comparison_runs.assumption_options(both),
                         ["--program", "--permutation", "free"])  # fmt: skip
        self.assertEqual(comparison_runs.assumption_options(self.task), [])
        ours = {"two_qubit": 2, "before": 3, "seconds": 0.1, "verified": True, "checked": "equal"}
        with (
            mock.patch.object(comparison_runs, "quartz_result", return_value=ours),
            mock.patch.object(comparison_runs, "quartz_verdict", return_value="equal"),
            mock.patch.dict(peer_variants.PEERS, {"pytket": self.peer}),
            mock.patch.object(comparison_runs.importlib.metadata, "version", return_value="1"),
        ):
            found = comparison_runs.compare(self.task, ["pytket"], [], self.results)
        self.assertTrue(found.is_loss())
        self.assertEqual(found.peer_variants, {"pytket": "second"})

    def test_coupling_is_kept_unless_all_pairs_are_coupled_and_qubits_may_move(self):
        for target, name, coupled in (
            ("iqm", "both", True), ("quantinuum", "none", True), ("quantinuum", "both", False),
            ("logical", "none", False),
        ):  # fmt: skip
            workload = workloads.Workload("bell", workloads.TARGETS[target], self.workload.path)
            self.assertEqual(Task(workload, ASSUMPTIONS[name]).is_coupled(), coupled)


class Isolation(unittest.TestCase):
    def test_a_function_that_does_not_return_is_stopped(self):
        with self.assertRaisesRegex(isolation.Failed, "no answer within 0 s"):
            isolation.call(lambda: __import__("time").sleep(60), (), 0.05)

    def test_the_value_comes_back(self):
        self.assertEqual(isolation.call(max, (1, 2), 60), 2)


class Permutation(unittest.TestCase):
    def test_qubits_that_move_are_stated_as_quartz_check_reads_them(self):
        self.assertEqual(peer_variants.with_permutation("x", [0, 1]), "x")
        self.assertEqual(peer_variants.with_permutation("x", [1, 0]),
                         "// output permutation: [1, 0]\nx")  # fmt: skip


if __name__ == "__main__":
    unittest.main()

"""What the comparison of two commits computes, and how it treats the commits."""

import contextlib
import io
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

from benchmarks import commits, programs, ratios, text_table
from benchmarks.programs import ROOT


class Rates(unittest.TestCase):
    def test_names_have_no_suffixes(self):
        for suffix in ("", "/iterations:500/process_time", "/process_time", "/real_time"):
            self.assertEqual(commits.plain_name("parse/47601_gates" + suffix),
                             "parse/47601_gates")  # fmt: skip

    def test_no_name_in_the_list_is_changed(self):
        text = (ROOT / "perf/benchmark_list.cpp").read_text(encoding="utf-8")
        names = [line.split('"')[1] for line in text.splitlines() if 'Benchmark{"' in line]
        self.assertGreater(len(names), 10)
        self.assertEqual([commits.plain_name(f"{name}/process_time") for name in names],
                         names)  # fmt: skip
        self.assertEqual(len(set(names)), len(names))

    def test_failed_benchmarks_and_aggregates_have_no_rate(self):
        document = {"benchmarks": [
            {"name": "a/process_time", "run_type": "iteration", "items_per_second": 3.0},
            {"name": "a_median", "run_type": "aggregate", "items_per_second": 4.0},
            {"name": "b", "run_type": "iteration", "error_occurred": True},
        ]}  # fmt: skip
        self.assertEqual(commits.rates_of(document), {"a": 3.0})


class Ratios(unittest.TestCase):
    def test_ratios_are_those_of_the_pairs(self):
        # The machine is twice as slow in the second round, which must not change the ratios.
        ratio = ratios.paired_ratio([100, 50, 100], [110, 55, 120])
        self.assertAlmostEqual(ratio.median, 1.1)
        self.assertAlmostEqual(ratio.least, 1.1)
        self.assertAlmostEqual(ratio.greatest, 1.2)
        with self.assertRaises(ValueError):
            ratios.paired_ratio([1], [1, 2])

    def test_a_change_is_reported_only_if_all_pairs_agree(self):
        for pair, word in {(1.1, 1.2): "faster", (0.8, 0.9): "slower", (0.9, 1.1): ""}.items():
            ratio = ratios.Ratio(1.0, *pair)
            self.assertEqual(ratios.change_of(ratio, 5), word)
            self.assertEqual(ratios.change_of(ratio, 4), "")

    def test_the_table_contains_what_both_commits_measure(self):
        old = {"a": [10] * 5, "gone": [1] * 5}
        new = {"a": [20, 30, 25, 25, 25], "added": [1] * 5}
        rows = commits.perf_table(old, new)
        self.assertEqual(rows[1:], [["a", "10", "25", "2.500", "2.000", "3.000", "faster"]])
        self.assertEqual(commits.only_in_one(old, new),
                         ["only in old: gone", "only in new: added"])  # fmt: skip

    def test_rates_are_written_with_three_digits(self):
        for rate, text in {12.34: "12.3", 1234: "1.23 k", 6.06e7: "60.6 M", 2e9: "2 G"}.items():
            self.assertEqual(text_table.with_unit_prefix(rate), text)

    def test_the_commit_that_runs_first_alternates(self):
        orders = [commits.order_of(i, ("old", "new")) for i in range(3)]
        self.assertEqual(orders, [("old", "new"), ("new", "old"), ("old", "new")])


def results(*totals):
    return [dict.fromkeys(commits.MEASURES, total) for total in totals]


class Circuits(unittest.TestCase):
    SIZES = {
        "a": {"old": results(100, 102), "new": results(90, 92)},
        "b": {"old": results(10, 10), "new": results(11, 11)},
        "nothing": {"old": results(0, 0), "new": results(0, 0)},
    }

    def test_mean_ratios(self):
        of_means, of_ratios = commits.mean_ratios(self.SIZES, "total")
        self.assertAlmostEqual(of_means, (91 + 11) / (101 + 10))
        self.assertAlmostEqual(of_ratios, ((91 / 101) * 1.1) ** 0.5)
        self.assertEqual(commits.mean_ratios({}, "total"), (1.0, 1.0))

    def test_each_circuit_has_a_row(self):
        rows = commits.circuits_table(self.SIZES, "total")
        self.assertEqual(rows[1], ["a", "101.0", "91.0", "0.9010", "0.9000", "0.9020"])
        self.assertEqual(rows[3], ["nothing", "0.0", "0.0", "", "", ""])


class Commits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "repository")
        self.git("init", "--quiet", str(self.root), at=folder.name)
        (self.root / "CMakeLists.txt").write_text("project(some)\n")
        self.commit("first")
        (self.root / "perf").mkdir()
        (self.root / "perf/CMakeLists.txt").write_text("# benchmarks\n")
        self.commit("second")
        patch = mock.patch.object(commits, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)

    def git(self, *arguments, at=None):
        names = ["-c", "user.name=n", "-c", "user.email=e@e"]
        command = ["git", "-C", str(at or self.root), *names, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def test_both_commits_are_checked_out_and_removed_afterwards(self):
        with commits.checked_out(("HEAD~1", "HEAD")) as (old, new):
            self.assertFalse((old.folder / "perf").exists())
            self.assertTrue((new.folder / "perf").exists())
            # Files of a build are removed as well.
            (old.folder / "build").mkdir()
            (old.folder / "build/file").write_text("")
        self.assertFalse(old.folder.exists())
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)

    def test_the_commits_are_removed_after_a_failure(self):
        with (
            self.assertRaisesRegex(programs.Failure, "no commit 'no-such-commit'"),
            commits.checked_out(("HEAD", "no-such-commit")),
        ):
            pass
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)

    def test_a_commit_without_benchmarks_gets_those_of_the_other(self):
        with commits.checked_out(("HEAD~1", "HEAD")) as (old, new):
            self.assertTrue(commits.lend_benchmarks(old, new))
            self.assertTrue((old.folder / "perf/CMakeLists.txt").exists())
            added = (old.folder / "CMakeLists.txt").read_text()
            self.assertTrue(added.endswith("\nadd_subdirectory(perf)\n"))
            self.assertFalse(commits.lend_benchmarks(old, new))
            self.assertFalse(commits.lend_benchmarks(new, old))

    def test_benchmarks_that_do_not_compile_are_reported(self):
        def build(commit, _target):
            if commit.label == "old":
                raise programs.Failure("no such header")

        with (
            mock.patch.object(commits, "build", build),
            commits.checked_out(("HEAD~1", "HEAD")) as (old, new),
            self.assertRaisesRegex(programs.Failure, "HEAD~1 has no perf/ folder.*header"),
        ):
            commits.build_benchmarks(old, new)

    def test_only_the_errors_of_a_build_are_shown(self):
        log = "[1/2] a.cpp\na.cpp:1: error: no such header\n[2/2] ninja: build stopped"
        self.assertEqual(commits.errors_of(log), "a.cpp:1: error: no such header")
        self.assertEqual(commits.errors_of("one\ntwo", most=1), "two")

    def test_a_folder_without_circuits_is_refused(self):
        with self.assertRaisesRegex(programs.Failure, "no .qasm files"):
            commits.circuits_in(self.root)


class Comparing(unittest.TestCase):
    def test_the_commits_are_interleaved(self):
        ran = []

        def run_benchmarks(commit, _settings):
            ran.append(commit.label)
            return {"a": 1.0 if commit.label == "old" else 2.0}

        both = [commits.Commit(label, "", pathlib.Path()) for label in ("old", "new")]
        text = io.StringIO()
        with (
            mock.patch.object(commits, "run_benchmarks", run_benchmarks),
            contextlib.redirect_stdout(text),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            settings = mock.Mock(rounds=2)
            rates = commits.compare_benchmarks(both, settings)
        self.assertEqual(ran, ["old", "new", "new", "old"])
        self.assertEqual(rates, {"old": {"a": [1.0, 1.0]}, "new": {"a": [2.0, 2.0]}})
        self.assertIn("2.000", text.getvalue())


if __name__ == "__main__":
    unittest.main()

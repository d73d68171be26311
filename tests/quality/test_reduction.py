"""Tests how the golden reductions are read, compared and written."""

import contextlib
import hashlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/golden")]

import reduction  # noqa: E402

HEADER = "circuit,gate_set,cost,search,time,steps,seed,threads,portable,total,two_qubit,t,depth,sha256\n"
TEXT = HEADER + (
    'circuits/tof_3.qasm,nam,"t,two-qubit",anneal,,500,0,1,yes,35,14,15,29,abc\n'
    "circuits/tof_3.qasm,nam,total,backtrack,0s,,0,2,no,,,,,\n"
)
STATS = {
    "after": {"total": 35, "two_qubit": 14, "t": 15, "depth": 29, "cost": {}},
    "checked": "equal (exact path sum)",
    "stop_reason": "exhausted",
}


class Rows(unittest.TestCase):
    def test_written_rows_are_read_back(self):
        rows = reduction.parse_rows(TEXT)
        self.assertEqual(reduction.format_rows(rows), TEXT)
        self.assertEqual(rows[0].options["cost"], "t,two-qubit")
        self.assertEqual(rows[1].results["total"], "")

    def test_the_file_has_the_written_format(self):
        text = reduction.ROWS.read_text(encoding="utf-8")
        rows = reduction.parse_rows(text)
        self.assertEqual(reduction.format_rows(rows), text)
        for row in rows:
            with self.subTest(row.describe()):
                self.assertTrue(all(row.results.values()))
                self.assertTrue((ROOT / row.options["circuit"]).exists())

    def test_a_broken_file_is_refused_with_its_line(self):
        line = TEXT.splitlines(keepends=True)[1]
        for text, message in {
            "": "header",
            "circuit,total\n": "header",
            HEADER + "a,b\n": "line 2: 2 columns",
            HEADER + line.replace("yes", ""): "line 2: portable is neither",
            HEADER + line + line: "line 3: a second row of circuits/tof_3.qasm",
        }.items():
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                reduction.parse_rows(text)

    def test_empty_options_are_omitted_except_for_the_time(self):
        first, second = reduction.parse_rows(TEXT)
        command = reduction.command_of(first, "quartz-opt", "o", "s")
        self.assertEqual(command[1], "circuits/tof_3.qasm")
        options = dict(zip(command[-14::2], command[-13::2], strict=True))
        self.assertEqual(options["--cost"], "t,two-qubit")
        self.assertEqual(options["--steps"], "500")
        self.assertEqual(options["--time"], reduction.NO_TIME_LIMIT)
        command = reduction.command_of(second, "quartz-opt", "o", "s")
        self.assertNotIn("--steps", command)
        self.assertEqual(command[command.index("--time") + 1], "0s")


class Results(unittest.TestCase):
    def test_counts_and_digest(self):
        results = reduction.results_of(STATS, b"", limited=False)
        self.assertEqual(list(results), reduction.RESULTS)
        self.assertEqual(results["two_qubit"], "14")
        self.assertTrue(results["sha256"].startswith("e3b0c44298fc1c14"))

    def test_a_result_must_have_been_checked_as_equal(self):
        others = ("not checked (--no-check)", "undecided: why", "equal up to global phase (x)")
        for checked in others:
            with self.subTest(checked), self.assertRaisesRegex(reduction.Failure, "not checked as"):
                reduction.results_of(STATS | {"checked": checked}, b"", limited=False)

    def test_a_search_without_a_limit_must_end_by_itself(self):
        cut_off = STATS | {"stop_reason": "time limit"}
        with self.assertRaisesRegex(reduction.Failure, "or by its steps: time limit"):
            reduction.results_of(cut_off, b"", limited=False)
        self.assertTrue(reduction.results_of(cut_off, b"", limited=True))


class OneRun(unittest.TestCase):
    """Runs a program in place of quartz-opt that reports how it was called."""

    PROGRAM = """#!/usr/bin/env python3
import os, sys
value = dict(zip(sys.argv, sys.argv[1:]))
stats = {"after": {"total": 1, "two_qubit": 0, "t": 0, "depth": 1},
         "checked": "equal (somehow)", "stop_reason": "exhausted"}
open(value["--output"], "w").write(os.getcwd() + " " + os.environ["XDG_CACHE_HOME"])
open(value["--stats"], "w").write(str(stats).replace("'", '"'))
sys.exit(value["--seed"] != "0" and "the seed is not 0")
"""

    def run_program(self, row):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "quartz-opt")
            program.write_text(self.PROGRAM)
            program.chmod(0o755)
            return reduction.run(row, program, "/the/cache")

    def test_file_names_are_found_and_the_users_cache_is_not_used(self):
        results = self.run_program(reduction.parse_rows(TEXT)[0])
        written = f"{ROOT} /the/cache".encode()
        self.assertEqual(results["sha256"], hashlib.sha256(written).hexdigest())
        self.assertEqual(results["total"], "1")

    def test_a_failed_run_has_no_results(self):
        row = reduction.parse_rows(TEXT.replace(",500,0,", ",500,7,"))[0]
        with self.assertRaisesRegex(reduction.Failure, "exit status 1: the seed is not 0"):
            self.run_program(row)


class Comparing(unittest.TestCase):
    def setUp(self):
        self.row = reduction.parse_rows(TEXT)[0]

    def test_differences_are_listed(self):
        same = dict(self.row.results)
        for change, words in {
            (): "",
            (("total", "34"), ("sha256", "d")): "total 35 -> 34",
            (("t", "9"), ("depth", "30")): "t 15 -> 9, depth 29 -> 30",
            (("sha256", "d"),): "the same counts, but another circuit",
        }.items():
            self.assertEqual(reduction.difference(self.row, same | dict(change)), words)

    def test_a_new_row_differs(self):
        new = reduction.parse_rows(TEXT)[1]
        self.assertIn("total unknown -> 35", reduction.difference(new, self.row.results))


class Running(unittest.TestCase):
    """Tests the whole script, except for quartz-opt."""

    def main(self, found, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.csv")
            path.write_text(TEXT)
            text = io.StringIO()
            with (
                mock.patch.object(reduction, "run", found),
                mock.patch.object(sys, "argv", ["", folder, "--file", str(path), *options]),
                contextlib.redirect_stdout(text),
                self.assertRaises(SystemExit) as end,
            ):
                reduction.main()
            return end.exception.code, text.getvalue(), path.read_text()

    RESULTS = {"total": "35", "two_qubit": "14", "t": "15", "depth": "29", "sha256": "abc"}

    def test_a_difference_fails_and_changes_nothing(self):
        code, said, text = self.main(lambda *_: self.RESULTS)
        self.assertEqual((code, text), (1, TEXT))
        self.assertIn("--search backtrack --time 0s --seed 0 --threads 2: total unknown", said)
        self.assertIn("1 of 2 results differ", said)

    def test_an_update_writes_the_results(self):
        code, said, text = self.main(lambda *_: self.RESULTS, "--update")
        self.assertEqual(code, 0)
        self.assertIn("1 of 2 rows updated", said)
        self.assertEqual(text, TEXT.replace("2,no,,,,,\n", "2,no,35,14,15,29,abc\n"))

    def test_only_selected_rows_are_run(self):
        code, said, _ = self.main(lambda *_: self.RESULTS, "--only", "anneal")
        self.assertEqual((code, said), (0, "1 results equal those in rows.csv\n"))

    def test_only_portable_rows_are_run(self):
        code, said, _ = self.main(lambda *_: self.RESULTS, "--portable")
        self.assertEqual((code, said), (0, "1 results equal those in rows.csv\n"))

    def test_a_failed_run_is_reported_and_keeps_its_row(self):
        def fail(*_):
            raise reduction.Failure("exit status 1: a bug")

        code, said, text = self.main(fail, "--update")
        self.assertEqual((code, text), (1, TEXT))
        self.assertIn("--threads 1: exit status 1: a bug", said)


if __name__ == "__main__":
    unittest.main()

"""The subcommands of scripts/bench.py, and the scripts that run one of them."""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import unittest
from unittest import mock

from benchmarks import class_tables, command_line, programs
from benchmarks.programs import ROOT, Failure

# The scripts that are named in the documentation for one subcommand each.
SCRIPTS = {
    "bench_anneal.py": "tables",
    "bench_commits.py": "commits",
    "bench_gen.py": "gen",
    "bench_limits.py": "limits",
    "check_exporters.py": "programs",
    "check_native.py": "gate-sets",
}


def help_of(script, *arguments):
    command = [sys.executable, "-B", ROOT / "scripts" / script, *arguments, "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Subcommands(unittest.TestCase):
    def test_a_folder_in_place_of_a_subcommand_means_circuits(self):
        self.assertEqual(command_line.with_subcommand(["some/folder", "--seed", "1"]),
                         ["circuits", "some/folder", "--seed", "1"])  # fmt: skip
        self.assertEqual(command_line.with_subcommand([]), ["circuits"])
        for arguments in (["limits", "--limit"], ["--help"]):
            self.assertEqual(command_line.with_subcommand(arguments), arguments)

    def test_the_help_lists_every_subcommand(self):
        text = help_of("bench.py")
        for each in command_line.SUBCOMMANDS:
            self.assertRegex(text, rf"(?m)^    {each.name}\b")
            self.assertTrue(each.description, each.name)

    def test_command_lines_in_the_help_of_a_subcommand_are_accepted(self):
        parser = command_line.make_parser()
        lines = 0
        for each in command_line.SUBCOMMANDS:
            for line in re.findall(r"^    bench\.py (\S.*?)(?:  .*)?$", each.description, re.M):
                lines += 1
                arguments = re.sub(r"[\[\]]|\.\.\.", "", line).split()
                with self.subTest(line):
                    settings = parser.parse_args(arguments)
                    self.assertIn(settings.subcommand, {each.name, "check-outputs"})
        self.assertGreater(lines, 10)

    def test_scripts_stand_for_their_subcommand(self):
        for script, subcommand in SCRIPTS.items():
            with self.subTest(script):
                self.assertEqual(help_of(script), help_of("bench.py", subcommand))
        self.assertEqual(help_of("bench.py", "circuits"), help_of("bench.py", "some/folder"))

    def test_there_is_no_other_benchmark_script(self):
        found = {path.name for path in (ROOT / "scripts").glob("*.py")
                 if "benchmarks.command_line" in path.read_text(encoding="utf-8")}  # fmt: skip
        self.assertEqual(found, {"bench.py", *SCRIPTS})

    def test_a_failure_is_one_line(self):
        def fail(_):
            raise Failure("a program crashed")

        text = io.StringIO()
        with (
            mock.patch.object(command_line.limits, "run", fail),
            mock.patch.object(command_line, "SUBCOMMANDS", [
                command_line.of_module("limits", "", command_line.limits)]),
            contextlib.redirect_stderr(text),
        ):  # fmt: skip
            self.assertEqual(command_line.main(["limits"]), 1)
        self.assertEqual(text.getvalue(), "bench.py limits: a program crashed\n")


class TableCommand(unittest.TestCase):
    """quartz-gen is called by its subcommand, or by the option of earlier commits."""

    def command(self, help_text):
        settings = command_line.make_parser().parse_args(["tables", "--threads", "2"])
        with mock.patch.object(programs, "run", lambda *_: help_text):
            return class_tables.table_command(settings, pathlib.Path("f"), 5)[1:]

    def test_all_forms(self):
        common = ["--gate-set", "nam", "--threads", "2", "--quiet"]
        self.assertEqual(
            self.command("  --table FILE Excludes: --gates"),
            [*common, "--table", "f", "--table-cost", "5"],
        )
        found = self.command("Subcommands:\n  table   builds\n  --cost N")
        expected = ["table", *common, "--output", "f", "--cost", "5"]
        self.assertEqual([str(each) for each in found], expected)


if __name__ == "__main__":
    unittest.main()

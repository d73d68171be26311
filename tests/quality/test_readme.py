"""Checks README.md and docs/ against the commands: options, exit codes, costs, gate sets.

test_readme.py FOLDER_OF_THE_COMMANDS
"""

import functools
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs/how-to.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
         ROOT / "gatesets/README.md", ROOT / "costs/README.md"]
COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"

# Options of other programs that the pages mention: cmake, mpirun, Google Benchmark, clang, pkg-config and zstd.
OTHER_OPTIONS = {
    "--allow-run-as-root", "--benchmark_filter", "--benchmark_min_time", "--benchmark_out",
    "--benchmark_repetitions", "--bind-to", "--build", "--cflags", "--hostfile", "--install", "--libs", "--map-by",
    "--enable-recovery", "--mca", "--ntasks", "--oversubscribe", "--prefix", "--target", "--test-dir",
}


# The subcommands that the pages show after the name of a command.
SUBCOMMANDS = {"quartz-gen": ("prove", "table", "count")}


@functools.lru_cache(maxsize=None)
def help_of(command, *subcommand):
    done = subprocess.run(
        [COMMANDS / command, *subcommand, "--help"], capture_output=True, text=True, check=True,
        env={**os.environ, "COLUMNS": "10000"},  # so that no description is wrapped
    )
    return done.stdout


def all_help_of(command):
    """The help of a command and of its subcommands."""
    pages = [help_of(command, name) for name in SUBCOMMANDS.get(command, ())]
    return "\n".join([help_of(command), *pages])


def section(text, heading):
    """Returns the text below a heading, up to the next one."""
    return re.split(r"^#", text.split(f"## {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]


class Readme(unittest.TestCase):
    def test_every_option_shown_exists(self):
        for page in PAGES:
            text = page.read_text(encoding="utf-8").replace("\\\n", " ")
            lines = re.findall(
                r"^(?:\$ )?(?:mpirun.* )?(?:build/bin/)?(quartz-(?:gen|opt|check)) (.*--.*)$", text, re.M)
            if page == ROOT / "README.md":
                self.assertTrue(lines)
            for command, arguments in lines:
                first = arguments.split()[0]
                known = help_of(command, *(
                    [first] if first in SUBCOMMANDS.get(command, ()) else []))
                for option in re.findall(r"--[\w-]+", arguments.partition(" #")[0]):
                    self.assertRegex(known, rf"{option}\b", f"{page}: {command} {arguments}")

    def test_every_subcommand_is_known_here(self):
        for command in ("quartz-gen", "quartz-opt", "quartz-check"):
            listed = help_of(command).partition("\nSubcommands:\n")[2].partition("\n\n")[0]
            self.assertEqual(tuple(re.findall(r"^  (\w+) ", listed, re.M)),
                             SUBCOMMANDS.get(command, ()))

    def test_every_option_mentioned_exists(self):
        known = set(OTHER_OPTIONS)
        for command in ("quartz-gen", "quartz-opt", "quartz-check"):
            known |= set(re.findall(r"--[\w-]+", all_help_of(command)))
        for script in [*(ROOT / "scripts").glob("*.*"), *(ROOT / "benchmarks").glob("*.py")]:
            known |= set(re.findall(r"--[\w-]+", script.read_text(encoding="utf-8")))
        for program in ("tests/golden/reduction.py", "fuzz/main.cpp", "fuzz/differential/main.cpp"):
            known |= set(re.findall(r"--[\w-]+", (ROOT / program).read_text(encoding="utf-8")))
        for page in PAGES:
            mentioned = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", page.read_text(encoding="utf-8")))
            self.assertEqual(mentioned - known, set(), page)

    def test_every_exit_code_is_listed_on_both_sides(self):
        in_docs = re.findall(r"^\| (\d+) \|", section(HOW_TO, "Exit codes"), re.M)
        listed = help_of("quartz-check").split("xit codes", 1)[1]
        in_help = re.findall(r"^ +(\d+) ", listed, re.M)
        self.assertTrue(in_docs)
        self.assertEqual(in_docs, in_help)

    def test_every_bundled_gate_set_is_listed(self):
        bundled = {path.stem for path in (ROOT / "gatesets").glob("*.json")}
        rows = re.findall(r"^\| `(\w+)` \|", section(HOW_TO, "Choose a gate set"), re.M)
        self.assertEqual(set(rows), bundled)
        line = re.search(r"^\| `--gate-set` \| (.*)$", README, re.M)[1]
        named = re.findall(r"`(\w+)`", line)
        self.assertTrue(named)
        self.assertLessEqual(set(named), bundled)

    def test_every_cost_is_listed(self):
        in_help = re.findall(r"([\w-]+) \(", help_of("quartz-opt").split("what to minimize: ", 1)[1]
                             .split("a JSON file", 1)[0])
        self.assertTrue(in_help)
        line = re.search(r"^\| `--cost` \| (.*)$", README, re.M)[1]
        self.assertEqual(re.findall(r"`([\w-]+)`", line), in_help)
        rows = re.findall(r"^\| `([\w-]+)` \|", section(HOW_TO, "Choose a cost"), re.M)
        self.assertEqual(rows, in_help)

    def test_the_program_is_the_one_built_by_the_install_test(self):
        program = re.search(r"^```cpp\n(.*?)^```", README, re.M | re.S)[1]
        self.assertEqual(program, (ROOT / "examples/optimize.cpp").read_text())

    def test_the_program_in_c_is_the_one_built_by_the_install_test(self):
        page = (ROOT / "docs/c.md").read_text(encoding="utf-8")
        program = re.search(r"^```c\n(.*?)^```", page, re.M | re.S)[1]
        self.assertEqual(program, (ROOT / "examples/c/optimize.c").read_text(encoding="utf-8"))

    def test_the_results_are_in_the_benchmarks_page(self):
        benchmarks = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| .*%.*$", README.split("## Results", 1)[1], re.M)
        self.assertTrue(rows)
        for row in rows:
            self.assertIn(row, benchmarks)

    def test_the_readme_has_at_most_120_lines(self):
        self.assertLessEqual(len(README.splitlines()), 120)


if __name__ == "__main__":
    unittest.main()

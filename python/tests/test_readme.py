"""The programs in README.md and docs/python.md run."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGE = ROOT / "docs/python.md"


def programs(page):
    """Returns the Python programs of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def run(program):
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{program}\n{done.stderr}")
    return done.stdout


@unittest.skipUnless(README.is_file(), "the documentation is not here")
class Programs(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("qiskit"), "Qiskit is not installed")
    def test_of_the_readme(self):
        (program,) = programs(README)
        self.assertEqual(len(program.splitlines()), 5)
        before = run(re.sub(r', optimization_method="quartz"', "", program))
        after = run(program)
        gates_before, gates_after = (int(re.search(r"'cz'\W+(\d+)", output)[1]) for output in (before, after))
        self.assertLess(gates_after, gates_before)

    def test_of_the_page_on_optimizing_and_circuits(self):
        first, options, building, reading, targets, *_ = programs(PAGE)
        self.assertIn("equal", run(first))
        self.assertEqual(run(f"import quartz\n{options}").count("equal"), 2)
        drawing = re.search(r"^```\n(q\[0\].*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)[1]
        self.assertTrue(run(f"import quartz\n{building}").startswith(drawing))
        run(f"import quartz\n{reading}")
        run(f"import quartz\n{targets}")

    def run_program_of(self, adapter):
        """Runs the program of an adapter and returns what it prints."""
        if not importlib.util.find_spec(adapter):
            self.skipTest(f"{adapter} is not installed")
        (program,) = (each for each in programs(PAGE) if f"import quartz.{adapter}\n" in each)
        return run(program)

    def test_of_pytket(self):
        self.assertRegex(self.run_program_of("pytket"), r"^\[Rz\(.*a.*\) q\[0\];, H q\[1\];, Measure q\[1\] --> c\[0\];\]")

    def test_of_pennylane(self):
        self.assertRegex(self.run_program_of("pennylane"), r"^0: ──RX\(0.60\)─┤  <Z>")

    def test_of_cirq(self):
        self.assertRegex(self.run_program_of("cirq"), r"^0: .*Rz\(2\*t\).*M.*\n")

    def test_of_bqskit(self):
        self.assertRegex(self.run_program_of("bqskit"), r"^\{HGate: 1\}")


if __name__ == "__main__":
    unittest.main()

"""The programs in README.md and docs/python.md run."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"


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
        first, circuits, targets, *_ = programs(ROOT / "docs/python.md")
        self.assertIn("equal", run(first))
        run(f"import quartz\n{circuits}")
        run(f"import quartz\n{targets}")


if __name__ == "__main__":
    unittest.main()

"""The notebooks in examples/notebooks run, and what they state with assert is true."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples/notebooks"


def program_of(notebook):
    """Returns the code cells of a notebook as one program."""
    cells = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@unittest.skipUnless(NOTEBOOKS.is_dir(), "the notebooks are not here")
class Notebooks(unittest.TestCase):
    def run_notebook(self, notebook):
        program = program_of(notebook)
        if "qiskit" in program and not importlib.util.find_spec("qiskit"):
            self.skipTest("Qiskit is not installed")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False, timeout=300
            )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_first_circuit(self):
        self.run_notebook("first_circuit")

    def test_vqe_ansatz(self):
        self.run_notebook("vqe_ansatz")

    def test_trotter_heron(self):
        self.run_notebook("trotter_heron")

    def test_clifford_t(self):
        self.run_notebook("clifford_t")

    def test_own_gate_set(self):
        self.run_notebook("own_gate_set")

    def test_every_notebook_has_a_test(self):
        tests = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual({path.stem for path in NOTEBOOKS.glob("*.ipynb")}, tests)


if __name__ == "__main__":
    unittest.main()

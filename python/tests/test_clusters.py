"""The programs in docs/clusters.md run, each where its package is installed."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_many import MPI_ENVIRONMENT
from test_readme import ROOT, programs

PAGE = ROOT / "docs/clusters.md"


def program_with(package):
    """Returns the program that imports a package of executors, and no other one."""
    (program,) = (each for each in programs(PAGE) if f"import {package}\n" in each or f"from {package} import" in each)
    return program


@unittest.skipUnless(PAGE.is_file(), "the documentation is not here")
class Programs(unittest.TestCase):
    def run_program(self, program, *launcher):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "circuits", pathlib.Path(folder) / "circuits")
            file = pathlib.Path(folder) / "many.py"
            file.write_text(program, encoding="utf-8")
            command = [*launcher, file] if launcher else [sys.executable, "-B", file]
            done = subprocess.run(
                command, cwd=folder, env=os.environ | MPI_ENVIRONMENT | {"RAY_AUTH_MODE": "disabled"},
                capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def needs(self, package):
        if not importlib.util.find_spec(package):
            self.skipTest(f"{package} is not installed")

    def check_four(self, output):
        self.assertEqual(output.strip().splitlines()[-1].count("{"), 4, output)

    def test_on_threads(self):
        first, *_ = programs(PAGE)
        lines = self.run_program(first).splitlines()
        self.assertEqual(len(lines), 6)  # three outcomes as they come, and three in order
        self.assertEqual([line[0] for line in lines[3:]], ["0", "1", "2"])

    def test_on_processes(self):
        self.check_four(self.run_program(program_with("concurrent.futures")))

    def test_on_dask(self):
        self.needs("distributed")
        self.check_four(self.run_program(program_with("distributed")))

    def test_on_mpi4py(self):
        self.needs("mpi4py")
        if shutil.which("mpirun") is None:
            self.skipTest("mpirun is not installed")
        launcher = ["mpirun", "-n", "3", sys.executable, "-B", "-m", "mpi4py.futures"]
        self.check_four(self.run_program(program_with("mpi4py.futures"), *launcher))

    def test_on_ray(self):
        self.needs("ray")
        self.check_four(self.run_program(program_with("ray")))


if __name__ == "__main__":
    unittest.main()

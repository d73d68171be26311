"""What `pip install .` compiles (QUARTZ_QUICK_COMPILATION): the precompiled headers serve every module that has them."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A module that uses {fmt}, one that does not, and a file that must not see the headers.
OBJECTS = [
    "src/algebra/CMakeFiles/quartz_algebra.dir/Unity/unity_0_cxx.cxx.o",
    "src/fingerprint/CMakeFiles/quartz_fingerprint.dir/Unity/unity_0_cxx.cxx.o",
    "src/circuit/CMakeFiles/quartz_circuit.dir/gate_table.cpp.o",
]


class QuickCompilation(unittest.TestCase):
    def test_no_module_falls_back_to_headers_that_are_not_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {"QUICK_COMPILATION": "ON", "UNITY_BUILD": "ON", "TESTS": "OFF", "MPI": "OFF", "CUDA": "OFF"}
            definitions = [f"-DQUARTZ_{name}={value}" for name, value in options.items()]
            # With a launcher, no header is precompiled. The headers are the same at every level of optimization.
            definitions += ["-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
            subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions, "--log-level=WARNING"],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            done = subprocess.run(["ninja", "-C", folder, "--verbose", *OBJECTS], capture_output=True, text=True,
                                  check=False)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            self.assertTrue(list(pathlib.Path(folder).rglob("*.gch")))
            # GCC warns (-Winvalid-pch) if it cannot use them, and compiles them again.
            self.assertNotIn("warning", done.stdout)


if __name__ == "__main__":
    unittest.main()

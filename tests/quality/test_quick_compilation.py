"""What `pip install .` compiles (QUARTZ_QUICK_COMPILATION): the precompiled headers serve every module that has them."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A module that uses {fmt}, and one that does not.
OBJECTS = [
    "src/journal/CMakeFiles/quartz_journal.dir/Unity/unity_0_cxx.cxx.o",
    "src/c/CMakeFiles/quartz_c.dir/Unity/unity_0_cxx.cxx.o",
]


def level_of(command):
    """Returns the level of optimization of a command: its last one."""
    return re.findall(r" (-O\w)", command)[-1]


class QuickCompilation(unittest.TestCase):
    def test_no_module_falls_back_to_headers_that_are_not_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {"QUICK_COMPILATION": "ON", "UNITY_BUILD": "ON", "TESTS": "OFF", "MPI": "OFF", "CUDA": "OFF"}
            definitions = [f"-DQUARTZ_{name}={value}" for name, value in options.items()]
            # With a launcher, no header is precompiled.
            definitions += ["-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_BUILD_TYPE=Release"]
            subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions, "--log-level=WARNING"],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            # GCC compiles with the optimization of the headers, whatever the command says.
            commands = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
            levels = [level_of(each["command"]) for each in commands if "cmake_pch" in each["command"]]
            self.assertGreater(len(levels), 8)
            self.assertEqual(set(levels), {"-O1"})
            done = subprocess.run(["ninja", "-C", folder, "--verbose", *OBJECTS], capture_output=True, text=True,
                                  check=False)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            self.assertTrue(list(pathlib.Path(folder).rglob("*.gch")))
            # GCC warns (-Winvalid-pch) if it cannot use them, and compiles them again.
            self.assertNotIn("warning", done.stdout)


if __name__ == "__main__":
    unittest.main()

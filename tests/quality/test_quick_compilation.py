"""What `pip install .` compiles (QUARTZ_QUICK_COMPILATION): few units, also of several modules, and those of no inner loop
with -O1."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A small module, which is compiled completely.
OBJECT = "src/c/CMakeFiles/quartz_c.dir/Unity/unity_0_cxx.cxx.o"


def level_of(command):
    """Returns the level of optimization of a command: its last one."""
    return re.findall(r" (-O\w)", command)[-1]


def compiled_by_tree():
    """Tells whether the release tree has the same units (scripts/test.sh)."""
    cache = ROOT / "build" / "CMakeCache.txt"
    return cache.exists() and "QUARTZ_QUICK_COMPILATION:BOOL=ON" in cache.read_text(encoding="utf-8")


def errors_of(unit):
    """Returns what the compiler says about a unit, warnings included, without compiling it."""
    done = subprocess.run(f"{unit['command']} -fsyntax-only", shell=True, cwd=unit["directory"], capture_output=True,
                          text=True, check=False)  # fmt: skip
    return done.stderr[-4000:] or ("an error" if done.returncode else "")


class QuickCompilation(unittest.TestCase):
    def test_few_units_are_compiled_and_those_of_no_inner_loop_are_optimized_less(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {"QUICK_COMPILATION": "ON", "UNITY_BUILD": "ON", "TESTS": "OFF", "MPI": "OFF", "CUDA": "OFF"}
            definitions = [f"-DQUARTZ_{name}={value}" for name, value in options.items()]
            definitions += ["-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_BUILD_TYPE=Release"]
            subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions, "--log-level=WARNING"],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            commands = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
            self.assertLess(len(commands), 30)
            gate_table = [each["command"] for each in commands if each["file"].endswith("/gate_table.cpp")]
            self.assertEqual([level_of(each) for each in gate_table], ["-O0"])
            for module, level in {
                "quartz_optimize": "-O3",
                "quartz_certify": "-O3",
                "quartz_qasm": "-O3",
                "quartz_target": "-O3",
                "quartz_joined_small": "-O3",
                "quartz_joined_cold": "-O1",
            }.items():
                own = [each["command"] for each in commands if f"/{module}.dir/" in each["command"]]
                levels = {level_of(each) for each in own if each not in gate_table}
                self.assertEqual(levels, {level}, module)
            done = subprocess.run(["ninja", "-C", folder, "--verbose", OBJECT], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            self.assertNotIn("warning", done.stdout)
            # Files with equal names of their own cannot be in one unit, and these units are larger than those of other
            # trees. Those of joined_small have fewer modules in a tree with CUDA.
            targets = "joined_small" if compiled_by_tree() else r"\w+"
            units = [each for each in commands if re.search(rf"/quartz_{targets}\.dir/Unity/", each["command"])]
            self.assertGreater(len(units), 0)
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
                for errors in threads.map(errors_of, units):
                    self.assertEqual(errors, "", errors)


if __name__ == "__main__":
    unittest.main()

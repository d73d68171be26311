"""What `pip install .` compiles (QUARTZ_QUICK_COMPILATION): few units, also of several modules, and those of no inner loop
with -Og."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
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


def commands_of(folder, **options):
    """Configures a tree as pyproject.toml does, with other options if some are given, and returns its compilations."""
    options = {"QUICK_COMPILATION": "ON", "UNITY_BUILD": "ON", "TESTS": "OFF", "MPI": "OFF", "CUDA": "OFF"} | options
    definitions = [f"-DQUARTZ_{name}={value}" for name, value in options.items()]
    definitions += ["-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_BUILD_TYPE=Release"]
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions, "--log-level=WARNING"],
                   check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    return json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))


def compiled_by(commands, folder):
    """Returns the command and the files of each object, by the name of the object."""
    found = {}
    for each in commands:
        file = pathlib.Path(each["file"])
        files = file.read_text(encoding="utf-8") if file.parent.name == "Unity" else file.name
        name = re.search(r" -o (\S+)", each["command"])[1]
        found[name] = (each["command"].replace(folder, ""), files.replace(folder, ""))
    return found


class QuickCompilation(unittest.TestCase):
    def test_trees_with_mpi_and_cuda_share_their_objects_with_the_package(self):
        # ccache then has almost all objects of the package (scripts/install_python_package.sh).
        with tempfile.TemporaryDirectory() as package, tempfile.TemporaryDirectory() as release:
            of_package = compiled_by(commands_of(package), package)
            options = {"MPI": "ON" if shutil.which("mpicxx") else "OFF"}
            options |= {"CUDA": "ON"} if shutil.which("nvcc") else {}
            of_release = compiled_by(commands_of(release, **options), release)
        others = [name for name, compiled in of_package.items() if of_release.get(name) != compiled]
        lists = r"/(backend_list|\w+_backends|ranks_without_mpi)\.cpp\.o$"
        self.assertEqual([name for name in others if not re.search(lists, name)], [])

    def test_few_units_are_compiled_and_those_of_no_inner_loop_are_optimized_less(self):
        with tempfile.TemporaryDirectory() as folder:
            commands = commands_of(folder)
            self.assertLess(len(commands), 30)
            gate_table = [each["command"] for each in commands if each["file"].endswith("/gate_table.cpp")]
            self.assertEqual([level_of(each) for each in gate_table], ["-O0"])
            for module, level in {
                "quartz_optimize": "-O3",
                "quartz_certify": "-O3",
                "quartz_qasm": "-O3",
                "quartz_target": "-O3",
                "quartz_joined_small": "-O3",
                "quartz_joined_cold": "-Og",
            }.items():
                own = [each["command"] for each in commands if f"/{module}.dir/" in each["command"]]
                levels = {level_of(each) for each in own if each not in gate_table}
                self.assertEqual(levels, {level}, module)
            done = subprocess.run(["ninja", "-C", folder, "--verbose", OBJECT], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            self.assertNotIn("warning", done.stdout)
            # Files with equal names of their own cannot be in one unit, and these units are larger than those of other
            # trees.
            if compiled_by_tree():
                return
            units = [each for each in commands if re.search(r"/quartz_\w+\.dir/Unity/", each["command"])]
            self.assertGreater(len(units), 0)
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
                for errors in threads.map(errors_of, units):
                    self.assertEqual(errors, "", errors)


if __name__ == "__main__":
    unittest.main()

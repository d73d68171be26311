"""Several files of a folder can be compiled as one (QUARTZ_UNITY_BUILD): no two of them define the same name."""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compile_only(command):
    """Returns the errors of a compilation without its code, and so without most of its time."""
    words = shlex.split(command["command"])
    words[words.index("-o") + 1] = os.devnull
    done = subprocess.run([*words, "-fsyntax-only", "-w"], cwd=command["directory"], capture_output=True,
                          text=True, check=False)  # fmt: skip
    return done.stderr if done.returncode else ""


def is_unity_build(tree):
    """Returns whether a build tree is one."""
    cache = tree / "CMakeCache.txt"
    return cache.is_file() and "QUARTZ_UNITY_BUILD:BOOL=ON" in cache.read_text(encoding="utf-8")


class UnityBuild(unittest.TestCase):
    @unittest.skipIf(is_unity_build(ROOT / "build"), "build/ is a unity build, which has compiled already")
    def test_the_library_compiles(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["cmake", "-S", ROOT, "-B", folder, "-DQUARTZ_UNITY_BUILD=ON", "-DQUARTZ_TESTS=OFF", "-DQUARTZ_CUDA=OFF",
                 "--log-level=WARNING"],
                check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            commands = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))
            unified = [each for each in commands if "/Unity/" in each["file"]]
            self.assertGreater(len(unified), 20)
            with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                for command, errors in zip(unified, pool.map(compile_only, unified)):
                    with self.subTest(unit=command["file"]):
                        self.assertFalse(errors, errors)


if __name__ == "__main__":
    unittest.main()

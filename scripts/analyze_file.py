#!/usr/bin/env python3
"""Runs the static analyzer of g++ on one file. The exit status is 1 if it warns of a line of the project.

analyze_file.py COMPILE_COMMANDS FILE

The analyzer of g++ 12 is made for C. Two of its checks are left out because they misjudge C++: null pointers, as if an
allocation returned one rather than throw, and values without initialization, which std::optional has on purpose (the
tests run under the sanitizers). Warnings within the headers of libraries are left out as well.
"""

import json
import os
import shlex
import subprocess
import sys

NOT_FOR_CPP = ["null-dereference", "possible-null-dereference", "null-argument", "possible-null-argument",
               "use-of-uninitialized-value"]  # fmt: skip
# Seconds after which a file is given up: the analyzer follows every path, and some files have too many.
LIMIT = 180
REPOSITORY = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def compile_command(database, file):
    """Returns the command that compiles a file, and the folder in which it runs."""
    with open(database, encoding="utf-8") as stream:
        entries = json.load(stream)
    wanted = os.path.realpath(file)
    for entry in entries:
        if os.path.realpath(os.path.join(entry["directory"], entry["file"])) == wanted:
            return shlex.split(entry["command"]), entry["directory"]
    return None, None


def main():
    database, file = sys.argv[1:]
    command, folder = compile_command(database, file)
    if command is None:
        print(f"{file}: not compiled in this build, not analyzed")
        return 0
    if os.path.basename(command[0]) == "ccache":
        del command[0]
    command[command.index("-o") + 1] = os.devnull
    command = [argument for argument in command if not argument.startswith("-O")]
    command += ["-O1", "-fanalyzer", "-fdiagnostics-plain-output"]
    command += [f"-Wno-analyzer-{check}" for check in NOT_FOR_CPP]
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        print(f"{file}: given up after {LIMIT} s")
        return 0
    warnings = [line for line in result.stderr.splitlines()
                if ": warning: " in line and line.startswith(REPOSITORY + os.sep)]  # fmt: skip
    for warning in warnings:
        print(os.path.relpath(warning.split(":")[0], REPOSITORY) + warning[warning.index(":"):])
    if result.returncode != 0:
        print(f"{file}: cannot be compiled\n{result.stderr}")
    return 1 if warnings or result.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())

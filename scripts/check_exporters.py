#!/usr/bin/env python3
"""Runs bench.py programs, which sends programs of Qiskit and pytket through Quartz and back."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.command_line import main

if __name__ == "__main__":
    sys.exit(main(["programs", *sys.argv[1:]]))

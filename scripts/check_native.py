#!/usr/bin/env python3
"""Runs bench.py gate-sets, which checks the native gate sets and compares them with Qiskit."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.command_line import main

if __name__ == "__main__":
    sys.exit(main(["gate-sets", *sys.argv[1:]]))

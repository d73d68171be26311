#!/usr/bin/env python3
"""Runs bench.py limits, which measures how well quartz-opt keeps its time limit."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.command_line import main

if __name__ == "__main__":
    sys.exit(main(["limits", *sys.argv[1:]]))

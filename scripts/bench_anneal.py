#!/usr/bin/env python3
"""Runs bench.py tables, which measures class tables and annealing with them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.command_line import main

if __name__ == "__main__":
    sys.exit(main(["tables", *sys.argv[1:]]))

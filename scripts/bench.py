#!/usr/bin/env python3
"""Runs a benchmark: bench.py SUBCOMMAND ... (bench.py --help lists the subcommands)."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

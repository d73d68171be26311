#!/usr/bin/env python3
"""Runs benchmarks/records.py, which verifies and improves the best circuits that are known."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from benchmarks.records import main

if __name__ == "__main__":
    sys.exit(main())

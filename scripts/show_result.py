#!/usr/bin/env python3
"""Prints what run.sh achieved: sizes before and after, the time, and how the result was checked."""

import argparse
import json
import pathlib

MEASURES = [("total", "gates"), ("two_qubit", "two-qubit gates"), ("t", "T gates"), ("depth", "depth")]


def change(before, after):
    return "" if before == 0 else f"{100 * (after - before) / before:+.1f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("input", "output", "stats", "rules"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--verdict", required=True, help="what quartz-check printed")
    arguments = parser.parse_args()
    stats = json.loads(arguments.stats.read_text())
    rules = json.loads(arguments.rules.read_text())

    print()
    print(f"{arguments.input} -> {arguments.output}")
    print(f"{'':16}{'before':>8}{'after':>8}{'change':>9}")
    for key, name in MEASURES:
        before, after = stats["before"][key], stats["after"][key]
        print(f"{name:16}{before:8}{after:8}{change(before, after):>9}")
    print()
    print(
        f"rules:  {rules['rules']}, from {rules['proofs_proved']} proofs by Z3"
        f" (made in {rules['seconds']['total']:.1f} s)"
    )
    print(f"search: {stats['seconds']:.1f} s, stopped by: {stats['stop_reason']}")
    print(f"check:  {arguments.verdict}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures what the Python package adds to a search: the time of its import, and by how much a call exceeds its time.

    bench_python.py [--calls 10] [--time SECONDS]

Optimizes random circuits of 100 gates on 8 qubits for nam and ibm_heron. Run it with the interpreter of the environment
that has the package (scripts/python_environment.sh prints it), on an idle machine.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "tests"))

import quartz  # noqa: E402
import sample_circuits  # noqa: E402


def import_seconds() -> float:
    """Returns the time of the import in a new process."""
    code = "import time; start = time.perf_counter(); import quartz; print(time.perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def excess_seconds(circuit: quartz.Circuit, gate_set: str, seconds: float) -> float:
    """Returns by how much a call exceeds its time."""
    start = time.perf_counter()
    quartz.optimize(circuit, gate_set, time=seconds)
    return time.perf_counter() - start - seconds


def show(name: str, seconds: list[float]) -> None:
    milliseconds = [1000 * each for each in sorted(seconds)]
    print(f"{name}: median {statistics.median(milliseconds):.0f} ms, worst {milliseconds[-1]:.0f} ms, {len(seconds)} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10)
    parser.add_argument("--time", type=float, default=0.5)
    arguments = parser.parse_args()
    show("import", [import_seconds() for _ in range(arguments.calls)])
    for gate_set in ("nam", "ibm_heron"):
        circuits = [
            quartz.Circuit.from_qasm(sample_circuits.random_qasm(100, 8, seed)) for seed in range(arguments.calls)
        ]
        quartz.optimize(circuits[0], gate_set, time=arguments.time)  # fills the cache of class tables
        excess = [excess_seconds(circuit, gate_set, arguments.time) for circuit in circuits]
        show(f"beyond {arguments.time:g} s, {gate_set}", excess)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures whether quartz-opt keeps its time limit, and how much memory it takes.

    bench_limits.py                       200 circuits, one second each
    bench_limits.py --circuits 20 --time 0.5
    bench_limits.py --limit               exit status 1 if a run takes more than its limit

The circuits have 4 to 10^6 gates on 3 to 10,000 qubits, both drawn from a log-uniform distribution,
and are those of bench_large.py. The seconds of a run are those of its stages without reading,
writing and checking (stage_seconds of --stats); over the time limit T they may be T/10 + 0.5 s. The
figures depend on what else the machine does.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types

import bench_large

APART = {"read", "write", "check"}  # stages that --time does not limit
BINS = [-math.inf, 0, 0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, math.inf]


# quartz-opt's exit code for a result that the check could not decide in its time.
UNVERIFIED = 12


def log_uniform(source, least, most):
    return round(math.exp(source.uniform(math.log(least), math.log(most))))


def circuits(settings):
    source = random.Random(settings.seed)
    for number in range(settings.circuits):
        yield types.SimpleNamespace(
            gates=log_uniform(source, 4, settings.most_gates),
            qubits=log_uniform(source, 3, settings.most_qubits),
            angles=source.choice(["few", "distinct"]),
            seed=settings.seed + number,
        )


def run(settings, circuit, folder):
    """The seconds over the limit, the seconds of the check, and bytes at most."""
    source, stats = folder / "in.qasm", folder / "stats.json"
    source.write_text(bench_large.circuit(circuit))
    command = [settings.program, source, "--output", folder / "out.qasm", "--stats", stats]
    command += ["--quiet", "--gate-set", settings.gate_set, "--time", f"{settings.time}s"]
    command += ["--check-time", f"{settings.check_time}s"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, UNVERIFIED):
        sys.exit(f"{describe(circuit)}: exit status {code}: {messages}")
    stages = json.loads(stats.read_text())["stage_seconds"]
    seconds = sum(value for stage, value in stages.items() if stage not in APART)
    return seconds - settings.time, stages["check"], usage.ru_maxrss * 1024


def describe(circuit):
    return f"{circuit.gates} gates on {circuit.qubits} qubits, seed {circuit.seed}"


def histogram(values):
    """A line for each bin that has values: its bounds, their number, and a bar."""
    lines = []
    for low, high in zip(BINS, BINS[1:]):
        count = sum(low < value <= high for value in values)
        if count:
            lines.append(f"{low:8g} to {high:4g} s {count:5}  {'#' * max(1, count * 50 // len(values))}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    built = pathlib.Path(__file__).resolve().parents[1] / "build" / "bin" / "quartz-opt"
    parser.add_argument("--program", default=built, metavar="FILE")
    parser.add_argument("--circuits", type=int, default=200)
    parser.add_argument("--time", type=float, default=1, help="seconds of each search")
    parser.add_argument("--check-time", type=float, default=1, help="seconds of each check")
    parser.add_argument("--gate-set", default="nam")
    parser.add_argument("--most-gates", type=int, default=1_000_000)
    parser.add_argument("--most-qubits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", action="store_true",
                        help="fail if a run is more than a tenth of the time and 0.5 s over")
    settings = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as name:
        for circuit in circuits(settings):
            results.append((*run(settings, circuit, pathlib.Path(name)), circuit))
    results.sort(key=lambda result: result[0])
    print(f"seconds over --time {settings.time:g}s, reading, writing and checking apart:")
    print("\n".join(histogram([over for over, _, _, _ in results])))
    allowed = settings.time / 10 + 0.5
    for over, _, _, circuit in results[-5:]:
        print(f"{over:+.2f} s: {describe(circuit)}")
    check = max(results, key=lambda result: result[1])
    memory = max(results, key=lambda result: result[2])
    print(f"longest check: {check[1]:.2f} s, {describe(check[3])}")
    print(f"most memory: {memory[2] / 2**20:.0f} MiB, {describe(memory[3])}")
    too_long = sum(over > allowed for over, _, _, _ in results)
    print(f"{too_long} of {len(results)} more than {allowed:g} s over")
    if settings.limit and too_long:
        sys.exit(1)


if __name__ == "__main__":
    main()

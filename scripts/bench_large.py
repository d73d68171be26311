#!/usr/bin/env python3
"""Measures quartz-opt on a large circuit that is only read, folded, checked and written.

    bench_large.py                              a million gates on 100 qubits
    bench_large.py --gates 100000 --qubits 20
    bench_large.py --programs OLD NEW           two builds in turn, and the ratio of their times

Of the gates 40% are cx, 20% h and 40% rz, on qubits drawn at random. Their angles are six that
repeat, or (--angles distinct) all different, as programs print doubles. Each program runs with its
check of the result and without, in turn. Times are seconds of the processor, the least of a few
runs; what each stage takes, and what the check said, is from the same run.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ANGLES = ["pi/4", "-pi/4", "0.25*pi", "3*pi/8", "1.5707963267948966", "-0.3"]


def circuit(settings):
    source = random.Random(settings.seed)
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{settings.qubits}];"]
    for _ in range(settings.gates):
        kind = source.random()
        if kind < 0.4:
            control, target = source.sample(range(settings.qubits), 2)
            lines.append(f"cx q[{control}],q[{target}];")
            continue
        qubit = source.randrange(settings.qubits)
        if kind < 0.6:
            lines.append(f"h q[{qubit}];")
        elif settings.angles == "distinct":
            lines.append(f"rz({source.uniform(-6, 6)!r}) q[{qubit}];")
        else:
            lines.append(f"rz({source.choice(ANGLES)}) q[{qubit}];")
    return "\n".join(lines) + "\n"


def run(program, checks, source, folder):
    """Seconds of the processor, bytes at most, the figures of --stats, and the output."""
    target, stats = folder / "out.qasm", folder / "stats.json"
    command = [program, source, "--output", target, "--stats", stats, "--quiet"]
    command += ["--gate-set", "nam", "--search", "backtrack", "--time", "0s", "--threads", "1"]
    command += ["--check-time", "60s"] if checks else ["--no-check"]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{program}: exit status {os.waitstatus_to_exitcode(status)}")
    seconds = usage.ru_utime + usage.ru_stime
    return seconds, usage.ru_maxrss * 1024, json.loads(stats.read_text()), target.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    built = pathlib.Path(__file__).resolve().parents[1] / "build" / "bin" / "quartz-opt"
    parser.add_argument("--programs", nargs="+", default=[built], metavar="FILE")
    parser.add_argument("--gates", type=int, default=1_000_000)
    parser.add_argument("--qubits", type=int, default=100)
    parser.add_argument("--angles", choices=["few", "distinct"], default="few")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "in.qasm"
        source.write_text(circuit(settings))
        best = {}
        for _ in range(settings.runs):
            for program in settings.programs:
                for checks in (True, False):
                    result = run(program, checks, source, folder)
                    key = program, checks
                    if key not in best or result[0] < best[key][0]:
                        best[key] = result
    report(settings.programs, best)


def report(programs, best):
    """A line for each program with and without its check, and how it compares with the first."""
    for (program, checks), (seconds, memory, stats, output) in best.items():
        stages = ", ".join(f"{stage} {value:.2f}" for stage, value in stats["stage_seconds"].items())
        kind = "with its check" if checks else "without it"
        print(f"{program}, {kind}: {seconds:.2f} s, {memory / 2**20:.0f} MiB; {stages}")
        if checks:
            print(f"  checked: {stats['checked']}")
        if program != programs[0]:
            first = best[programs[0], checks]
            same = "the same output" if output == first[3] else "ANOTHER OUTPUT"
            print(f"  {first[0] / seconds:.2f} times as fast as the first, {same}")


if __name__ == "__main__":
    main()

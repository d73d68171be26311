#!/usr/bin/env python3
"""Measures quartz-gen: time, classes and peak memory for growing sizes.

    bench_gen.py --sizes 3,3 4,3 5,3

Reference counts are those of the forerunner, run with the gate set nam on 3 qubits.
"""

import argparse
import json
import pathlib
import sys

import bench_programs
import bench_tables

# Circuits kept and classes found for (gates, qubits), from the forerunner.
REFERENCE = {
    "nam": {
        (2, 3): (466, 397),
        (3, 3): (4496, 4179),
        (4, 3): (38357, 36177),
        (5, 3): (283981, 269963),
    }
}


def generate(settings, gates, qubits):
    stem = settings.work / f"{settings.gate_set}_{gates}_{qubits}"
    stats = stem.with_suffix(".stats.json")
    command = [bench_programs.COMMANDS / "quartz-gen", "--gate-set", settings.gate_set]
    command += ["--gates", gates, "--qubits", qubits, "--output", stem.with_suffix(".json")]
    command += ["--stats", stats, "--threads", settings.threads]
    try:
        bench_programs.run(command, settings.timeout)
    except bench_programs.Failure as failure:
        return {"failed": str(failure)}
    return json.loads(stats.read_text())


def show(results, reference):
    rows = [
        ["gates,qubits", "seconds", "circuits", "(reference)", "classes", "(reference)"]
        + ["proofs", "unknown", "rules", "peak MiB"]
    ]
    for size, stats in results.items():
        circuits, classes = (str(count) for count in reference.get(size, ("", "")))
        row = [f"{size[0]},{size[1]}"]
        if "failed" in stats:
            row += ["failed", "", circuits, "", classes, "", "", "", ""]
        else:
            row += [f"{stats['seconds']['total']:.2f}"]
            row += [str(stats["circuits_enumerated"]), circuits]
            row += [str(stats["classes_enumerated"]), classes]
            row += [str(stats[key]) for key in ("proofs_proved", "proofs_unknown", "rules")]
            row += [f"{stats['peak_memory_bytes'] / 2**20:.0f}"]
        rows.append(row)
    bench_tables.print_table(rows)
    for (gates, qubits), stats in results.items():
        if "failed" in stats:
            print(f"{gates},{qubits}: {stats['failed']}")


def size_pair(text):
    gates, qubits = text.split(",")
    return int(gates), int(qubits)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gate-set", default="nam")
    parser.add_argument(
        "--sizes", nargs="+", type=size_pair, default=[(3, 3), (4, 3), (5, 3)],
        metavar="GATES,QUBITS",
    )  # fmt: skip
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--timeout", type=float, default=1800, metavar="SECONDS")
    parser.add_argument(
        "--json", type=pathlib.Path, default=bench_programs.ROOT / "build/bench/generate.json"
    )
    parser.add_argument(
        "--work", type=pathlib.Path, default=bench_programs.ROOT / "build/bench/rules"
    )
    settings = parser.parse_args()
    settings.work.mkdir(parents=True, exist_ok=True)

    results = {}
    for gates, qubits in settings.sizes:
        print(f"{gates},{qubits} ...", file=sys.stderr)
        results[gates, qubits] = generate(settings, gates, qubits)
    sizes = {f"{gates},{qubits}": stats for (gates, qubits), stats in results.items()}
    document = bench_programs.record() | {"gate_set": settings.gate_set, "sizes": sizes}
    settings.json.write_text(json.dumps(document, indent=1) + "\n")
    show(results, REFERENCE.get(settings.gate_set, {}))
    print(f"\nwritten: {settings.json}")
    if any("failed" in stats for stats in results.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()

"""Measures quartz-gen: time, classes and peak memory of growing rule sets.

    bench.py gen --sizes 3,3 4,3 5,3

The reference counts are those of the original Quartz, for the gate set nam on 3 qubits.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import Any

from benchmarks import programs, provenance
from benchmarks.programs import COMMANDS, Failure
from benchmarks.text_table import print_table

Size = tuple[int, int]  # gates, qubits

# Circuits enumerated and classes found by the original Quartz.
REFERENCE: dict[str, dict[Size, tuple[int, int]]] = {
    "nam": {
        (2, 3): (466, 397),
        (3, 3): (4496, 4179),
        (4, 3): (38357, 36177),
        (5, 3): (283981, 269963),
    }
}


def generate(settings: argparse.Namespace, size: Size) -> dict[str, Any]:
    """Returns the statistics of one run of quartz-gen, or {"failed": reason}."""
    gates, qubits = size
    stem = settings.work / f"{settings.gate_set}_{gates}_{qubits}"
    stats = stem.with_suffix(".stats.json")
    command = [COMMANDS / "quartz-gen", *programs.options(
        gate_set=settings.gate_set, gates=gates, qubits=qubits, output=stem.with_suffix(".json"),
        stats=stats, threads=settings.threads,
    )]  # fmt: skip
    try:
        programs.run(command, settings.timeout)
    except Failure as failure:
        return {"failed": str(failure)}
    return json.loads(stats.read_text(encoding="utf-8"))


def row_of(size: Size, stats: dict[str, Any], reference: dict[Size, tuple[int, int]]) -> list[str]:
    """Returns the row of the table for one size."""
    circuits, classes = (str(count) for count in reference.get(size, ("", "")))
    name = f"{size[0]},{size[1]}"
    if "failed" in stats:
        return [name, "failed", "", circuits, "", classes, "", "", "", ""]
    return [
        name,
        f"{stats['seconds']['total']:.2f}",
        str(stats["circuits_enumerated"]),
        circuits,
        str(stats["classes_enumerated"]),
        classes,
        *(str(stats[key]) for key in ("proofs_proved", "proofs_unknown", "rules")),
        f"{stats['peak_memory_bytes'] / 2**20:.0f}",
    ]


def show(found: dict[Size, dict[str, Any]], reference: dict[Size, tuple[int, int]]) -> None:
    """Prints the table, and the reason of each failure."""
    head = ["gates,qubits", "seconds", "circuits", "(reference)", "classes", "(reference)"]
    head += ["proofs", "unknown", "rules", "peak MiB"]
    print_table([head, *(row_of(size, stats, reference) for size, stats in found.items())])
    for (gates, qubits), stats in found.items():
        if "failed" in stats:
            print(f"{gates},{qubits}: {stats['failed']}")


def size_pair(text: str) -> Size:
    gates, qubits = text.split(",")
    return int(gates), int(qubits)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--gate-set", default="nam")
    add("--sizes", nargs="+", type=size_pair, default=[(3, 3), (4, 3), (5, 3)],
        metavar="GATES,QUBITS")  # fmt: skip
    add("--threads", type=int, default=0, help="0 for all cores")
    add("--timeout", type=float, default=1800, metavar="SECONDS", help="limit for each size")
    add("--json", type=pathlib.Path, default=programs.RESULTS / "generate.json", metavar="FILE")
    add("--work", type=pathlib.Path, default=programs.RESULTS / "rules", metavar="FOLDER",
        help="folder of the rule sets")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-gen")
    settings.work.mkdir(parents=True, exist_ok=True)
    found: dict[Size, dict[str, Any]] = {}
    for size in settings.sizes:
        print(f"{size[0]},{size[1]} ...", file=sys.stderr)
        found[size] = generate(settings, size)
    sizes = {f"{gates},{qubits}": stats for (gates, qubits), stats in found.items()}
    document = provenance.record() | {"gate_set": settings.gate_set, "sizes": sizes}
    provenance.write_json(settings.json, document)
    show(found, REFERENCE.get(settings.gate_set, {}))
    print(f"\nwritten: {settings.json}")
    return int(any("failed" in stats for stats in found.values()))

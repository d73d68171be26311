"""Measures class tables and annealing with them: what a table costs to build and to keep, and how
many moves one thread makes per second, by the depth of the table and the size of the circuit.

    bench.py tables --costs 4 5 6 7 --bits 12 1400

The circuits are Cuccaro adders of the given numbers of bits (scripts/make_circuits.py).
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys
from typing import Any

from benchmarks import programs, provenance
from benchmarks.programs import COMMANDS, ROOT
from benchmarks.text_table import print_table

LONGEST_RUN_SECONDS = 3600


def run_with_stats(command: list[Any], stats: pathlib.Path) -> dict[str, Any]:
    """Runs a command with --stats and returns the statistics."""
    programs.run([*command, "--stats", stats], LONGEST_RUN_SECONDS)
    return json.loads(stats.read_text(encoding="utf-8"))


def table_command(settings: argparse.Namespace, table: pathlib.Path, cost: int) -> list[Any]:
    """Returns the command that builds a class table. Commits before the subcommand `table` of
    quartz-gen have an option --table instead."""
    generator = COMMANDS / "quartz-gen"
    common = programs.options(gate_set=settings.gate_set, threads=settings.threads, quiet=True)
    if not re.search(r"^ +table\b", programs.run([generator, "--help"], 60), re.M):
        return [generator, *common, *programs.options(table=table, table_cost=cost)]
    help_of_table = programs.run([generator, "table", "--help"], 60)
    cost_option = "--table-cost" if "--table-cost" in help_of_table else "--cost"
    return [generator, "table", *common, "--output", table, cost_option, cost]


def build_table(settings: argparse.Namespace, cost: int) -> tuple[pathlib.Path, dict[str, Any]]:
    """Builds a class table and returns its file and the statistics."""
    table = settings.work / f"{settings.gate_set}_{cost}.table"
    command = table_command(settings, table, cost)
    return table, run_with_stats(command, table.with_suffix(".json"))


def write_adder(settings: argparse.Namespace, bits: int) -> pathlib.Path:
    """Writes a Cuccaro adder."""
    path = settings.work / f"cuccaro_adder_{bits}.qasm"
    script = [sys.executable, ROOT / "scripts/make_circuits.py"]
    text = programs.run([*script, *programs.options(family="cuccaro_adder", size=bits)], 60)
    path.write_text(text, encoding="utf-8")
    return path


def anneal(
    settings: argparse.Namespace, circuit: pathlib.Path, table: pathlib.Path
) -> dict[str, Any]:
    """Returns the gates at the start and at the end, and the moves per second."""
    command = [COMMANDS / "quartz-opt", circuit, *programs.options(
        gate_set=settings.gate_set, search="anneal", steps=settings.moves, threads=1, no_check=True,
        table=table, quiet=True, output=settings.work / "out.qasm",
    )]  # fmt: skip
    stats = run_with_stats(command, settings.work / "out.json")
    seconds = next(entry["seconds"] for entry in stats["passes"] if entry["pass"] == "anneal")
    return {
        "gates_before": stats["before"]["total"],
        "gates_after": stats["after"]["total"],
        "moves": stats["annealing_moves"],
        "seconds": seconds,
        "moves_per_second": stats["annealing_moves"] / seconds,
    }


def show(found: list[dict[str, Any]]) -> None:
    """Prints the table."""
    sizes = found[-1]["circuits"]
    heads = (f"M moves/s, {size['gates_before']} to {size['gates_after']} gates" for size in sizes)
    rows = [["cost", "classes", "bytes/class", "MB", "build s", *heads]]
    for each in found:
        table = each["table"]
        row = [str(table["cost"]), str(sum(table["classes"])), f"{table['bytes_per_class']:.2f}"]
        row += [f"{table['bytes'] / 1e6:.1f}", f"{table['seconds']['build']:.2f}"]
        row += [f"{run['moves_per_second'] / 1e6:.2f}" for run in each["circuits"]]
        rows.append(row)
    print_table(rows)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--gate-set", default="nam")
    add("--costs", nargs="+", type=int, default=[4, 5, 6, 7], help="costs of the tables")
    add("--bits", nargs="+", type=int, default=[12, 1400], help="bits of the adders")
    add("--moves", type=int, default=4_000_000, help="moves of each annealing")
    add("--threads", type=int, default=0, help="threads that build tables; 0 for all cores")
    add("--json", type=pathlib.Path, default=programs.RESULTS / "anneal.json", metavar="FILE")
    add("--work", type=pathlib.Path, default=programs.RESULTS / "anneal", metavar="FOLDER",
        help="folder of the tables and circuits")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-gen", "quartz-opt")
    settings.work.mkdir(parents=True, exist_ok=True)
    adders = [write_adder(settings, bits) for bits in settings.bits]
    found = []
    for cost in settings.costs:
        print(f"cost {cost} ...", file=sys.stderr)
        table, stats = build_table(settings, cost)
        runs = [anneal(settings, adder, table) for adder in adders]
        found.append({"table": stats, "circuits": runs})
    document = provenance.record() | {"gate_set": settings.gate_set, "results": found}
    provenance.write_json(settings.json, document)
    show(found)
    print(f"\nwritten: {settings.json}")
    return 0

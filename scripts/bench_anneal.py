#!/usr/bin/env python3
"""Measures class tables and the annealing over them: what a table costs to build and to keep, and
how many windows one thread looks at in a second, by the table's depth and the circuit's size.

    bench_anneal.py --costs 4 5 6 7 --bits 12 1400

Circuits are Cuccaro adders on so many bits (scripts/make_circuits.py), in the gate set.
"""

import argparse
import json
import pathlib
import sys

import bench_programs
import bench_tables


def read_stats(command, stats):
    bench_programs.run([*command, "--stats", stats], 3600)
    return json.loads(stats.read_text())


def build_table(settings, cost):
    table = settings.work / f"{settings.gate_set}_{cost}.table"
    command = [bench_programs.COMMANDS / "quartz-gen", "table", "--gate-set", settings.gate_set]
    command += ["--quiet", "--output", table, "--cost", cost, "--threads", settings.threads]
    return table, read_stats(command, table.with_suffix(".json"))


def write_adder(settings, bits):
    path = settings.work / f"cuccaro_adder_{bits}.qasm"
    script = [sys.executable, bench_programs.SCRIPTS / "make_circuits.py"]
    path.write_text(bench_programs.run([*script, "--family", "cuccaro_adder", "--size", bits], 60))
    return path


def anneal(settings, circuit, table):
    """Gates at the start and at the end, and moves a second."""
    command = [bench_programs.COMMANDS / "quartz-opt", circuit, "--gate-set", settings.gate_set]
    command += ["--search", "anneal", "--steps", settings.moves, "--threads", 1, "--no-check"]
    command += ["--table", table, "--quiet", "--output", settings.work / "out.qasm"]
    stats = read_stats(command, settings.work / "out.json")
    seconds = next(entry["seconds"] for entry in stats["passes"] if entry["pass"] == "anneal")
    return {
        "gates_before": stats["before"]["total"],
        "gates_after": stats["after"]["total"],
        "moves": stats["annealing_moves"],
        "seconds": seconds,
        "moves_a_second": stats["annealing_moves"] / seconds,
    }


def show(results, sizes):
    heads = (f"M moves/s, {size['gates_before']} to {size['gates_after']} gates" for size in sizes)
    rows = [["cost", "classes", "bytes a class", "MB", "build s", *heads]]
    for result in results:
        table = result["table"]
        row = [str(table["cost"]), str(sum(table["classes"])), f"{table['bytes_per_class']:.2f}"]
        row += [f"{table['bytes'] / 1e6:.1f}", f"{table['seconds']['build']:.2f}"]
        row += [f"{run['moves_a_second'] / 1e6:.2f}" for run in result["circuits"]]
        rows.append(row)
    bench_tables.print_table(rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gate-set", default="nam")
    parser.add_argument("--costs", nargs="+", type=int, default=[4, 5, 6, 7], help="of the tables")
    parser.add_argument("--bits", nargs="+", type=int, default=[12, 1400], help="of the adders")
    parser.add_argument("--moves", type=int, default=4_000_000)
    parser.add_argument("--threads", type=int, default=0, help="to build tables; 0: all cores")
    parser.add_argument(
        "--json", type=pathlib.Path, default=bench_programs.ROOT / "build/bench/anneal.json"
    )
    parser.add_argument(
        "--work", type=pathlib.Path, default=bench_programs.ROOT / "build/bench/anneal"
    )
    settings = parser.parse_args()
    bench_programs.require_commands("quartz-gen", "quartz-opt")
    settings.work.mkdir(parents=True, exist_ok=True)

    adders = [write_adder(settings, bits) for bits in settings.bits]
    results = []
    for cost in settings.costs:
        print(f"cost {cost} ...", file=sys.stderr)
        table, stats = build_table(settings, cost)
        runs = [anneal(settings, adder, table) for adder in adders]
        results.append({"table": stats, "circuits": runs})
    document = bench_programs.record() | {"gate_set": settings.gate_set, "results": results}
    settings.json.write_text(json.dumps(document, indent=1) + "\n")
    show(results, results[-1]["circuits"])
    print(f"\nwritten: {settings.json}")


if __name__ == "__main__":
    main()

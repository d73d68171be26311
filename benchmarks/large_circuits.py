"""Measures quartz-opt on a large circuit that is only read, folded, checked and written.

    bench.py large                              a million gates on 100 qubits
    bench.py large --gates 100000 --qubits 20
    bench.py large --programs OLD NEW           two builds, interleaved, and the ratio of their times

The circuit has 40% cx, 20% h and 40% rz gates on random qubits. The angles are taken from six values
or, with --angles distinct, are all different, printed as doubles. Each program runs with and without
its check of the result. Times are processor seconds, the minimum of several runs; the times of the
stages and the verdict of the check are from the same run.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import tempfile
from typing import Any

from benchmarks import programs
from benchmarks.programs import COMMANDS, Usage
from benchmarks.random_circuits import RandomCircuit


@dataclasses.dataclass(frozen=True)
class Run:
    usage: Usage
    stats: dict[str, Any]
    output: bytes


def run_once(program: str, checks: bool, source: pathlib.Path, folder: pathlib.Path) -> Run:
    """Runs one program on the circuit."""
    output, stats = folder / "out.qasm", folder / "stats.json"
    options = programs.options(
        output=output, stats=stats, quiet=True, gate_set="nam", search="backtrack", time="0s",
        threads=1, check_time="60s" if checks else None, no_check=not checks,
    )  # fmt: skip
    usage = programs.run_measured([program, source, *options])
    return Run(usage, json.loads(stats.read_text(encoding="utf-8")), output.read_bytes())


def fastest_runs(settings: argparse.Namespace) -> dict[tuple[str, bool], Run]:
    """Returns the fastest run of each program with its check and without it."""
    circuit = RandomCircuit(
        settings.gates, settings.qubits, settings.angles == "distinct", settings.seed
    )
    best: dict[tuple[str, bool], Run] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "in.qasm"
        source.write_text(circuit.to_qasm(), encoding="utf-8")
        for _ in range(settings.runs):
            for program in settings.programs:
                for checks in (True, False):
                    found = run_once(program, checks, source, folder)
                    key = program, checks
                    if (
                        key not in best
                        or found.usage.processor_seconds < best[key].usage.processor_seconds
                    ):
                        best[key] = found
    return best


def show(first_program: str, best: dict[tuple[str, bool], Run]) -> None:
    """Prints the runs of each program, compared with those of the first."""
    for (program, checks), run in best.items():
        stages = ", ".join(
            f"{stage} {value:.2f}" for stage, value in run.stats["stage_seconds"].items()
        )
        seconds, memory = run.usage.processor_seconds, run.usage.peak_memory_bytes
        kind = "with the check" if checks else "without the check"
        print(f"{program}, {kind}: {seconds:.2f} s, {memory / 2**20:.0f} MiB; {stages}")
        if checks:
            print(f"  checked: {run.stats['checked']}")
        if program != first_program:
            first = best[first_program, checks]
            same = "same output" if run.output == first.output else "DIFFERENT OUTPUT"
            factor = first.usage.processor_seconds / seconds
            print(f"  {factor:.2f} times as fast as the first program, {same}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--programs", nargs="+", default=[str(COMMANDS / "quartz-opt")], metavar="FILE",
        help="builds of quartz-opt")  # fmt: skip
    add("--gates", type=int, default=1_000_000)
    add("--qubits", type=int, default=100)
    add("--angles", choices=["few", "distinct"], default="few")
    add("--runs", type=int, default=3, help="runs of each program")
    add("--seed", type=int, default=1)


def run(settings: argparse.Namespace) -> int:
    show(settings.programs[0], fastest_runs(settings))
    return 0

"""Measures whether the certificate keeps pace with the search of quartz-opt: what it finds, what it
writes, and what that costs.

    bench.py certificate FILE...                  60 seconds and two threads each
    bench.py certificate FILE... --gates 1000000  and a random circuit of a million gates
    bench.py certificate FILE... --slow-down      and how much slower the search is than unchecked
    bench.py certificate FILE... --limit          exit status 1 unless every bar is met

The circuit that is written is the best one that is certified. A run meets the bars if that is within
1% of the best one found and the check after the search takes less than 5% of the time. The search
makes at least 90% of the moves that it makes with --no-check, in the same time on the same machine.
Nothing else should run on it.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import tempfile
from typing import Any

from benchmarks import programs
from benchmarks.limits import CircuitFile
from benchmarks.programs import COMMANDS, Failure
from benchmarks.random_circuits import RandomCircuit
from benchmarks.text_table import percent, print_table, with_unit_prefix

MOST_LOST = 0.01  # a fraction of the gates of the best circuit found
MOST_CHECK = 0.05  # a fraction of the time asked for
LEAST_MOVES = 0.9  # a fraction of the moves without a check


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    found: int  # gates of the best circuit of the search
    written: int
    is_verified: bool
    checked: str  # what the summary says of the check
    check_share: float  # time of the check after the search, in units of the time asked for
    peak_memory_bytes: int
    moves_ratio: float | None = None  # moves of annealing with the check, divided by those without

    @property
    def lost(self) -> float:
        """The gates that are written in excess of the best circuit, as a fraction of it."""
        return (self.written - self.found) / self.found if self.found else 0.0

    def faults(self) -> list[str]:
        """Returns the bars that the run does not meet."""
        found = []
        if not self.is_verified:
            found.append("undecided")
        if self.lost > MOST_LOST:
            found.append(f"the circuit written is more than {MOST_LOST:.0%} above the best")
        if self.check_share >= MOST_CHECK:
            found.append(f"the check takes {MOST_CHECK:.0%} of the time or more")
        if self.moves_ratio is not None and self.moves_ratio < LEAST_MOVES:
            found.append(f"the search makes less than {LEAST_MOVES:.0%} of the moves")
        return found


def run_of(
    name: str, stats: dict[str, Any], seconds: float, memory: int, moves_ratio: float | None = None
) -> Run:
    """Returns the figures of a run by its statistics."""
    written = stats["after"]["total"]
    best = stats["uncertified"]  # the cost of a better circuit that was found, such as "total 153710"
    return Run(
        name, written if best is None else int(best.split()[-1]), written,
        stats["verified"] is True, stats["checked"], stats["stage_seconds"]["check"] / seconds,
        memory, moves_ratio,
    )  # fmt: skip


def optimize(
    settings: argparse.Namespace, source: pathlib.Path, folder: pathlib.Path, *, checks: bool
) -> tuple[dict[str, Any], int]:
    """Runs quartz-opt, and returns its statistics and the memory that it took."""
    stats = folder / "stats.json"
    options = programs.options(
        output=folder / "out.qasm", stats=stats, quiet=True, gate_set=settings.gate_set,
        cost="total", time=f"{settings.time}s", threads=settings.threads, seed=settings.seed,
        no_check=not checks,
    )  # fmt: skip
    usage = programs.run_measured([settings.program, source, *options], programs.WRITTEN)
    return json.loads(stats.read_text(encoding="utf-8")), usage.peak_memory_bytes


def measure(
    settings: argparse.Namespace, circuit: RandomCircuit | CircuitFile, folder: pathlib.Path
) -> Run:
    source = folder / "in.qasm"
    source.write_text(circuit.to_qasm(), encoding="utf-8")
    try:
        stats, memory = optimize(settings, source, folder, checks=True)
        ratio = None
        if settings.slow_down:
            unchecked, _ = optimize(settings, source, folder, checks=False)
            if unchecked["annealing_moves"]:
                ratio = stats["annealing_moves"] / unchecked["annealing_moves"]
    except Failure as failure:
        raise Failure(f"{circuit.describe()}: {failure}") from None
    return run_of(circuit.describe(), stats, settings.time, memory, ratio)


def show(runs: list[Run]) -> int:
    """Prints a table, and how each result was checked. Returns the number of runs with faults."""
    rows = [["circuit", "found", "written", "lost", "check", "moves", "memory"]]
    for run in runs:
        moves = "" if run.moves_ratio is None else percent(run.moves_ratio - 1)
        rows.append([
            run.name, str(run.found), str(run.written), percent(run.lost),
            f"{run.check_share:.1%}", moves, with_unit_prefix(run.peak_memory_bytes) + "B",
        ])  # fmt: skip
    print_table(rows)
    for run in runs:
        print(f"{run.name}: {run.checked}")
    for run in runs:
        for fault in run.faults():
            print(f"not met: {run.name}: {fault}")
    return sum(bool(run.faults()) for run in runs)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", type=pathlib.Path, nargs="*", metavar="FILE", help="circuits")
    add("--gates", type=int, default=0, help="also a random circuit with as many gates")
    add("--qubits", type=int, default=100, help="qubits of the random circuit")
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="PROGRAM")
    add("--time", type=float, default=60, help="seconds of each search")
    add("--threads", type=int, default=2, help="threads of each search")
    add("--gate-set", default="nam")
    add("--seed", type=int, default=0)
    add("--slow-down", action="store_true",
        help="also run each circuit without a check, and compare the moves")  # fmt: skip
    add("--limit", action="store_true", help="fail if a run does not meet a bar")


def run(settings: argparse.Namespace) -> int:
    circuits: list[RandomCircuit | CircuitFile] = [CircuitFile(path) for path in settings.files]
    if settings.gates:
        circuits.append(RandomCircuit(settings.gates, settings.qubits, False, 1))
    if not circuits:
        raise Failure("name circuits, or a number of --gates")
    with tempfile.TemporaryDirectory() as name:
        runs = [measure(settings, circuit, pathlib.Path(name)) for circuit in circuits]
    faults = show(runs)
    return int(settings.limit and faults > 0)

"""Measures whether quartz-opt keeps its time limit, and how much memory it takes.

    bench.py limits                       200 circuits, one second each
    bench.py limits --circuits 20 --time 0.5
    bench.py limits --limit               exit status 1 if a run exceeds its limit

The circuits have 4 to 10^6 gates on 3 to 10,000 qubits, both from a log-uniform distribution; they
consist of cx, h and rz. The seconds of a run are those of its stages without reading, writing and
checking (stage_seconds of --stats). They may exceed the time limit T by T/10 + 0.5 s. The results
depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import math
import pathlib
import random
import tempfile
from collections.abc import Iterator, Sequence

from benchmarks import programs
from benchmarks.programs import COMMANDS, Failure
from benchmarks.random_circuits import RandomCircuit

UNLIMITED_STAGES = {"read", "write", "check"}  # stages that --time does not limit
BINS = [-math.inf, 0, 0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, math.inf]


@dataclasses.dataclass(frozen=True)
class Run:
    circuit: RandomCircuit
    over: float  # seconds above the time limit; negative if the run ended before
    check_seconds: float
    peak_memory_bytes: int


def allowance(seconds: float) -> float:
    """Returns by how much a run may exceed its time limit."""
    return seconds / 10 + 0.5


def log_uniform(source: random.Random, least: float, most: float) -> int:
    """Returns a random integer with a log-uniform distribution."""
    return round(math.exp(source.uniform(math.log(least), math.log(most))))


def random_circuits(settings: argparse.Namespace) -> Iterator[RandomCircuit]:
    """Draws the circuits; the same ones for the same seed."""
    source = random.Random(settings.seed)
    for number in range(settings.circuits):
        yield RandomCircuit(
            gates=log_uniform(source, 4, settings.most_gates),
            qubits=log_uniform(source, 3, settings.most_qubits),
            distinct_angles=source.choice([False, True]),
            seed=settings.seed + number,
        )


def run_once(settings: argparse.Namespace, circuit: RandomCircuit, folder: pathlib.Path) -> Run:
    """Runs quartz-opt on one circuit."""
    source, stats = folder / "in.qasm", folder / "stats.json"
    source.write_text(circuit.to_qasm(), encoding="utf-8")
    options = programs.options(
        output=folder / "out.qasm", stats=stats, quiet=True, gate_set=settings.gate_set,
        time=f"{settings.time}s", check_time=f"{settings.check_time}s",
    )  # fmt: skip
    try:
        usage = programs.run_measured([settings.program, source, *options], programs.WRITTEN)
    except Failure as failure:
        raise Failure(f"{circuit.describe()}: {failure}") from None
    stages = json.loads(stats.read_text(encoding="utf-8"))["stage_seconds"]
    seconds = sum(value for stage, value in stages.items() if stage not in UNLIMITED_STAGES)
    return Run(circuit, seconds - settings.time, stages["check"], usage.peak_memory_bytes)


def histogram(values: Sequence[float]) -> list[str]:
    """Returns a line for each bin that is not empty: its bounds, its count, and a bar."""
    lines = []
    for low, high in itertools.pairwise(BINS):
        count = sum(low < value <= high for value in values)
        if count:
            bar = "#" * max(1, count * 50 // len(values))
            lines.append(f"{low:8g} to {high:4g} s {count:5}  {bar}")
    return lines


def show(runs: list[Run], seconds: float) -> int:
    """Prints the distribution and the extremes. Returns the number of runs that took too long."""
    runs = sorted(runs, key=lambda run: run.over)
    print(f"seconds above --time {seconds:g}s, without reading, writing and checking:")
    print("\n".join(histogram([run.over for run in runs])))
    for run in runs[-5:]:
        print(f"{run.over:+.2f} s: {run.circuit.describe()}")
    check = max(runs, key=lambda run: run.check_seconds)
    memory = max(runs, key=lambda run: run.peak_memory_bytes)
    print(f"longest check: {check.check_seconds:.2f} s, {check.circuit.describe()}")
    print(f"most memory: {memory.peak_memory_bytes / 2**20:.0f} MiB, {memory.circuit.describe()}")
    too_long = sum(run.over > allowance(seconds) for run in runs)
    print(f"{too_long} of {len(runs)} exceed the limit by more than {allowance(seconds):g} s")
    return too_long


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="FILE")
    add("--circuits", type=int, default=200, help="number of circuits")
    add("--time", type=float, default=1, help="seconds of each search")
    add("--check-time", type=float, default=1, help="seconds of each check")
    add("--gate-set", default="nam")
    add("--most-gates", type=int, default=1_000_000)
    add("--most-qubits", type=int, default=10_000)
    add("--seed", type=int, default=1)
    add("--limit", action="store_true",
        help="fail if a run exceeds the limit by more than a tenth of it and 0.5 s")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runs = [run_once(settings, circuit, folder) for circuit in random_circuits(settings)]
    return int(show(runs, settings.time) > 0 and settings.limit)

"""Measures whether quartz-opt keeps its time limit, whether its check decides, and how much memory
it takes.

    bench.py limits                       200 circuits, one second each
    bench.py limits --circuits 20 --time 0.5
    bench.py limits FOLDER --time 10      the .qasm files of a folder
    bench.py limits --limit               exit status 1 if a run exceeds its limit or is undecided

Random circuits have 4 to 10^6 gates on 3 to 10,000 qubits, both from a log-uniform distribution;
they consist of cx, h and rz. The seconds of a run are those of its stages without reading, writing
and checking (stage_seconds of --stats). They may exceed the time limit T by T/10 + 0.5 s. The check
has its own limit, by default the one of quartz-opt, T/4 + 1 s, and may exceed it by a tenth of it
and 0.5 s. The results depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import json
import math
import pathlib
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence

from benchmarks import programs
from benchmarks.programs import COMMANDS, Failure
from benchmarks.random_circuits import RandomCircuit

UNLIMITED_STAGES = {"read", "write", "check"}  # stages that --time does not limit
BINS = [-math.inf, 0, 0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, math.inf]


@dataclasses.dataclass(frozen=True)
class CircuitFile:
    """A circuit that is measured because it is in a folder."""

    path: pathlib.Path

    def describe(self) -> str:
        return self.path.name

    def to_qasm(self) -> str:
        return self.path.read_text(encoding="utf-8")


@dataclasses.dataclass(frozen=True)
class Run:
    circuit: RandomCircuit | CircuitFile
    over: float  # seconds above the time limit; negative if the run ended before
    check_seconds: float
    checked: str  # what the summary says of the check
    is_verified: bool
    is_earlier: bool  # an earlier circuit was written, because the result could not be verified
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
            qubits=log_uniform(source, settings.least_qubits, settings.most_qubits),
            distinct_angles=source.choice([False, True]),
            seed=settings.seed + number,
        )


def circuits_of(settings: argparse.Namespace) -> Iterator[RandomCircuit | CircuitFile]:
    """Returns what is measured: the files of the folder, or random circuits."""
    if settings.folder is None:
        return random_circuits(settings)
    return map(CircuitFile, sorted(settings.folder.rglob("*.qasm")))


def check_limit(settings: argparse.Namespace) -> float:
    """Returns the time limit of a check: by default the one of quartz-opt."""
    return settings.check_time if settings.check_time is not None else 1 + settings.time / 4


def run_once(
    settings: argparse.Namespace, circuit: RandomCircuit | CircuitFile, folder: pathlib.Path
) -> Run:
    """Runs quartz-opt on one circuit."""
    source, stats = folder / "in.qasm", folder / "stats.json"
    source.write_text(circuit.to_qasm(), encoding="utf-8")
    options = programs.options(
        output=folder / "out.qasm", stats=stats, quiet=True, gate_set=settings.gate_set,
        time=f"{settings.time}s", check_time=f"{check_limit(settings)}s", threads=settings.threads,
    )  # fmt: skip
    try:
        usage = programs.run_measured([settings.program, source, *options], programs.WRITTEN)
    except Failure as failure:
        raise Failure(f"{circuit.describe()}: {failure}") from None
    found = json.loads(stats.read_text(encoding="utf-8"))
    stages = found["stage_seconds"]
    seconds = sum(value for stage, value in stages.items() if stage not in UNLIMITED_STAGES)
    return Run(
        circuit, seconds - settings.time, stages["check"], found["checked"],
        found["verified"] is True, found["uncertified"] is not None, usage.peak_memory_bytes,
    )  # fmt: skip


def histogram(values: Sequence[float]) -> list[str]:
    """Returns a line for each bin that is not empty: its bounds, its count, and a bar."""
    lines = []
    for low, high in itertools.pairwise(BINS):
        count = sum(low < value <= high for value in values)
        if count:
            bar = "#" * max(1, count * 50 // len(values))
            lines.append(f"{low:8g} to {high:4g} s {count:5}  {bar}")
    return lines


def show_checks(runs: list[Run], limit: float) -> int:
    """Prints how the checks ended. Returns the number of undecided runs."""
    methods = collections.Counter(
        run.checked.partition(":")[0] if run.is_verified else "undecided" for run in runs
    )
    for method, count in methods.most_common():
        print(f"{count:5}  {method}")
    for run in runs:
        if not run.is_verified:
            print(f"undecided: {run.circuit.describe()}: {run.checked}")
        elif run.is_earlier:
            print(f"an earlier circuit was written: {run.circuit.describe()}")
    longest = max(runs, key=lambda run: run.check_seconds)
    print(f"longest check: {longest.check_seconds:.2f} s, {longest.circuit.describe()}")
    too_long = sum(run.check_seconds > limit + allowance(limit) for run in runs)
    print(f"{too_long} of {len(runs)} checks exceed {limit:g} s by more than {allowance(limit):g} s")
    undecided = sum(not run.is_verified for run in runs)
    print(f"undecided: {undecided} of {len(runs)}")
    return undecided


def show_times(runs: list[Run], seconds: float) -> int:
    """Prints the distribution and the extremes. Returns the number of runs that took too long."""
    runs = sorted(runs, key=lambda run: run.over)
    print(f"seconds above --time {seconds:g}s, without reading, writing and checking:")
    print("\n".join(histogram([run.over for run in runs])))
    for run in runs[-5:]:
        print(f"{run.over:+.2f} s: {run.circuit.describe()}")
    memory = max(runs, key=lambda run: run.peak_memory_bytes)
    print(f"most memory: {memory.peak_memory_bytes / 2**20:.0f} MiB, {memory.circuit.describe()}")
    too_long = sum(run.over > allowance(seconds) for run in runs)
    print(f"{too_long} of {len(runs)} exceed the limit by more than {allowance(seconds):g} s")
    return too_long


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=pathlib.Path, nargs="?", metavar="FOLDER",
        help="folder of .qasm files to measure, in place of random circuits")  # fmt: skip
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="FILE")
    add("--circuits", type=int, default=200, help="number of circuits")
    add("--time", type=float, default=1, help="seconds of each search")
    add("--check-time", type=float, help="seconds of each check; by default T/4 + 1 s")
    add("--gate-set", default="nam")
    add("--threads", type=int, default=1, help="threads of each search")
    add("--most-gates", type=int, default=1_000_000)
    add("--least-qubits", type=int, default=3)
    add("--most-qubits", type=int, default=10_000)
    add("--seed", type=int, default=1)
    add("--limit", action="store_true",
        help="fail if a run exceeds the limit by more than a tenth of it and 0.5 s, or is "
             "undecided")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runs = [run_once(settings, circuit, folder) for circuit in circuits_of(settings)]
    if not runs:
        sys.exit(f"{settings.folder} has no .qasm files")
    undecided = show_checks(runs, check_limit(settings))
    too_long = show_times(runs, settings.time)
    return int(settings.limit and too_long + undecided > 0)

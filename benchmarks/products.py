"""Measures with how few products quartz-opt multiplies matrices, polynomials and elements of fields.

    bench.py products                       every circuit, as it is and after a random linear change
    bench.py products --only matrix_mult --time 60 --jobs 2
    bench.py products --limit               exit status 1 unless every circuit meets its bar

The circuits, by scripts/make_circuits.py, have one Toffoli gate for each product of two coefficients.
A random linear change puts random CNOTs on all wires before and after the circuit, and renames the
wires, so that nothing is left of its registers. The products are those of the statistics: those that
are recognized, and the fewest of an equal circuit that was found. The bars are the fewest products
published: Strassen's and Laderman's for matrices, those of Cenk and Özbudak for polynomials, and for
fields those that earlier versions found.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import random
import sys
import tempfile
from typing import Any

from benchmarks import programs, qasm
from benchmarks.programs import COMMANDS, GRACE_SECONDS, ROOT
from benchmarks.text_table import print_table

# The fewest products, by family and size.
BARS = {
    "matrix_mult": {2: 7, 3: 23},
    "polynomial_mult": {2: 3, 3: 6, 4: 9, 5: 13, 6: 17, 7: 22, 8: 26, 9: 30, 10: 35},
    "gf2_mult": {4: 9, 5: 13, 6: 15, 7: 21, 8: 24, 9: 30, 10: 33, 16: 60},
}
# How many times as many random CNOTs as wires are put before a changed circuit, and after it.
CNOTS_PER_WIRE = 10


@dataclasses.dataclass(frozen=True)
class Task:
    family: str
    size: int
    is_changed: bool
    bar: int

    def describe(self) -> str:
        return f"{self.family} {self.size}" + (" changed" if self.is_changed else "")

    def circuit(self) -> qasm.FlatCircuit:
        """Returns the circuit; the same one each time."""
        command = [sys.executable, ROOT / "scripts/make_circuits.py",
                   "--family", self.family, "--size", self.size]  # fmt: skip
        circuit = qasm.read(programs.run(command, 60))
        return changed(circuit, random.Random(self.size)) if self.is_changed else circuit


def tasks(only: str = "") -> list[Task]:
    """Returns the circuits with this text in their description."""
    found = [
        Task(family, size, is_changed, bar)
        for family, sizes in BARS.items()
        for size, bar in sizes.items()
        for is_changed in (False, True)
    ]
    return [task for task in found if only in task.describe()]


def changed(circuit: qasm.FlatCircuit, source: random.Random) -> qasm.FlatCircuit:
    """Returns the circuit between random CNOTs, with its wires renamed."""
    wires = range(circuit.qubits)

    def cnots() -> list[qasm.Statement]:
        pairs = [tuple(source.sample(wires, 2)) for _ in range(CNOTS_PER_WIRE * len(wires))]
        return [qasm.Statement("cx", (), pair) for pair in pairs]

    statements = [*cnots(), *circuit.statements, *cnots()]
    names = source.sample(wires, len(wires))
    return dataclasses.replace(
        circuit,
        statements=[
            dataclasses.replace(each, qubits=tuple(names[qubit] for qubit in each.qubits))
            for each in statements
        ],
    )


@dataclasses.dataclass(frozen=True)
class Found:
    task: Task
    before: int | None  # None if no search looked for fewer products
    after: int | None
    seconds: float  # time of the searches for products
    total: int  # gates of the result
    verdict: bool | None  # whether the result is proved equal

    @property
    def meets_bar(self) -> bool:
        return self.after is not None and self.after <= self.task.bar and self.verdict is True


def found_of(task: Task, stats: dict[str, Any]) -> Found:
    """Returns the figures of a run by its statistics."""
    products = stats["products"] or {"before": None, "after": None}
    seconds = sum(each["seconds"] for each in stats["passes"] if each["pass"] == "products")
    return Found(task, products["before"], products["after"], seconds, stats["after"]["total"],
                 stats["verified"])  # fmt: skip


def measure(settings: argparse.Namespace, task: Task) -> Found:
    """Runs quartz-opt on a circuit."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source, stats = folder / "in.qasm", folder / "stats.json"
        source.write_text(qasm.write(task.circuit()), encoding="utf-8")
        options = programs.options(
            output=folder / "out.qasm", stats=stats, quiet=True, gate_set="nam", cost="total",
            search=settings.search, time=f"{settings.time}s", check_time="60s",
            threads=settings.threads, seed=settings.seed,
        )  # fmt: skip
        command = [settings.program, source, *options]
        programs.run(command, settings.time + GRACE_SECONDS, programs.WRITTEN)
        return found_of(task, json.loads(stats.read_text(encoding="utf-8")))


def show(results: list[Found]) -> int:
    """Prints a table. Returns the number of circuits that miss their bars."""
    rows = [["circuit", "products", "found", "bar", "seconds", "gates", "proved equal"]]
    for each in results:
        rows.append([
            each.task.describe(), str(each.before), str(each.after), str(each.task.bar),
            f"{each.seconds:.2f}", str(each.total), "yes" if each.verdict else "NO",
        ])  # fmt: skip
    print_table(rows)
    missed = [each.task.describe() for each in results if not each.meets_bar]
    if missed:
        print(f"not met: {', '.join(missed)}")
    return len(missed)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--only", default="", metavar="TEXT", help="only circuits with this text in their name")
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="PROGRAM")
    add("--search", default="auto", help="as for quartz-opt")
    add("--time", type=float, default=60, help="seconds of each search")
    add("--threads", type=int, default=2, help="threads of each search")
    add("--jobs", type=int, default=1, help="number of circuits at the same time")
    add("--seed", type=int, default=0)
    add("--limit", action="store_true", help="fail if a circuit misses its bar")


def run(settings: argparse.Namespace) -> int:
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        results = list(pool.map(lambda task: measure(settings, task), tasks(settings.only)))
    missed = show(results)
    return int(settings.limit and missed > 0)

"""T depth, by circuit, compared with tzap.

    bench.py t-depth FOLDER                          flat OpenQASM 2.0 of Clifford gates and rotations
    bench.py t-depth FOLDER --time 5s --cost t-depth,t,total

There are two T depths. "depth" is the most T gates that one chain of a circuit contains. "layers" is the
number of layers of commuting Pauli rotations (pauli_layers.py), for a machine that measures Pauli
operators with as many ancillas as it needs; it is never more. tzap -O3 makes circuits; the rotations of
its output and of the input are also merged and layered as its Pauli pass does, which its Python package
does not contain. Layers of one result are those of all that is equal to it up to merging, so that only
other rotations can have fewer.

quartz-opt optimizes for --cost, and checks its result. Ends with status 1 if its circuit has more T gates
on a chain than tzap's, or more layers.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import tempfile
from typing import Any

from benchmarks import fixpoint, packages, pauli_layers, programs, provenance, qasm
from benchmarks.programs import COMMANDS
from benchmarks.text_table import print_table

PEER_SECONDS = 600.0


@dataclasses.dataclass(frozen=True)
class Depths:
    """The T gates of a circuit, and both T depths."""

    t: int
    depth: int
    layers: int

    def cells(self) -> list[str]:
        return [str(self.t), str(self.depth), str(self.layers)]


def depths_of(text: str) -> Depths:
    circuit = qasm.in_nam(qasm.read(text))
    rotations = pauli_layers.rotations_of(circuit)
    return Depths(qasm.counts(circuit)["t"], pauli_layers.t_depth_of(circuit),
                  pauli_layers.layers_of(rotations))  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Outcome:
    name: str
    before: Depths
    tzap: Depths | None  # None if it refuses the circuit
    after: Depths
    seconds: float
    verified: bool

    def row(self) -> list[str]:
        tzap = self.tzap.cells() if self.tzap else ["refused", "", ""]
        return [self.name, *self.before.cells(), *tzap, *self.after.cells(),
                f"{self.seconds:.1f}", "" if self.verified else "not verified"]  # fmt: skip

    def complaints(self) -> list[str]:
        found = [] if self.verified else [f"{self.name}: not verified"]
        # tzap's Pauli pass begins with the input or with what -O3 makes of it.
        layers = min(self.before.layers, self.tzap.layers if self.tzap else self.before.layers)
        if self.after.layers > layers:
            found.append(f"{self.name}: {self.after.layers} layers, tzap has {layers}")
        if self.tzap and self.after.depth > self.tzap.depth:
            found.append(f"{self.name}: T depth {self.after.depth}, tzap has {self.tzap.depth}")
        return found


def depths_of_tzap(source: pathlib.Path, python: pathlib.Path) -> Depths | None:
    target = source.with_name("tzap.qasm")
    command = packages.module_command(python, "peers", "optimize", "tzap", "nam", source, target)
    try:
        answer = json.loads(programs.run(command, PEER_SECONDS))
    except programs.Failure:
        return None
    return None if "not_offered" in answer else depths_of(target.read_text(encoding="utf-8"))


def measure(
    file: pathlib.Path, settings: argparse.Namespace, folder: pathlib.Path
) -> Outcome:
    source, target, stats = (folder / name for name in ("in.qasm", "out.qasm", "stats.json"))
    text = qasm.write(qasm.in_nam(qasm.read(file.read_text(encoding="utf-8"))))
    source.write_text(text, encoding="utf-8")
    options = programs.options(
        output=target, stats=stats, quiet=True, gate_set="nam", cost=settings.cost,
        time=settings.time, threads=settings.threads, seed=settings.seed,
    )  # fmt: skip
    programs.run([settings.programs / "quartz-opt", source, *options],
                 programs.seconds_of(settings.time) + programs.GRACE_SECONDS, programs.WRITTEN)  # fmt: skip
    report: dict[str, Any] = json.loads(stats.read_text(encoding="utf-8"))
    return Outcome(file.stem, depths_of(text), depths_of_tzap(source, settings.python),
                   depths_of(target.read_text(encoding="utf-8")), report["seconds"],
                   report["verified"] is True)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("circuits", nargs="+", type=pathlib.Path, metavar="FOLDER_OR_FILE")
    add("--time", default="10s", help="time of quartz-opt for each circuit")
    add("--cost", default="t-depth,t,total", help="as for quartz-opt")
    add("--threads", type=int, default=2)
    add("--seed", type=int, default=0)
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of the commands")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def totals(outcomes: list[Outcome]) -> list[str]:
    """Returns the row of sums over the circuits that tzap takes."""
    both = [each for each in outcomes if each.tzap]
    cells = [map(int, [*each.before.cells(), *(each.tzap.cells() if each.tzap else []),
                       *each.after.cells()]) for each in both]  # fmt: skip
    return ["all", *(str(sum(column)) for column in zip(*cells, strict=True)), "", ""]


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-opt", folder=settings.programs)
    settings.python = packages.make_venv(["tzap"])
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [measure(file, settings, pathlib.Path(folder))
                    for file in fixpoint.circuit_files(settings.circuits)]  # fmt: skip
    header = ["circuit", *(f"{name} {of}".strip() for of in ("in", "tzap", "")
                           for name in ("T", "depth", "layers")), "s", ""]  # fmt: skip
    rows = [header, *(outcome.row() for outcome in outcomes)]
    if any(each.tzap for each in outcomes):
        rows.append(totals(outcomes))
    print_table(rows)
    if settings.json:
        document = {"format": "quartz-t-depth", **provenance.record(),
                    "circuits": [dataclasses.asdict(outcome) for outcome in outcomes]}  # fmt: skip
        provenance.write_json(settings.json, document)
    found = [complaint for outcome in outcomes for complaint in outcome.complaints()]
    for complaint in found:
        print(complaint)
    return int(bool(found))

"""Whether a result stays as good if it is optimized again, and if the input has an identity more.

    bench.py fixpoint FOLDER                                   20 seeds for each circuit
    bench.py fixpoint tof_3.qasm mod5_4.qasm --steps 1000000

For each circuit and each seed, quartz-opt optimizes
  - the circuit, and its result again, which must not cost more;
  - the circuit with a pair of gates that cancel each other (h h, x x, cx cx or rz(t) rz(-t)) at a
    random place on random qubits, with the same seed and the same number of steps.

A seed chooses both the pair and what the search does, so that the costs with a pair and without it
differ by chance: "pair" is the mean of their difference over the seeds, with its standard error. The
mean over all circuits follows. Ends with status 1 if a result costs more after it was optimized again,
or if a mean is positive by more than --errors of its standard errors.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import random
import statistics
import tempfile
from collections.abc import Sequence

from benchmarks import costs, programs, provenance, qasm
from benchmarks.programs import COMMANDS
from benchmarks.qasm import FlatCircuit, Statement
from benchmarks.text_table import print_table

PAIRS = ("h", "x", "cx", "rz")
# No run with a number of steps takes as long.
SECONDS = 3600.0


def identity_pair(qubits: int, rng: random.Random) -> list[Statement]:
    """Returns two gates on random qubits that cancel each other."""
    name = rng.choice([pair for pair in PAIRS if pair != "cx" or qubits >= 2])
    wires = tuple(rng.sample(range(qubits), 2 if name == "cx" else 1))
    if name != "rz":
        return [Statement(name, (), wires)] * 2
    eighths = rng.randrange(1, 8)
    return [Statement(name, (f"{sign}{eighths}*pi/4",), wires) for sign in ("", "-")]


def with_pair(circuit: FlatCircuit, seed: int) -> FlatCircuit:
    """Returns the circuit with an identity pair at a random place."""
    rng = random.Random(seed)
    place = rng.randrange(len(circuit.statements) + 1)
    statements = list(circuit.statements)
    statements[place:place] = identity_pair(circuit.qubits, rng)
    return dataclasses.replace(circuit, statements=statements)


@dataclasses.dataclass(frozen=True)
class Run:
    """The costs of the results for one seed."""

    plain: int
    again: int
    pair: int


@dataclasses.dataclass(frozen=True)
class Mean:
    value: float
    error: float  # its standard error

    def text(self) -> str:
        return f"{self.value:+.3f} ± {self.error:.3f}"

    def is_above_zero(self, errors: float) -> bool:
        return self.value > errors * self.error


def mean_of(values: Sequence[float]) -> Mean:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return Mean(statistics.fmean(values), deviation / math.sqrt(len(values)))


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The runs of a circuit."""

    name: str
    before: int
    runs: list[Run]

    def differences(self) -> list[int]:
        """Returns by how much more each result costs with a pair."""
        return [run.pair - run.plain for run in self.runs]

    def worse_again(self) -> int:
        """Counts the results that cost more after they were optimized again."""
        return sum(run.again > run.plain for run in self.runs)

    def better_again(self) -> int:
        return sum(run.again < run.plain for run in self.runs)

    def row(self) -> list[str]:
        plain = [run.plain for run in self.runs]
        return [self.name, str(self.before), str(min(plain)), f"{statistics.fmean(plain):.2f}",
                str(self.better_again()), str(self.worse_again()),
                mean_of(self.differences()).text()]  # fmt: skip


def mean_over_circuits(outcomes: Sequence[Outcome]) -> Mean:
    """Returns the mean of the circuits' means. Their errors are independent."""
    means = [mean_of(outcome.differences()) for outcome in outcomes]
    error = math.sqrt(math.fsum(mean.error**2 for mean in means)) / len(means)
    return Mean(statistics.fmean(mean.value for mean in means), error)


def complaints(outcomes: Sequence[Outcome], errors: float) -> list[str]:
    """Returns what is worse than it may be."""
    found = []
    for outcome in outcomes:
        if outcome.worse_again():
            found.append(f"{outcome.name}: {outcome.worse_again()} results cost more when they are "
                         "optimized again")  # fmt: skip
        mean = mean_of(outcome.differences())
        if mean.is_above_zero(errors):
            found.append(f"{outcome.name}: an identity pair costs {mean.text()}")
    mean = mean_over_circuits(outcomes)
    if mean.is_above_zero(errors):
        found.append(f"all circuits: an identity pair costs {mean.text()}")
    return found


def optimized(
    circuit: FlatCircuit, seed: int, settings: argparse.Namespace, folder: pathlib.Path
) -> FlatCircuit:
    source, target = folder / "in.qasm", folder / "out.qasm"
    source.write_text(qasm.write(circuit), encoding="utf-8")
    options = programs.options(
        output=target, quiet=True, gate_set=settings.gate_set, cost=settings.cost, seed=seed,
        steps=settings.steps, threads=settings.threads, search=settings.search,
    )  # fmt: skip
    programs.run([settings.programs / "quartz-opt", source, *options], SECONDS)
    return qasm.read(target.read_text(encoding="utf-8"))


def measure(
    name: str, circuit: FlatCircuit, settings: argparse.Namespace, folder: pathlib.Path
) -> Outcome:
    def cost(of: FlatCircuit) -> int:
        return qasm.counts(of)[costs.NAMED[settings.cost]]

    runs = []
    for seed in range(settings.first_seed, settings.first_seed + settings.seeds):
        plain = optimized(circuit, seed, settings, folder)
        again = optimized(plain, seed, settings, folder)
        pair = optimized(with_pair(circuit, seed), seed, settings, folder)
        runs.append(Run(cost(plain), cost(again), cost(pair)))
    return Outcome(name, cost(circuit), runs)


def circuit_files(paths: Sequence[pathlib.Path]) -> list[pathlib.Path]:
    """Returns the files, and those of folders."""
    return [file for path in paths
            for file in (sorted(path.glob("*.qasm")) if path.is_dir() else [path])]  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("circuits", nargs="+", type=pathlib.Path, metavar="FOLDER_OR_FILE",
        help="flat OpenQASM 2.0")  # fmt: skip
    add("--seeds", type=int, default=20, help="number of seeds")
    add("--first-seed", type=int, default=0)
    add("--steps", type=int, default=300_000, help="as for quartz-opt, which has no time limit")
    add("--gate-set", default="nam", help="as for quartz-opt")
    add("--cost", choices=sorted(costs.NAMED), default="total")
    add("--search", default="auto", help="as for quartz-opt")
    add("--threads", type=int, default=1)
    add("--errors", type=float, default=2.0,
        help="standard errors by which a mean may be positive")  # fmt: skip
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of the commands")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-opt", folder=settings.programs)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        for file in circuit_files(settings.circuits):
            circuit = qasm.read(file.read_text(encoding="utf-8"))
            outcomes.append(measure(file.stem, circuit, settings, pathlib.Path(folder)))
    if not outcomes:
        raise programs.Failure("there are no circuits")
    header = ["circuit", "before", "best", "mean", "again: better", "again: worse", "pair"]
    total = ["all", "", "", "", *(str(sum(count)) for count in zip(
        *((each.better_again(), each.worse_again()) for each in outcomes), strict=True)),
        mean_over_circuits(outcomes).text()]  # fmt: skip
    print_table([header, *(outcome.row() for outcome in outcomes), total])
    if settings.json:
        document = {"format": "quartz-fixpoint", **provenance.record(),
                    "circuits": [dataclasses.asdict(outcome) for outcome in outcomes]}  # fmt: skip
        provenance.write_json(settings.json, document)
    found = complaints(outcomes, settings.errors)
    for complaint in found:
        print(complaint)
    return int(bool(found))

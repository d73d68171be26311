"""Circuits with rotations of any angle, into Clifford+T gates at a total distance.

    bench.py rotations                              Fourier transforms, Trotter steps, phase estimation, ansatzes
    bench.py rotations --only qft_8 --time 20s
    bench.py rotations --ancillas 100               quartz-opt with ancillas, too
    bench.py rotations --random 10000               random circuits: is the distance kept?

The first form generates the circuits by scripts/make_circuits.py, and runs quartz-opt and other programs
on the same files. All have the same distance for the whole circuit, in the operator norm up to a global
phase. quartz-opt divides it among the rotations so that the T gates are few in all, and proves the
distance of its result. PennyLane divides it equally; for Qiskit, for pygridsynth (after Qiskit's
transpiler) and for tzap the benchmark gives each rotation that is left after their own merging an
equal part. For circuits of at most ten qubits, the distance of each result without ancillas is
simulated.

Ends with status 1 if quartz-opt has more T gates than another program, or a distance is not kept. The
second form approximates random circuits on 2 to 4 qubits, and ends with status 1 if the proved distance
of one is above the one asked for, or the simulated one is above the proved one. Needs quartz-opt, and
installs the other programs into build/venv.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from benchmarks import (
    distances,
    isolation,
    packages,
    programs,
    provenance,
    qasm,
    rotation_bounds,
    rotation_peers,
)
from benchmarks.programs import COMMANDS, ROOT
from benchmarks.ratios import geometric_mean
from benchmarks.text_table import percent, print_table

QUARTZ = "quartz"
QUARTZ_WITH_ANCILLAS = "quartz, ancillas"
OURS = (QUARTZ, QUARTZ_WITH_ANCILLAS)
CONDITION = re.compile(r"\bif *\([^)]*\) *")
CIRCUITS = {
    "qft": (8, 16, 32),
    "heisenberg": (10, 20),
    "ising": (10, 20),
    "phase_estimation": (8, 16),
    "ansatz": (8, 16),
}
# What the simulation of a circuit may lose to rounding.
ROUNDING = 1e-9


def circuit_text(name: str) -> str:
    """Returns the program of a circuit such as qft_8."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import make_circuits

    family, _, size = name.rpartition("_")
    found = next(each for each in make_circuits.FAMILIES if each.name == family)
    return make_circuits.qasm_of(found, int(size))


def names() -> list[str]:
    return [f"{family}_{size}" for family, sizes in CIRCUITS.items() for size in sizes]


@dataclasses.dataclass(frozen=True)
class Result:
    """What a program made of a circuit: an error, or figures."""

    circuit: str
    program: str
    error: str | None = None
    t: int | None = None
    two_qubit: int | None = None
    seconds: float | None = None
    proved: float | None = None  # by quartz-opt
    simulated: float | None = None
    verdict: str | None = None  # what quartz-opt says about its result

    def within(self, distance: float) -> bool:
        """Returns whether nothing speaks against the distance, and quartz-opt proved it."""
        bounds = [each for each in (self.proved, self.simulated) if each is not None]
        has_proof = self.program not in OURS or self.proved is not None
        return has_proof and all(bound <= distance + ROUNDING for bound in bounds)


def measured(circuit: str, program: str, texts: tuple[str, str], **found: Any) -> Result:
    """Counts a result, and simulates it where it is small enough and has no ancillas. Gates under a
    condition count as they do without it."""
    before, after = qasm.read(texts[0]), qasm.read(CONDITION.sub("", texts[1]))
    outside = qasm.gate_names(after) - qasm.NOT_GATES - set(rotation_peers.OF_PENNYLANE.values())
    if outside:
        return Result(circuit, program, f"{sorted(outside)} are no Clifford+T gates")
    counts = qasm.counts(after)
    simulated = None
    if before.qubits == after.qubits <= distances.MOST_QUBITS:
        simulated = distances.distance(before, after)
    return Result(circuit, program, None, counts["t"], counts["two_qubit"], simulated=simulated,
                  **found)  # fmt: skip


def run_quartz(name: str, text: str, settings: argparse.Namespace, ancillas: int = 0) -> Result:
    program = QUARTZ_WITH_ANCILLAS if ancillas else QUARTZ
    with tempfile.TemporaryDirectory() as folder:
        source, target = (pathlib.Path(folder) / each for each in ("in.qasm", "out.qasm"))
        source.write_text(text, encoding="utf-8")
        options = programs.options(
            output=target, gate_set="clifford_t", epsilon=settings.epsilon, time=settings.time,
            threads=settings.threads, check_time="120s", ancillas=ancillas, json=True,
        )  # fmt: skip
        start = time.perf_counter()
        done = programs.call([settings.programs / "quartz-opt", source, *options])
        seconds = time.perf_counter() - start
        if done.returncode not in programs.WRITTEN:
            return Result(name, program, done.stderr.strip())
        stats = json.loads(done.stdout)
        after = target.read_text(encoding="utf-8")
    return measured(name, program, (text, after), seconds=seconds,
                    proved=rotation_bounds.proved_distance(stats), verdict=stats["checked"])  # fmt: skip


def run_peer(name: str, peer: str, text: str, settings: argparse.Namespace) -> Result:
    start = time.perf_counter()
    limit = programs.seconds_of(settings.peer_time)
    try:
        after = isolation.call(rotation_peers.approximate, (peer, text, settings.epsilon), limit)
    except isolation.Failed as failure:
        return Result(name, peer, str(failure))
    return measured(name, peer, (text, after), seconds=time.perf_counter() - start)


def cell(result: Result, distance: float) -> str:
    if result.t is None:
        return "failed"
    return str(result.t) if result.within(distance) else f"{result.t}, too far"


def show(results: Sequence[Result], distance: float) -> None:
    """Prints the T gates by circuit, and what they are in the mean."""
    by_circuit: dict[str, dict[str, Result]] = {}
    for each in results:
        by_circuit.setdefault(each.circuit, {})[each.program] = each
    columns = list(dict.fromkeys(each.program for each in results))
    rows = [["circuit", *columns, "proved", "simulated"]]
    for name, found in by_circuit.items():
        bounds = (found[QUARTZ].proved, found[QUARTZ].simulated)
        rows.append([name, *(cell(found[column], distance) for column in columns),
                     *("" if bound is None else f"{bound:.3g}" for bound in bounds)])  # fmt: skip
    for own in OURS:
        if own in columns:
            changes = (change_against(peer, results, own) for peer in columns)
            rows.append([f"{own} against", *("" if change is None else percent(change)
                                             for change in changes), "", ""])  # fmt: skip
    print_table(rows)


def change_against(peer: str, results: Sequence[Result], own: str = QUARTZ) -> float | None:
    """Returns the change of T gates from a program to quartz-opt, in the geometric mean over the
    circuits that both have; None for quartz-opt itself."""
    if peer == own:
        return None
    theirs = {each.circuit: each.t for each in results if each.program == peer and each.t}
    ratios = [each.t / theirs[each.circuit] for each in results
              if each.program == own and each.t and each.circuit in theirs]  # fmt: skip
    return geometric_mean(ratios) - 1 if ratios else None


def complaints(results: Sequence[Result], distance: float) -> list[str]:
    """Returns where quartz-opt fails, has more T gates than another program that keeps the distance,
    or does not keep it."""
    ours = {each.circuit: each for each in results if each.program == QUARTZ}
    found = []
    for each in results:
        own = ours[each.circuit]
        if each.program in OURS:
            if each.t is None or not each.within(distance):
                found.append(f"{each.circuit}: {each.error or 'the distance is not kept'}")
        elif own.t is not None and each.t is not None and each.t < own.t and each.within(distance):
            found.append(f"{each.circuit}: {own.t} T gates, {each.program} has {each.t}")
    return found


def run_circuits(settings: argparse.Namespace) -> int:
    results = []
    for name in settings.only or names():
        text = circuit_text(name)
        results.append(run_quartz(name, text, settings))
        if settings.ancillas:
            results.append(run_quartz(name, text, settings, settings.ancillas))
        results += [run_peer(name, peer, text, settings) for peer in settings.peers]
        for each in results:
            if each.circuit != name:
                continue
            print(f"{name} {each.program}: {each.error or f'{each.t} T gates'}",
                  file=sys.stderr, flush=True)  # fmt: skip
        if settings.json:
            write(settings, {"results": [dataclasses.asdict(each) for each in results]})
    show(results, settings.epsilon)
    wrong = complaints(results, settings.epsilon)
    for line in wrong:
        print(f"not met: {line}")
    return int(bool(wrong))


def run_random(settings: argparse.Namespace) -> int:
    found = rotation_bounds.run_random(settings)
    problems = [f"{each.index}: {problem}" for each in found if (problem := each.problem())]
    summary = rotation_bounds.summary_of(found)
    header = ["asked", "circuits", "within", "rotations", "T", "proved / asked, most"]
    print_table([header, *([f"{row['asked']:g}", *(str(row[key]) for key in
                            ("circuits", "within", "rotations", "t")),
                            f"{row['greatest_proved_of_asked'] or 0:.4f}"] for row in summary)])  # fmt: skip
    for line in problems:
        print(f"not met: {line}")
    if settings.json:
        write(settings, {"distances": summary, "problems": problems})
    return int(bool(problems))


def write(settings: argparse.Namespace, found: dict[str, Any]) -> None:
    document = {"format": "quartz-rotations", **provenance.record(), "epsilon": settings.epsilon}
    provenance.write_json(settings.json, document | found)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--only", action="append", choices=names(), help="one circuit; may be repeated")
    add("--epsilon", type=float, default=1e-3, help="distance of the whole circuit")
    add("--time", default="20s", help="time of quartz-opt for each circuit")
    add("--threads", type=int, default=2)
    add("--ancillas", type=int, default=0, metavar="N", help="run quartz-opt with ancillas as well")
    add("--peer", action="append", dest="peers", choices=list(rotation_peers.PEERS),
        help="another program; may be repeated (default: all)")  # fmt: skip
    add("--peer-time", default="10min", help="time after which another program is stopped")
    add("--random", type=int, metavar="N", help="approximate N random circuits instead")
    add("--first", type=int, default=0, metavar="INDEX", help="index of the first random circuit")
    add("--random-time", default="0", help="time of quartz-opt for each random circuit")
    add("--seed", type=int, default=0, help="seed of the random circuits")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of quartz-opt")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def run(settings: argparse.Namespace) -> int:
    packages.enter_venv(rotation_peers.PACKAGES)  # the simulation needs numpy, as they do
    programs.require_commands("quartz-opt", folder=settings.programs)
    if settings.random:
        return run_random(settings)
    settings.peers = settings.peers or list(rotation_peers.PEERS)
    return run_circuits(settings)

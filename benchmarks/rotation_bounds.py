"""Random circuits with rotations, and whether their approximations keep the distance asked for.

A circuit has 2 to 4 qubits and 1 to 10 rotations: any angles, small ones, and fractions of pi,
with Clifford+T gates between them. The distance that is asked for is one of DISTANCES.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import random
import tempfile
from typing import Any

from benchmarks import distances, programs, qasm
from benchmarks.qasm import FlatCircuit, Statement

DISTANCES = (1e-2, 1e-3, 1e-4, 1e-5)
# The number of circuits of one call of quartz-opt, whose outputs are deleted after it.
BATCH = 250
# What the simulation and the text of an angle may lose to rounding.
ROUNDING = 1e-9

ON_ONE = ("h", "s", "sdg", "t", "tdg", "x")
ROTATIONS = ("rz", "rx", "ry", "cu1", "rzz")


def random_angle(rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:  # small, so that no gate at all may be close enough
        return repr(rng.choice([-1, 1]) * 10 ** rng.uniform(-6, -1))
    if kind == 1:
        return f"{rng.choice([-3, -1, 1, 3, 5])}*pi/{rng.choice([3, 5, 8, 16, 64, 1024])}"
    return repr(rng.uniform(-2 * math.pi, 2 * math.pi))


def random_circuit(index: int, seed: int) -> FlatCircuit:
    """Returns the circuit of an index, which does not depend on how many there are."""
    rng = random.Random(f"{seed} {index}")
    qubits = rng.randint(2, 4)
    statements: list[Statement] = []

    def add_cliffords() -> None:
        for _ in range(rng.randrange(4)):
            if rng.random() < 0.4:
                statements.append(Statement("cx", (), tuple(rng.sample(range(qubits), 2))))
            else:
                statements.append(Statement(rng.choice(ON_ONE), (), (rng.randrange(qubits),)))

    for _ in range(rng.randint(1, 10)):
        add_cliffords()
        name = rng.choice(ROTATIONS)
        wires = tuple(rng.sample(range(qubits), 2 if name in ("cu1", "rzz") else 1))
        statements.append(Statement(name, (random_angle(rng),), wires))
    add_cliffords()
    return FlatCircuit(qubits, {}, statements)


def asked_of(index: int) -> float:
    """Returns the distance that a circuit is asked for."""
    return DISTANCES[index // BATCH % len(DISTANCES)]


@dataclasses.dataclass(frozen=True)
class Approximation:
    """What became of one random circuit."""

    index: int
    asked: float
    proved: float | None  # None if nothing was proved
    simulated: float | None
    verdict: str
    rotations: int  # that were approximated
    t: int

    def problem(self) -> str | None:
        """Returns what is wrong with it; None if nothing is."""
        if self.proved is None or self.simulated is None:
            return f"not proved: {self.verdict}"
        if not self.proved <= self.asked:
            return f"proved {self.proved:g}, asked {self.asked:g}"
        if not self.simulated <= self.proved + ROUNDING:
            return f"the simulation has {self.simulated:g}, proved {self.proved:g}"
        return None


def proved_distance(stats: dict[str, Any]) -> float | None:
    """Returns the distance that a check proved, from the statistics of quartz-opt. An equal circuit
    has none."""
    if not stats["verified"]:
        return None
    return (stats.get("check") or {}).get("distance") or 0.0


def approximation_of(index: int, entry: dict[str, Any], circuit: FlatCircuit) -> Approximation:
    """Returns what an entry of quartz-opt's summary says, and the distance by simulation."""
    asked = asked_of(index)
    stats = entry.get("stats")
    if not stats or not stats.get("written"):
        return Approximation(index, asked, None, None, entry.get("error") or "not written", 0, 0)
    found = qasm.read(pathlib.Path(entry["output"]).read_text(encoding="utf-8"))
    outside = qasm.gate_names(found) - {"h", "s", "sdg", "t", "tdg", "x", "z", "cx"}
    if outside:
        return Approximation(index, asked, None, None, f"has {sorted(outside)}", 0, 0)
    return Approximation(
        index,
        asked,
        proved_distance(stats),
        distances.distance(circuit, found),
        stats["checked"],
        stats["approximated_rotations"],
        qasm.counts(found)["t"],
    )


def run_batch(first: int, last: int, settings: argparse.Namespace) -> list[Approximation]:
    """Approximates the circuits of a range in one call of quartz-opt."""
    circuits = {index: random_circuit(index, settings.seed) for index in range(first, last)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in").mkdir()
        for index, circuit in circuits.items():
            path = folder / "in" / f"{index}.qasm"
            path.write_text(qasm.write(circuit), encoding="utf-8")
        options = programs.options(
            output=folder / "out", gate_set="clifford_t", epsilon=asked_of(first),
            time=settings.random_time, threads=settings.threads, check_time="60s", json=True,
        )  # fmt: skip
        done = programs.call([settings.programs / "quartz-opt", folder / "in", *options])
        if not done.stdout:
            raise programs.Failure(f"quartz-opt: exit status {done.returncode}: {done.stderr}")
        entries = {int(pathlib.Path(entry["file"]).stem): entry
                   for entry in json.loads(done.stdout)["files"]}  # fmt: skip
        return [approximation_of(index, entries[index], circuits[index]) for index in circuits]


def run_random(settings: argparse.Namespace) -> list[Approximation]:
    """Approximates random circuits and prints how many keep the distance, and what the others do."""
    found: list[Approximation] = []
    end = settings.first + settings.random
    first = settings.first
    while first < end:
        last = min(end, (first // BATCH + 1) * BATCH)
        found += run_batch(first, last, settings)
        problems = sum(each.problem() is not None for each in found)
        print(f"{len(found)} circuits, {len(found) - problems} within the distance", flush=True)
        first = last
    return found


def summary_of(found: list[Approximation]) -> list[dict[str, Any]]:
    """Returns the figures for each distance."""
    rows = []
    for asked in DISTANCES:
        those = [each for each in found if each.asked == asked]
        if not those:
            continue
        proved = [each.proved / asked for each in those if each.proved is not None]
        rows.append(
            {
                "asked": asked,
                "circuits": len(those),
                "within": sum(each.problem() is None for each in those),
                "rotations": sum(each.rotations for each in those),
                "t": sum(each.t for each in those),
                "greatest_proved_of_asked": max(proved, default=None),
                "greatest_simulated_of_proved": max(
                    (each.simulated / each.proved for each in those
                     if each.simulated is not None and each.proved), default=None),
            }
        )  # fmt: skip
    return rows

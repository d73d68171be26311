"""Measures quartz-opt on large programs of several kinds, and tzap -O3 on the same files.

    bench.py large-programs                              programs of a million gates, quartz-opt alone
    bench.py large-programs --peer --gates 200000 --time 60s
    bench.py large-programs --only simulation,phase --write FOLDER

The programs are Grover's search, Trotter steps of an Ising chain, a multiplier in GF(2^n) and random
gates, in {h, x, rz, cx} and Toffolis; and two Clifford+T programs, in which each rotation is a word of
H, S and T, as in FTCircuitBench: the simulation of a disordered Heisenberg chain, and phase estimation
of an evolution under it. quartz-opt --epsilon makes the words, each for one rotation by itself. Gates
are those of the gate set: quartz-opt translates what it reads, and also what tzap writes. Times are of
whole processes.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import packages, programs, qasm
from benchmarks.programs import COMMANDS, ROOT, Failure
from benchmarks.random_circuits import RandomCircuit
from benchmarks.text_table import percent, print_table, with_unit_prefix

Gates = Iterator[str]

CHAIN = 20  # qubits of a simulated chain
COUPLING = 0.2  # angle of a Trotter step
COUNTING_QUBITS = 8


def header(qubits: int) -> str:
    return f'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[{qubits}];\n'


def family_text(name: str, size: int) -> str:
    """Returns a program of scripts/make_circuits.py."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import make_circuits

    found = next(each for each in make_circuits.FAMILIES if each.name == name)
    return str(make_circuits.qasm_of(found, size))


def translated_gates(text: str) -> int:
    """Returns the gates of a program, of which a Toffoli gate has fifteen."""
    return text.count(";") + 14 * text.count("ccx ")


def family(name: str, gates: int, step: int) -> str:
    """Returns the smallest program of a family, in steps of its size, with this number of gates."""
    size = step
    while translated_gates(text := family_text(name, size)) < gates:
        size += step
    return text


def trotter(gates: int) -> str:
    """Trotter steps of an Ising chain with different couplings and fields."""
    source = random.Random(1)
    couplings = [source.uniform(0.05, 0.3) for _ in range(CHAIN - 1)]
    fields = [source.uniform(0.05, 0.3) for _ in range(CHAIN)]
    lines: list[str] = []
    while len(lines) < gates:
        for first in (0, 1):
            for i in range(first, CHAIN - 1, 2):
                rotation = f"rz({couplings[i]:.6f}) q[{i + 1}];"
                lines += [f"cx q[{i}],q[{i + 1}];", rotation, f"cx q[{i}],q[{i + 1}];"]
        for i, field in enumerate(fields):
            lines += [f"h q[{i}];", f"rz({field:.6f}) q[{i}];", f"h q[{i}];"]
    return header(CHAIN) + "\n".join(lines) + "\n"


# --- Clifford+T -----------------------------------------------------------------------------------


@functools.cache
def word_of(angle: str, program: str, epsilon: str) -> tuple[str, ...]:
    """Returns the names of the gates of a rotation about Z."""
    with tempfile.TemporaryDirectory() as name:
        source, target = (pathlib.Path(name) / each for each in ("in.qasm", "out.qasm"))
        source.write_text(header(1) + f"rz({angle}) q[0];\n", encoding="utf-8")
        options = programs.options(
            output=target, gate_set="clifford_t", epsilon=epsilon, search="fold", time="0s",
            quiet=True,
        )  # fmt: skip
        programs.run([program, source, *options], 60, programs.WRITTEN)
        written = qasm.read(target.read_text(encoding="utf-8"))
    return tuple(gate.name for gate in written.statements)


@dataclasses.dataclass(frozen=True)
class Words:
    """Writes rotations as words of Clifford+T gates."""

    program: str
    epsilon: str

    def rz(self, angle: float, qubit: int) -> Gates:
        for name in word_of(f"{angle:.6f}", self.program, self.epsilon):
            yield f"{name} q[{qubit}];"

    def rzz(self, angle: float, a: int, b: int) -> Gates:
        yield f"cx q[{a}],q[{b}];"
        yield from self.rz(angle, b)
        yield f"cx q[{a}],q[{b}];"

    def controlled_rzz(self, angle: float, control: int, a: int, b: int) -> Gates:
        """exp(-i angle ZZ / 2) under a control, as half of it and minus half of it."""
        yield f"cx q[{a}],q[{b}];"
        yield from self.controlled_rz(angle, control, b)
        yield f"cx q[{a}],q[{b}];"

    def controlled_rz(self, angle: float, control: int, target: int) -> Gates:
        yield from self.rz(angle / 2, target)
        yield f"cx q[{control}],q[{target}];"
        yield from self.rz(-angle / 2, target)
        yield f"cx q[{control}],q[{target}];"


def turned(pair: tuple[int, int], axis: str, between: Gates) -> Gates:
    """Turns the axis of two qubits into Z before some gates, and back after them."""
    before = {"x": ["h"], "y": ["sdg", "h"], "z": []}[axis]
    after = {"x": ["h"], "y": ["h", "s"], "z": []}[axis]
    yield from (f"{name} q[{qubit}];" for qubit in pair for name in before)
    yield from between
    yield from (f"{name} q[{qubit}];" for qubit in pair for name in after)


def heisenberg_step(
    qubits: int,
    rzz: Callable[[float, int, int], Gates],
    rz: Callable[[float, int], Gates],
) -> Gates:
    """A Trotter step of a Heisenberg chain with different fields."""
    fields = random.Random(qubits)
    for first in (0, 1):
        for i in range(first, qubits - 1, 2):
            for axis in "xyz":
                yield from turned((i, i + 1), axis, rzz(COUPLING, i, i + 1))
    for i in range(qubits):
        yield from rz(fields.uniform(-COUPLING, COUPLING), i)


def simulation(gates: int, words: Words) -> str:
    lines: list[str] = []
    while len(lines) < gates:
        lines += heisenberg_step(CHAIN, words.rzz, words.rz)
    return header(CHAIN) + "\n".join(lines) + "\n"


def phase_estimation(gates: int, words: Words) -> str:
    """Controlled evolutions for as long as gates are wanted, and the inverse Fourier transform."""
    qubits = CHAIN + COUNTING_QUBITS
    counting = range(CHAIN, qubits)
    lines = [f"h q[{i}];" for i in counting]
    number = 0
    while len(lines) < gates:
        control = counting[(number := number + 1) % COUNTING_QUBITS]
        lines += heisenberg_step(
            CHAIN,
            lambda angle, a, b, control=control: words.controlled_rzz(angle, control, a, b),
            lambda angle, a, control=control: words.controlled_rz(angle, control, a),
        )
    for i in counting:
        for j in counting[: i - CHAIN]:
            angle = -3.141592653589793 / 2 ** (i - j)
            lines += words.rz(angle / 2, i)
            lines += words.controlled_rz(-angle, j, i)
            lines += words.rz(angle / 2, j)
        lines.append(f"h q[{i}];")
    return header(qubits) + "\n".join(lines) + "\n"


KINDS: dict[str, tuple[str, Callable[[int, Words], str]]] = {
    "grover": ("nam", lambda gates, _: family("grover", gates, 2)),
    "trotter": ("nam", lambda gates, _: trotter(gates)),
    "multiplier": ("nam", lambda gates, _: family("gf2_mult", gates, 32)),
    "random": ("nam", lambda gates, _: RandomCircuit(gates, 100, False, 1).to_qasm()),
    "simulation": ("clifford_t", simulation),
    "phase": ("clifford_t", phase_estimation),
}

# --- runs -----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Run:
    """What a program made of a circuit."""

    program: str
    gates: int
    two_qubit: int
    t: int
    seconds: float
    peak_memory_bytes: int
    verdict: str


def run_timed(command: list[Any], accepted: tuple[int, ...] = (0,)) -> tuple[float, int]:
    """Runs a program, and returns its time and memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accepted:
        raise Failure(f"{command[0]}: exit status {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def run_quartz(
    settings: argparse.Namespace, source: pathlib.Path, gate_set: str, **more: Any
) -> Run:
    target, stats = source.with_suffix(".out.qasm"), source.with_suffix(".json")
    options = programs.options(
        output=target, stats=stats, gate_set=gate_set, cost="total", quiet=True,
        seed=settings.seed, **more,
    )  # fmt: skip
    seconds, memory = run_timed([settings.program, source, *options], programs.WRITTEN)
    found = statistics_of(source)
    after = found["after"]
    return Run("quartz-opt", after["total"], after["two_qubit"], after["t"], seconds, memory,
               found["checked"] or "not checked")  # fmt: skip


def statistics_of(source: pathlib.Path) -> dict[str, Any]:
    """Returns the statistics of the run that wrote them beside its source."""
    found: dict[str, Any] = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def run_tzap(source: pathlib.Path, gate_set: str, settings: argparse.Namespace) -> Run:
    """tzap on the program, and its gates as quartz-opt counts them."""
    python = packages.make_venv({"tzap"})
    target = source.with_suffix(".tzap.qasm")
    command = [python.with_name("tzap"), "-O3", "--decompose-ccx", "-o", target, source]
    seconds, memory = run_timed(command)
    run_quartz(settings, target, gate_set, search="fold", time="0s", no_check=True)
    found = statistics_of(target)["before"]
    return Run("tzap -O3", found["total"], found["two_qubit"], found["t"], seconds, memory, "")


def measure(settings: argparse.Namespace, name: str, folder: pathlib.Path) -> list[list[str]]:
    gate_set, make = KINDS[name]
    source = folder / f"{name}.qasm"
    source.write_text(make(settings.gates, Words(settings.program, settings.epsilon)), "utf-8")
    runs = [
        run_quartz(settings, source, gate_set, time=settings.time, threads=settings.threads,
                   search=settings.search, check_time=settings.check_time)
    ]  # fmt: skip
    gates = int(statistics_of(source)["before"]["total"])
    if settings.peer:
        runs.append(run_tzap(source, gate_set, settings))
    return [
        [f"{name}, {run.program}", str(gates), str(run.gates), percent(run.gates / gates - 1),
         str(run.two_qubit), str(run.t), f"{run.seconds:.1f} s",
         with_unit_prefix(run.peak_memory_bytes) + "B", run.verdict]
        for run in runs
    ]  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="PROGRAM")
    add("--gates", type=int, default=1_000_000)
    add("--only", type=lambda text: text.split(","), default=list(KINDS), metavar="KIND,...",
        help=f"some of {', '.join(KINDS)}")  # fmt: skip
    add("--time", default="60s", help="limit of each search")
    add("--check-time", default=None, help="limit of the check of a result")
    add("--threads", type=int, default=2)
    add("--search", default="auto")
    add("--seed", type=int, default=0)
    add("--epsilon", default="1e-4", help="distance of each word from its rotation")
    add("--peer", action="store_true", help="also run tzap -O3")
    add("--write", type=pathlib.Path, metavar="FOLDER", help="keep the programs and the results")


def run(settings: argparse.Namespace) -> int:
    rows = [["program", "before", "after", "change", "two-qubit", "t", "time", "memory", "check"]]
    with tempfile.TemporaryDirectory() as temporary:
        folder = settings.write or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in settings.only:
            rows += measure(settings, name, folder)
    print_table(rows)
    return 0

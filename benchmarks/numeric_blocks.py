"""Random unitaries on three and four qubits, and preparations of W and Dicke states.

    bench.py numeric-blocks                             all of them, 10 s each
    bench.py numeric-blocks --only unitaries --time 5s
    bench.py numeric-blocks --peers                     Qiskit and BQSKit on the same blocks

The unitaries are circuits of 20 to 46 CNOTs (90 on four qubits) on random pairs, with random gates
on one qubit between them: practically every such unitary takes at least 14 CNOTs (61). The states
are prepared by the circuits of Baertschi and Eidenbenz (arXiv 1904.07358), with doubly controlled
rotations in their plain form. quartz-opt optimizes them for two-qubit gates, with --exactness numeric;
for states, with --initial-state zero. quartz-check compares each output with its input.

The column "published" has the bound 14 or 61 for unitaries, 2n - 3 CNOTs for W states (a split that
begins in |0> takes two), and for Dicke states the 5nk - 5k^2 - 2n CNOTs of Mukherjee et al. (arXiv
2007.01681). Ends with status 1 if an output is not equal to its input, or has more CNOTs than published,
or than that of a peer (block_peers.py). quartz-check bounds the distance of the outputs of
peers, up to 0.001.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence

from benchmarks import block_peers, packages, programs, provenance
from benchmarks.programs import COMMANDS
from benchmarks.text_table import print_table

# The numbers of CNOTs of the random circuits on three qubits, and of those on four.
ON_THREE = (20, 26, 30, 46)
ON_FOUR = (90,)


@dataclasses.dataclass(frozen=True)
class Block:
    """A circuit of rotations and CNOTs, and what is published for it."""

    name: str
    qubits: int
    gates: list[str]
    published: int
    starts_zero: bool = False

    def text(self) -> str:
        header = f'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[{self.qubits}];\n'
        return header + "".join(gate + ";\n" for gate in self.gates)

    def cnots(self) -> int:
        return sum(gate.startswith("cx") for gate in self.gates)


def cnot(control: int, target: int) -> str:
    return f"cx q[{control}],q[{target}]"


def random_gates(qubits: int, cnots: int, seed: int) -> list[str]:
    """Returns CNOTs on random pairs, with three random rotations on each qubit between them."""
    rng = random.Random(seed)

    def turns(qubit: int) -> list[str]:
        return [f"{axis}({rng.uniform(-math.pi, math.pi):.15f}) q[{qubit}]"
                for axis in ("rz", "ry", "rz")]  # fmt: skip

    gates = [gate for qubit in range(qubits) for gate in turns(qubit)]
    for _ in range(cnots):
        control, target = rng.sample(range(qubits), 2)
        gates += [cnot(control, target), *turns(control), *turns(target)]
    return gates


def controlled_turn(angle: float, control: int, target: int) -> list[str]:
    return [
        f"ry({angle / 2:.15f}) q[{target}]",
        cnot(control, target),
        f"ry({-angle / 2:.15f}) q[{target}]",
        cnot(control, target),
    ]


def doubly_controlled_turn(angle: float, first: int, second: int, target: int) -> list[str]:
    return [
        *controlled_turn(angle / 2, second, target),
        cnot(first, second),
        *controlled_turn(-angle / 2, second, target),
        cnot(first, second),
        *controlled_turn(angle / 2, first, target),
    ]


def split_and_shift(last: int, weight: int) -> list[str]:
    """Returns the gates that split a Dicke state on the qubits up to `last` between that qubit and
    the others."""
    size = last + 1
    gates = []
    for i in range(1, weight + 1):
        angle = 2 * math.acos(math.sqrt(i / size))
        target = last - i
        turn = (
            controlled_turn(angle, last, target)
            if i == 1
            else doubly_controlled_turn(angle, last, target + 1, target)
        )
        gates += [cnot(target, last), *turn, cnot(target, last)]
    return gates


def dicke_state(qubits: int, weight: int) -> Block:
    gates = [f"x q[{qubit}]" for qubit in range(qubits - weight, qubits)]
    for last in range(qubits - 1, 0, -1):
        gates += split_and_shift(last, min(weight, last))
    published = 5 * qubits * weight - 5 * weight * weight - 2 * qubits
    if weight == 1:
        published = 2 * qubits - 3
    return Block(f"Dicke {qubits},{weight}", qubits, gates, published, True)


def unitaries(count: int, seed: int) -> Iterator[Block]:
    for index in range(count):
        cnots = ON_THREE[index % len(ON_THREE)]
        yield Block(f"unitary 3, {index}", 3, random_gates(3, cnots, seed + index), 14)
    for index, cnots in enumerate(ON_FOUR):
        yield Block(f"unitary 4, {index}", 4, random_gates(4, cnots, seed + index), 61)


def states() -> Iterator[Block]:
    for qubits in range(4, 9):
        for weight in range(1, qubits // 2 + 1):
            yield dicke_state(qubits, weight)


@dataclasses.dataclass(frozen=True)
class PeerOutcome:
    """What a peer made of a block, or why it made nothing."""

    peer: str
    after: int | None = None
    seconds: float = 0
    distance: float | None = None  # what quartz-check bounds it by; None if it is larger, or unknown
    reason: str = ""

    def cells(self) -> list[str]:
        if self.after is None:
            return [self.reason, "", ""]
        distance = "" if self.distance is None else f"{self.distance:.1e}"
        return [str(self.after), f"{self.seconds:.1f}", distance]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of a block."""

    name: str
    before: int
    after: int
    published: int
    seconds: float
    verdict: str  # what quartz-check says
    is_equal: bool
    distance: float | None  # what quartz-check bounds the distance by
    peers: list[PeerOutcome] = dataclasses.field(default_factory=list)

    def row(self) -> list[str]:
        distance = "" if self.distance is None else f"{self.distance:.1e}"
        return [self.name, str(self.before), str(self.after), str(self.published),
                f"{self.seconds:.1f}", distance, self.verdict,
                *(cell for peer in self.peers for cell in peer.cells())]  # fmt: skip

    def is_bad(self) -> bool:
        """Returns whether it is wrong, or has more gates than others. A peer whose distance is not
        bounded does not count."""
        bounds = [self.published, *(peer.after for peer in self.peers
                                    if peer.after is not None and peer.distance is not None)]  # fmt: skip
        return not self.is_equal or self.after > min(bounds)


def run_block(block: Block, settings: argparse.Namespace, folder: pathlib.Path) -> Outcome:
    """Optimizes a block and checks the result."""
    source = folder / "in.qasm"
    target = folder / "out.qasm"
    source.write_text(block.text(), encoding="utf-8")
    initial = "zero" if block.starts_zero else None
    options = programs.options(
        output=target, quiet=True, gate_set=settings.gate_set, cost="two-qubit,total",
        search=settings.search, time=settings.time, seed=settings.seed, threads=settings.threads,
        exactness="numeric", initial_state=initial,
    )  # fmt: skip
    start = time.monotonic()
    programs.run([settings.programs / "quartz-opt", source, *options], 600, programs.WRITTEN)
    seconds = time.monotonic() - start
    after = len(pairs_in(target.read_text(encoding="utf-8")))
    done = programs.call(
        [settings.programs / "quartz-check", source, target,
         *programs.options(json=True, initial_state=initial)]
    )  # fmt: skip
    verdict = json.loads(done.stdout)
    peers = [run_peer(peer, block, settings, folder) for peer in settings.peers]
    return Outcome(block.name, block.cnots(), after, block.published, seconds,
                   verdict["verdict"], done.returncode == 0, verdict.get("distance"), peers)  # fmt: skip


def output_within(command: Sequence[object], seconds: float) -> str:
    """Returns what a program prints until it ends, or until it and what it has started are killed."""
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def run_peer(
    peer: str, block: Block, settings: argparse.Namespace, folder: pathlib.Path
) -> PeerOutcome:
    """Has a peer synthesize a block, and measures its output."""
    source, target = folder / "in.qasm", folder / f"{peer}.qasm"
    kind = "state" if block.starts_zero else "unitary"
    limit = programs.seconds_of(settings.peer_time)
    lines = output_within(
        packages.module_command(settings.python, "block_peers", peer, kind, source, target), limit
    ).splitlines()
    if not lines:
        return PeerOutcome(peer, reason=f"no answer in {limit:.0f} s")
    done = programs.call(
        [settings.programs / "quartz-check", source, target, *programs.options(
            json=True, epsilon=1e-3, initial_state="zero" if block.starts_zero else None)]
    )  # fmt: skip
    return PeerOutcome(peer, len(pairs_in(target.read_text(encoding="utf-8"))),
                       json.loads(lines[-1])["seconds"],
                       json.loads(done.stdout).get("distance") if done.returncode == 0 else None)  # fmt: skip


def pairs_in(text: str) -> list[str]:
    """Returns the lines of gates on two qubits."""
    return [line for line in text.splitlines() if line.count("[") == 2 and "," in line]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--only", choices=["unitaries", "states"], help="some of the blocks only")
    add("--count", type=int, default=20, help="random unitaries on three qubits")
    add("--seed", type=int, default=0)
    add("--time", default="10s", help="time of quartz-opt for each block")
    add("--threads", type=int, default=2)
    add("--search", default="auto", help="as for quartz-opt")
    add("--gate-set", default="ibm_heron", help="with a CNOT, or a gate that is equal to one up to "
        "one-qubit gates")  # fmt: skip
    add("--peers", nargs="?", const=",".join(block_peers.PEERS), default="", metavar="NAMES",
        help="other programs on the same blocks: qiskit, bqskit, or both")  # fmt: skip
    add("--peer-time", default="120s", help="most time of a peer for each block")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of the commands")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-opt", "quartz-check", folder=settings.programs)
    settings.peers = [name for name in settings.peers.split(",") if name]
    if unknown := set(settings.peers) - set(block_peers.PEERS):
        raise programs.Failure(f"no such peer: {', '.join(sorted(unknown))}")
    settings.python = packages.make_venv(settings.peers)
    blocks: list[Block] = []
    if settings.only != "states":
        blocks += unitaries(settings.count, settings.seed)
    if settings.only != "unitaries":
        blocks += states()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [run_block(block, settings, pathlib.Path(folder)) for block in blocks]
    header = ["block", "CNOTs", "after", "published", "s", "distance", "check",
              *(cell for peer in settings.peers for cell in (peer, "s", "distance"))]  # fmt: skip
    print_table([header, *(outcome.row() for outcome in outcomes)])
    if settings.json:
        document = {"format": "quartz-numeric-blocks", **provenance.record(),
                    "blocks": [dataclasses.asdict(outcome) for outcome in outcomes]}  # fmt: skip
        provenance.write_json(settings.json, document)
    return int(any(each.is_bad() for each in outcomes))

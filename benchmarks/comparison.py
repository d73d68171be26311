"""Compares quartz-opt with other optimizers on two-qubit gates, by circuit, under the same assumptions.

    bench.py compare                                     MQT Bench, n = 5, on six devices
    bench.py compare --target logical --size 5,8,12,16,20 --qasmbench qasmbench.tar.gz
    bench.py compare --target iqm --family qft --assume none,both
    bench.py compare --quick                             five families

Mapped circuits come from MQT Bench at level MAPPED, on the qubits that they use; quartz-opt gets
--coupling auto, and Qiskit the same pairs, at level 3 with the layout kept, the best of --seeds
seeds. Logical circuits are in {h, x, rz, cx} and may use all pairs; there the peers are Qiskit,
pytket, tzap and BQSKit (level 2, approximate), each by the best of the variants in
peer_variants.py. --assume lists what all of them may assume: none; permutation (--permutation
free); program (--program); both.

quartz-opt runs with --cost two-qubit,total --exactness numeric, one thread, for --time, and checks
its result; quartz-check decides where it could not. For each circuit with a peer below quartz-opt,
quartz-check compares the peer's output with the input. The circuits and the results of the peers
are kept in --cache, and used again as long as the input and the peer's version are the same; so
are those of quartz-opt for the same program file.

Exits with 1 if a result is not verified, or a peer with a correct result has fewer gates.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import importlib.metadata
import json
import pathlib
import subprocess
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any

from benchmarks import (
    comparison_tables,
    isolation,
    native,
    packages,
    peer_variants,
    programs,
    provenance,
    workloads,
)
from benchmarks.comparison_tables import Row
from benchmarks.peer_variants import ASSUMPTIONS, Task
from benchmarks.programs import COMMANDS

PACKAGES = {"mqt.bench", "qiskit", "qiskit-qasm3-import", "pytket", "tzap", "bqskit"}
LOGICAL_PEERS = ["qiskit", "pytket", "tzap", "bqskit"]
MAPPED_PEERS = ["qiskit"]
PEER_SECONDS = 120
QUARTZ_SECONDS = 600
CHECK_SECONDS = 60
QUICK_FAMILIES = ["ae", "ghz", "graphstate", "qft", "vqe_two_local"]
MOST_BYTES = 400_000  # Larger circuits are left out.

DEFAULT_CACHE = pathlib.Path.home() / ".cache/quartz-compare"


# --- results kept on disk -------------------------------------------------------------------------


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Results:
    """Results by circuit, assumptions and optimizer; each is kept with the digest of what it
    depends on."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def path(self, task: Task, optimizer: str, ending: str) -> pathlib.Path:
        """Returns the file of a result."""
        workload = task.workload
        name = f"{workload.name}.{task.assumptions.name}.{optimizer}{ending}"
        return self.folder / "results" / workload.target.name / name

    def load(self, task: Task, optimizer: str, key: str) -> dict[str, Any] | None:
        """Returns the result with this digest; None if there is none."""
        path = self.path(task, optimizer, ".json")
        if not path.exists():
            return None
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if found["key"] == key else None

    def store(self, task: Task, optimizer: str, key: str, found: dict[str, Any]) -> None:
        """Keeps a result; its output, if it has one, in a file of its own."""
        path = self.path(task, optimizer, ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text := found.pop("text", None):
            self.path(task, optimizer, ".qasm").write_text(text, encoding="utf-8")
        path.write_text(json.dumps({"key": key, **found}, indent=1), encoding="utf-8")


# --- runs -----------------------------------------------------------------------------------------


def peer_result(peer: str, task: Task, results: Results) -> dict[str, Any]:
    """Returns the best result of a peer, from the disk if it is there."""
    version = importlib.metadata.version(peer)
    variants = pathlib.Path(peer_variants.__file__).read_text(encoding="utf-8")
    key = digest(task.program(), str(task.assumptions), str(task.seeds), version, variants)
    if found := results.load(task, peer, key):
        return found
    start = time.perf_counter()
    try:
        found = isolation.call(peer_variants.best, (peer, task), PEER_SECONDS)
    except isolation.Failed as failure:
        found = {"failed": str(failure)}
    found["seconds"] = time.perf_counter() - start
    results.store(task, peer, key, found)
    return found


def assumption_options(task: Task) -> list[str]:
    """Returns the options that quartz-opt and quartz-check share."""
    return programs.options(
        program=task.assumptions.complete_program,
        permutation="free" if task.assumptions.permutation_free else None,
    )


def quartz_verdict(task: Task, output: pathlib.Path) -> str:
    """Returns the answer of quartz-check on an output."""
    command = [COMMANDS / "quartz-check", *assumption_options(task), "--json"]
    command += ["--time", f"{CHECK_SECONDS}s", task.workload.path, output]
    done = programs.call(command)
    if done.returncode not in (0, 10, 11):
        return f"not checked: {done.stderr.strip()}"
    return {0: "equal", 10: "not equal", 11: "undecided"}[done.returncode]


def distance(task: Task, output: pathlib.Path) -> float:
    """Returns the operator-norm distance of an output from the input, up to a global phase and
    without measurements at the end."""
    import numpy
    from qiskit.quantum_info import Operator

    circuits = peer_variants.in_qiskit(task), native.in_qiskit(output.read_text(encoding="utf-8"))
    left, right = (Operator(each.remove_final_measurements(inplace=False)) for each in circuits)
    overlap = numpy.vdot(left.data, right.data)
    return float(numpy.linalg.norm(right.data - overlap / abs(overlap) * left.data, 2))


def peer_verdict(peer: str, task: Task, results: Results) -> str:
    """Returns the answer of quartz-check on a peer's output; of an approximate one the distance."""
    output = results.path(task, peer, ".qasm")
    if peer not in comparison_tables.APPROXIMATE:
        return quartz_verdict(task, output)
    try:
        found = isolation.call(distance, (task, output), CHECK_SECONDS)
    except isolation.Failed as failure:
        return f"not checked: {failure}"
    return f"distance {found:.1e}"


class Refused(Exception):
    """quartz-opt does not take these options together."""


def quartz_result(task: Task, search: list[str], results: Results) -> dict[str, Any]:
    """Returns the result of quartz-opt, from the disk if it is there."""
    program = COMMANDS / "quartz-opt"
    binary = hashlib.sha256(program.read_bytes()).hexdigest()
    key = digest(task.program(), str(task.assumptions), *search, binary)
    if found := results.load(task, "quartz", key):
        return found
    start = time.perf_counter()
    try:
        found = run_quartz(task, search, results)
    except Refused:
        # A result with the qubits in their order is one under the weaker assumption as well.
        kept = dataclasses.replace(task.assumptions, permutation_free=False)
        found = run_quartz(dataclasses.replace(task, assumptions=kept), search, results)
        refused = "with --coupling, --permutation free is refused: run without it"
        found["note"] = "; ".join(filter(None, (refused, found.get("note"))))
    found["seconds"] = time.perf_counter() - start
    if "failed" not in found:
        results.store(task, "quartz", key, found)
    return found


def run_quartz(task: Task, search: list[str], results: Results) -> dict[str, Any]:
    """Runs quartz-opt, and quartz-check where it could not check its result."""
    output = results.path(task, "quartz", ".qasm")
    statistics = results.path(task, "quartz", ".stats")
    output.parent.mkdir(parents=True, exist_ok=True)
    options = programs.options(
        output=output, quiet=True, gate_set=task.workload.target.gate_set, stats=statistics,
        coupling="auto" if task.is_coupled() else None,
    )  # fmt: skip
    command = [COMMANDS / "quartz-opt", task.workload.path, *options, *search]
    try:
        done = programs.call([*command, *assumption_options(task)], QUARTZ_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"no answer within {QUARTZ_SECONDS} s"}
    if "cannot be free with a coupling map" in done.stderr:
        raise Refused
    if done.returncode not in programs.WRITTEN:
        return {"failed": done.stderr.strip() or f"exit status {done.returncode}"}
    found = read_statistics(json.loads(statistics.read_text(encoding="utf-8")))
    if not found["verified"]:
        found["checked"] = quartz_verdict(task, output)
        found["verified"] = found["checked"] == "equal"
    return found


def read_statistics(statistics: dict[str, Any]) -> dict[str, Any]:
    """Returns what a row needs of the statistics of quartz-opt."""
    better = statistics["uncertified"]
    return {
        "note": f"the check did not certify {better}" if better else "",
        "before": statistics["input"]["two_qubit"],
        "two_qubit": statistics["after"]["two_qubit"],
        "checked": statistics["checked"],
        "verified": bool(statistics["verified"]),
    }


def compare(task: Task, peers: list[str], search: list[str], results: Results) -> Row:
    """Runs all optimizers on one circuit."""
    found = {peer: peer_result(peer, task, results) for peer in peers}
    ours = quartz_result(task, search, results)
    row = Row(
        task.workload.target.name, task.workload.name, task.assumptions.name,
        before=ours.get("before"), ours=ours.get("two_qubit"), seconds=ours["seconds"],
        verified=ours.get("verified", False), note=ours.get("failed") or ours.get("note", ""),
        peers={peer: each.get("two_qubit") for peer, each in found.items()},
        peer_failures={
            peer: each.get("failed") or each.get("not_offered", "")
            for peer, each in found.items()
            if "two_qubit" not in each
        },
    )  # fmt: skip
    for peer in row.lower_peers():
        row.peer_verdicts[peer] = peer_verdict(peer, task, results)
        row.peer_variants[peer] = found[peer]["variant"]
    return row


# --- the command ----------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    devices = [name for name, each in workloads.TARGETS.items() if each.device]
    add("--target", type=words_of(workloads.TARGETS), default=devices, metavar="NAME,...",
        help=f"of {', '.join(workloads.TARGETS)} (default: the devices)")  # fmt: skip
    add("--family", type=lambda text: text.split(","), metavar="NAME,...", help="families of MQT Bench (default: all)")
    add("--size", type=lambda text: text.split(","), default=["5"], metavar="N,...",
        help="numbers of qubits; the nearest that a family has (default: 5)")  # fmt: skip
    add("--quick", action="store_true", help=f"only {', '.join(QUICK_FAMILIES)}")
    add("--assume", type=words_of(ASSUMPTIONS), default=["none", "both"], metavar="NAME,...",
        help=f"of {', '.join(ASSUMPTIONS)} (default: none,both)")  # fmt: skip
    add("--peer", type=words_of(LOGICAL_PEERS), metavar="NAME,...",
        help=f"of {', '.join(LOGICAL_PEERS)} (default: all, and Qiskit for devices)")  # fmt: skip
    add("--qasmbench", type=pathlib.Path, metavar="FILE.tar.gz",
        help="with the target logical: also the programs in it")  # fmt: skip
    add("--time", default="2s", help="of quartz-opt for each circuit")
    add("--exactness", default="numeric",
        help="as for quartz-opt (default: numeric, because the peers compute so)")  # fmt: skip
    add("--seeds", type=int, default=3, help="seeds of Qiskit")
    add("--cache", type=pathlib.Path, default=DEFAULT_CACHE, metavar="FOLDER")
    add("--losses", type=pathlib.Path, metavar="FILE.md",
        help="list circuits on which a peer has fewer gates, while running")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write all rows")


def words_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Returns how an option is read that is a list of known words."""

    def read(text: str) -> list[str]:
        if unknown := [word for word in text.split(",") if word not in known]:
            raise argparse.ArgumentTypeError(
                f"unknown: {', '.join(unknown)} (known: {', '.join(known)})"
            )
        return text.split(",")

    return read


def selected(settings: argparse.Namespace) -> Iterator[workloads.Workload]:
    """Yields the circuits, without those that are too large."""
    families = settings.family or (QUICK_FAMILIES if settings.quick else workloads.families())
    for target in (workloads.TARGETS[name] for name in settings.target):
        folder = settings.cache / "inputs" / target.name
        folder.mkdir(parents=True, exist_ok=True)
        names: set[str] = set()
        for size in settings.size:
            for family in families:
                workload = workloads.mqt_workload(family, int(size), target, folder)
                if not workload or workload.name in names:
                    continue
                names.add(workload.name)
                if workload.path.stat().st_size <= MOST_BYTES:
                    yield workload
        if settings.qasmbench and not target.device:
            yield from workloads.qasmbench(settings.qasmbench, target, folder)


def import_packages() -> None:
    """Imports what the forked processes need, once."""
    import mqt.bench.targets
    import qiskit.qasm2
    import qiskit.qpy
    import qiskit.transpiler.preset_passmanagers  # noqa: F401


def run(settings: argparse.Namespace) -> int:
    packages.enter_venv(PACKAGES)
    programs.require_commands("quartz-opt", "quartz-check")
    import_packages()
    results = Results(settings.cache)
    search = programs.options(
        cost="two-qubit,total", threads=1, time=settings.time, exactness=settings.exactness
    )
    rows: list[Row] = []
    for workload in selected(settings):
        peers = settings.peer or (MAPPED_PEERS if workload.target.device else LOGICAL_PEERS)
        for name in settings.assume:
            task = Task(workload, ASSUMPTIONS[name], settings.seeds)
            row = compare(task, peers, search, results)
            rows.append(row)
            print(comparison_tables.line(row), flush=True)
            if settings.losses:
                text = comparison_tables.losses(rows, settings.cache)
                settings.losses.write_text(text, encoding="utf-8")
    print(comparison_tables.summary(rows))
    if settings.json:
        document = {"format": "quartz-comparison", **provenance.record()}
        document["rows"] = [row.as_json() for row in rows]
        provenance.write_json(settings.json, document)
    return int(any(row.is_loss() or not row.verified for row in rows))

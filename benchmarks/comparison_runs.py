"""Runs quartz-opt and its peers on one circuit for `bench.py compare`, and keeps their results on disk."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import pathlib
import subprocess
import time
from typing import Any

from benchmarks import comparison_tables, isolation, native, peer_variants, programs
from benchmarks.comparison_tables import Row
from benchmarks.peer_variants import Task
from benchmarks.programs import COMMANDS

PEER_SECONDS = 120
QUARTZ_SECONDS = 600
CHECK_SECONDS = 60


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


def quartz_result(task: Task, search: list[str], results: Results) -> dict[str, Any]:
    """Returns the result of quartz-opt, from the disk if it is there."""
    program = COMMANDS / "quartz-opt"
    binary = hashlib.sha256(program.read_bytes()).hexdigest()
    key = digest(task.program(), str(task.assumptions), *search, binary)
    if found := results.load(task, "quartz", key):
        return found
    start = time.perf_counter()
    found = run_quartz(task, search, results)
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

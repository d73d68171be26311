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
import pathlib
from collections.abc import Callable, Collection, Iterator

from benchmarks import comparison_tables, packages, programs, provenance, workloads
from benchmarks.comparison_runs import Results, compare
from benchmarks.comparison_tables import Row
from benchmarks.peer_variants import ASSUMPTIONS, Task

PACKAGES = {"mqt.bench", "qiskit", "qiskit-qasm3-import", "pytket", "tzap", "bqskit"}
LOGICAL_PEERS = ["qiskit", "pytket", "tzap", "bqskit"]
MAPPED_PEERS = ["qiskit"]
QUICK_FAMILIES = ["ae", "ghz", "graphstate", "qft", "vqe_two_local"]
MOST_BYTES = 400_000  # Larger circuits are left out.

DEFAULT_CACHE = pathlib.Path.home() / ".cache/quartz-compare"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    devices = [name for name, each in workloads.TARGETS.items() if each.device]
    add("--target", type=words_of(workloads.TARGETS), default=devices, metavar="NAME,...",
        help=f"of {', '.join(workloads.TARGETS)} (default: the devices)")  # fmt: skip
    add("--family", type=words, metavar="NAME,...", help="families of MQT Bench (default: all)")
    add("--size", type=words, default=["5"], metavar="N,...",
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


def words(text: str) -> list[str]:
    return text.split(",")


def words_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Returns how an option is read that is a list of known words."""

    def read(text: str) -> list[str]:
        if unknown := [word for word in words(text) if word not in known]:
            raise argparse.ArgumentTypeError(
                f"unknown: {', '.join(unknown)} (known: {', '.join(known)})"
            )
        return words(text)

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
        found = [row.as_json() for row in rows]
        document = {"format": "quartz-comparison", **provenance.record(), "rows": found}
        provenance.write_json(settings.json, document)
    return int(any(row.is_loss() or not row.verified for row in rows))

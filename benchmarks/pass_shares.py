"""Measures which share of the processor time of quartz-opt some of its passes take.

    bench.py passes FILE... --pass products,ranks --time 1,10
    bench.py passes FILE... --pass products --most 0.03     exit status 1 if a share is greater
    bench.py passes --gates 1000000 --pass products,functions --time 60
                                                  a random circuit of Toffoli gates and others

The passes are those of the statistics. Shares are of the processor time of the whole process, so
that they do not depend on what else the machine does; results are not checked. It says nothing about
the time that is spent on improving what these passes made.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

from benchmarks import programs
from benchmarks.limits import CircuitFile
from benchmarks.programs import COMMANDS, Failure
from benchmarks.random_circuits import RandomToffolis
from benchmarks.text_table import print_table


@dataclasses.dataclass(frozen=True)
class Share:
    circuit: str
    seconds: float  # that were asked for
    gates: int  # size of the input in the gates of the set
    processor_seconds: float
    of_passes: dict[str, float]  # processor seconds by pass

    @property
    def share(self) -> float:
        return sum(self.of_passes.values()) / self.processor_seconds


def share_of(
    circuit: str, seconds: float, passes: Sequence[str], stats: dict[str, Any], used: float
) -> Share:
    """Returns the figures of a run by its statistics and its processor time."""
    found = {each["pass"]: each["processor_seconds"] for each in stats["passes"]}
    of_passes = {name: found.get(name, 0.0) for name in passes}
    return Share(circuit, seconds, stats["before"]["total"], used, of_passes)


def measure(
    settings: argparse.Namespace,
    circuit: CircuitFile | RandomToffolis,
    seconds: float,
    folder: pathlib.Path,
) -> Share:
    """Runs quartz-opt on a circuit."""
    source, stats = folder / "in.qasm", folder / "stats.json"
    source.write_text(circuit.to_qasm(), encoding="utf-8")
    options = programs.options(
        output=folder / "out.qasm", stats=stats, quiet=True, gate_set=settings.gate_set,
        cost=settings.cost, time=f"{seconds}s", threads=settings.threads, seed=settings.seed,
        no_check=True,
    )  # fmt: skip
    usage = programs.run_measured([settings.program, source, *options])
    figures = json.loads(stats.read_text(encoding="utf-8"))
    return share_of(
        circuit.describe(), seconds, settings.passes, figures, usage.processor_seconds
    )


def show(shares: list[Share], most: float | None) -> int:
    """Prints a table. Returns the number of runs with a greater share."""
    names = list(shares[0].of_passes)
    rows = [["circuit", "gates", "time", "processor", *names, "share"]]
    for each in shares:
        rows.append([
            each.circuit, str(each.gates), f"{each.seconds:g} s", f"{each.processor_seconds:.2f} s",
            *(f"{each.of_passes[name]:.3f} s" for name in names), f"{each.share:.2%}",
        ])  # fmt: skip
    print_table(rows)
    greater = [each for each in shares if most is not None and each.share > most]
    for each in greater:
        print(f"not met: {each.circuit}, {each.seconds:g} s: {each.share:.2%}")
    return len(greater)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", type=pathlib.Path, nargs="*", metavar="FILE", help="circuits")
    add("--gates", type=int, default=0, help="also a random circuit with as many gates")
    add("--qubits", type=int, default=100, help="qubits of the random circuit")
    add("--pass", dest="passes", type=lambda text: text.split(","), default=["products", "ranks"],
        metavar="NAME,...", help="passes whose times are added")  # fmt: skip
    add("--most", type=float, metavar="SHARE", help="fail if a share is greater")
    add("--program", default=str(COMMANDS / "quartz-opt"), metavar="PROGRAM")
    add("--time", type=lambda text: [float(each) for each in text.split(",")], default=[1.0, 10.0],
        metavar="SECONDS,...", help="times of the searches")  # fmt: skip
    add("--threads", type=int, default=2, help="threads of each search")
    add("--gate-set", default="nam")
    add("--cost", default="total", help="as for quartz-opt")
    add("--seed", type=int, default=0)


def run(settings: argparse.Namespace) -> int:
    circuits: list[CircuitFile | RandomToffolis] = [CircuitFile(path) for path in settings.files]
    if settings.gates:
        circuits.append(RandomToffolis(settings.gates, settings.qubits, 1))
    if not circuits:
        raise Failure("name circuits, or a number of --gates")
    with tempfile.TemporaryDirectory() as name:
        shares = [
            measure(settings, circuit, seconds, pathlib.Path(name))
            for circuit in circuits
            for seconds in settings.time
        ]
    return int(show(shares, settings.most) > 0)

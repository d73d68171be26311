"""Single rotations rz(angle) into Clifford+T: T gates and milliseconds.

    bench.py angles                                  100 angles at distances of 1e-3, 1e-5 and 1e-10
    bench.py angles --angles 20 --distance 1e-6
    bench.py angles --peer qiskit

The angles are random and the same for all programs: Quartz, gridsynth as Qiskit has it, and pygridsynth.
Each rotation has the distance for itself, in the operator norm up to a global phase. T gates are those
of one call for each angle. The milliseconds of Quartz are those of approximated_rotations of quartz-perf
(scripts/build.sh perf), if it is built and has the distance; those of the others are of calls in this
process, after a first one. Ends with status 1 if Quartz has more T gates than another program for an
angle, or not fewer in the mean.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence

from benchmarks import commits, packages, programs, qasm, rotation_peers
from benchmarks.programs import COMMANDS, ROOT
from benchmarks.text_table import print_table

PACKAGES = {"qiskit", "pygridsynth"}
PERF = ROOT / "build/perf/quartz-perf"


def qiskit_t(angle: float, distance: float) -> int:
    """Counts the T gates of Qiskit's gridsynth."""
    from qiskit.synthesis import gridsynth_rz

    found = gridsynth_rz(angle, distance).count_ops()
    return int(found.get("t", 0) + found.get("tdg", 0))


def pygridsynth_t(angle: float, distance: float) -> int:
    return rotation_peers.gridsynth_word(angle, distance).count("t")


PEERS: dict[str, Callable[[float, float], int]] = {"qiskit": qiskit_t, "pygridsynth": pygridsynth_t}


def angles_of(count: int, seed: int) -> list[float]:
    source = random.Random(seed)
    return [source.uniform(0, 2 * math.pi) for _ in range(count)]


def circuit_of(angle: float) -> str:
    return f'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\nrz({angle!r}) q[0];\n'


def quartz_t(angle: float, distance: float, folder: pathlib.Path) -> int:
    """Counts the T gates of Quartz."""
    source, target = folder / "in.qasm", folder / "out.qasm"
    source.write_text(circuit_of(angle), encoding="utf-8")
    options = programs.options(
        output=target, gate_set="clifford_t", epsilon=distance, search="fold", time="0s", threads=1,
        quiet=True,
    )  # fmt: skip
    programs.run([COMMANDS / "quartz-opt", source, *options], 600, programs.WRITTEN)
    return qasm.counts(qasm.read(target.read_text(encoding="utf-8")))["t"]


def perf_name(distance: float) -> str:
    """Returns the name of the micro-benchmark for a distance such as 1e-5."""
    return f"approximated_rotations/1e{round(math.log10(distance))}"


def quartz_milliseconds(distance: float, folder: pathlib.Path) -> float | None:
    """Returns the processor time of Quartz for one rotation, if quartz-perf has the distance."""
    if not PERF.exists():
        return None
    name, output = perf_name(distance), folder / "perf.json"
    arguments = [f"--benchmark_filter={name}/", f"--benchmark_out={output}"]
    programs.run([PERF, *arguments, "--benchmark_out_format=json"], 600)
    text = output.read_text(encoding="utf-8")
    rate = commits.rates_of(json.loads(text)).get(name) if text else None
    return None if rate is None else 1e3 / rate


def of_quartz(angles: Sequence[float], distance: float) -> tuple[list[int], float | None]:
    """Returns the T gates for each angle, and the milliseconds for one of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts = [quartz_t(angle, distance, folder) for angle in angles]
        return counts, quartz_milliseconds(distance, folder)


def of_peer(peer: str, angles: Sequence[float], distance: float) -> tuple[list[int], float]:
    count = PEERS[peer]
    count(angles[0], distance)  # imports what it needs
    start = time.perf_counter()
    counts = [count(angle, distance) for angle in angles]
    return counts, 1e3 * (time.perf_counter() - start) / len(angles)


def is_better(ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Returns whether there are more T gates for no angle, and fewer in the mean."""
    return sum(ours) < sum(theirs) and all(a <= b for a, b in zip(ours, theirs, strict=True))


def row_of(
    distance: float, name: str, counts: Sequence[int], milliseconds: float | None
) -> list[str]:
    time_text = "" if milliseconds is None else f"{milliseconds:.2f}"
    return [f"{distance:g}", name, f"{statistics.mean(counts):.1f}", str(max(counts)), time_text]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--angles", type=int, default=100, metavar="N")
    add("--distance", type=float, action="append", dest="distances", help="may be repeated")
    add("--seed", type=int, default=0)
    add("--peer", action="append", dest="peers", choices=list(PEERS),
        help="another program; may be repeated (default: all)")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-opt")
    packages.enter_venv(PACKAGES)
    angles = angles_of(settings.angles, settings.seed)
    rows = [["distance", "program", "mean T", "most T", "ms"]]
    status = 0
    for distance in settings.distances or [1e-3, 1e-5, 1e-10]:
        ours, own_time = of_quartz(angles, distance)
        rows.append(row_of(distance, "quartz", ours, own_time))
        for peer in settings.peers or list(PEERS):
            theirs, peer_time = of_peer(peer, angles, distance)
            rows.append(row_of(distance, peer, theirs, peer_time))
            if not is_better(ours, theirs):
                status = 1
    print_table(rows)
    return status

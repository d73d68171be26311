"""Files that several processes share, against one process: seconds, and whether the results are the same.

    bench.py processes                              200 files, 1, 2 and 4 processes
    bench.py processes --files 1000 --processes 1 16

Half of the files are random circuits of h, rz and cx, the others have Toffoli gates; their sizes
differ by a factor of ten. Each is optimized with one thread and a number of steps, so that the
results must be the same bytes whatever the number of processes. The numbers of processes are measured
in turn, in --rounds rounds. "Speed-up" is the median over the rounds of the time of the first number
of processes, divided by the time of this one in the same round. Ends with status 1 if a result
differs.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import tempfile
import time
from collections.abc import Sequence

from benchmarks import programs, provenance
from benchmarks.programs import COMMANDS
from benchmarks.random_circuits import RandomCircuit, RandomToffolis
from benchmarks.text_table import print_table

# No run takes as long.
SECONDS = 3600.0
LEAST_GATES, MOST_GATES = 100, 1000
QUBITS = 8


def text_of(number: int, files: int) -> str:
    """Returns the circuit of a file as OpenQASM. Large and small ones alternate."""
    gates = LEAST_GATES + (MOST_GATES - LEAST_GATES) * (number * 37 % files) // files
    if number % 2 == 0:
        return RandomCircuit(gates, QUBITS, distinct_angles=False, seed=number).to_qasm()
    return RandomToffolis(gates, QUBITS, seed=number).to_qasm()


def write_files(folder: pathlib.Path, files: int) -> None:
    folder.mkdir()
    for number in range(files):
        text = text_of(number, files)
        (folder / f"circuit_{number:04}.qasm").write_text(text, encoding="utf-8")


def command_of(processes: int, settings: argparse.Namespace) -> list[str]:
    """Returns what comes before the inputs. A single process needs no mpirun."""
    quartz = str(settings.programs / "quartz-opt")
    if processes == 1:
        return [quartz]
    # Open MPI requires the first two to run as root, and to start more processes than there are cores.
    options = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
    return [settings.mpirun, *options, "-n", str(processes), quartz]


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def optimize(
    processes: int, settings: argparse.Namespace, inputs: pathlib.Path, results: pathlib.Path
) -> float:
    """Optimizes the files. Returns the elapsed time in seconds."""
    options = programs.options(
        output=results, quiet=True, gate_set=settings.gate_set, steps=settings.steps, threads=1
    )
    start = time.monotonic()
    programs.run([*command_of(processes, settings), inputs, *options], SECONDS)
    return time.monotonic() - start


def speed_up(seconds: dict[int, list[float]], processes: int) -> float:
    """Returns the median of the ratios of rounds, in relation to the first number of processes."""
    first = next(iter(seconds.values()))
    pairs = zip(first, seconds[processes], strict=True)
    return statistics.median(before / after for before, after in pairs)


def rows_of(seconds: dict[int, list[float]], differing: dict[int, int]) -> list[list[str]]:
    rows = [["processes", "seconds", "speed-up", "results that differ"]]
    for processes, times in seconds.items():
        rows.append([str(processes), f"{statistics.median(times):.1f}",
                     f"{speed_up(seconds, processes):.2f}", str(differing[processes])])  # fmt: skip
    return rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--files", type=int, default=200, help="number of files")
    add("--processes", type=int, nargs="+", default=[1, 2, 4], metavar="N", help="to be compared")
    add("--rounds", type=int, default=3)
    add("--steps", type=int, default=100_000, help="as for quartz-opt")
    add("--gate-set", default="nam", help="as for quartz-opt")
    add("--mpirun", default="mpirun", metavar="PROGRAM", help="what starts several processes")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of the commands")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def measure(settings: argparse.Namespace, folder: pathlib.Path) -> tuple[dict[int, list[float]],
                                                                        dict[int, int]]:
    """Returns the seconds of all rounds and the number of results that differ from the first ones, by
    number of processes."""
    inputs = folder / "inputs"
    write_files(inputs, settings.files)
    counts: Sequence[int] = settings.processes
    seconds: dict[int, list[float]] = {processes: [] for processes in counts}
    differing = dict.fromkeys(counts, 0)
    expected: dict[str, bytes] | None = None
    for round_number in range(settings.rounds):
        for processes in counts:
            results = folder / f"results_{round_number}_{processes}"
            seconds[processes].append(optimize(processes, settings, inputs, results))
            found = contents(results)
            expected = expected or found
            names = expected.keys() | found.keys()
            differing[processes] += sum(expected.get(name) != found.get(name) for name in names)
    return seconds, differing


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-opt", folder=settings.programs)
    with tempfile.TemporaryDirectory() as folder:
        seconds, differing = measure(settings, pathlib.Path(folder))
    print_table(rows_of(seconds, differing))
    if settings.json:
        document = {"format": "quartz-processes", **provenance.record(), "cores": os.cpu_count(),
                    "files": settings.files, "seconds": seconds, "differing": differing}  # fmt: skip
        provenance.write_json(settings.json, document)
    return int(any(differing.values()))

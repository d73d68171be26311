"""Compares quartz-check with MQT QCEC and PyZX on the same pairs of circuits.

    bench.py checkers FOLDER                    # each circuit and what tzap -O3 makes of it
    bench.py checkers FOLDER --limit 600s       # seconds that each checker has for a pair

A pair is a circuit of the folder, in any gates, and the same circuit optimized by tzap. For each pair there
is also a near miss: the optimized circuit after one small change, chosen by --seed, so that the two
circuits differ. Each checker runs in a process of its own, which is stopped after the limit. Seconds of
quartz-check are those of the whole process, reading included; those of QCEC and PyZX do not count
imports. A checker that calls a near miss equivalent is wrong, and named. Installs the packages into
build/venv.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import pathlib
import random
import sys
import tempfile
import time

from benchmarks import packages, programs, provenance, qasm
from benchmarks.checking import EQUIVALENT, NOT_EQUIVALENT, UNDECIDED, VERDICTS, last_line_as_json
from benchmarks.programs import COMMANDS, GRACE_SECONDS, Failure
from benchmarks.text_table import print_table

PACKAGES = {"mqt.qcec", "pyzx", "tzap"}
CHECKERS = ["quartz-check", "qcec", "pyzx"]


@dataclasses.dataclass(frozen=True)
class Verdict:
    verdict: str  # as in checking, or "undecided: ..." with the reason
    seconds: float

    def text(self) -> str:
        """Returns the cell of a table."""
        kind = self.verdict.split(":")[0]
        mark = {EQUIVALENT: "equal", NOT_EQUIVALENT: "different"}.get(kind, "-")
        return f"{mark} {self.seconds:.2f} s" if mark != "-" else f"- ({self.seconds:.0f} s)"


@dataclasses.dataclass(frozen=True)
class Pair:
    name: str
    left: pathlib.Path
    right: pathlib.Path
    are_equal: bool


def nearly(circuit: qasm.FlatCircuit, seed: int) -> qasm.FlatCircuit:
    """Returns the circuit after one small change that makes it another one: a rotation in the other direction, or, if
    there is no rotation whose direction matters, one gate less."""
    chooser = random.Random(seed)
    rotations = [
        i for i, each in enumerate(circuit.statements)
        if each.name == "rz" and abs(math.sin(qasm.angle_value(each.angles[0]))) > 1e-9
    ]  # fmt: skip
    statements = list(circuit.statements)
    if rotations:
        place = chooser.choice(rotations)
        turned = statements[place]
        statements[place] = dataclasses.replace(turned, angles=(f"-({turned.angles[0]})",))
    else:
        del statements[chooser.randrange(len(statements))]
    return dataclasses.replace(circuit, statements=statements)


def quartz_verdict(left: pathlib.Path, right: pathlib.Path, limit: float) -> Verdict:
    """Returns the verdict of quartz-check. Raises Failure if it ends with an error."""
    start = time.perf_counter()
    done = programs.call(
        [COMMANDS / "quartz-check", "--time", f"{limit}s", left, right], limit + GRACE_SECONDS
    )
    seconds = time.perf_counter() - start
    if done.returncode not in VERDICTS:
        raise Failure(f"quartz-check: exit status {done.returncode}: {done.stderr.strip()}")
    return Verdict(VERDICTS[done.returncode], seconds)


def verdict_of(checker: str, python: pathlib.Path, pair: Pair, limit: float) -> Verdict:
    """Returns the verdict of a checker on a pair; "undecided: ..." if it fails or runs out of time."""
    if checker == "quartz-check":
        return quartz_verdict(pair.left, pair.right, limit)
    start = time.perf_counter()
    try:
        command = packages.module_command(python, "peers", "check", checker, pair.left, pair.right, limit)
        found = last_line_as_json(command, limit)
        return Verdict(found["verdict"], found["seconds"])
    except Failure as failure:
        return Verdict(f"{UNDECIDED}: {failure}", time.perf_counter() - start)


def pairs_of(source: pathlib.Path, python: pathlib.Path, work: pathlib.Path, seed: int) -> list[Pair]:
    """Optimizes a circuit by tzap, and returns the pair and the near miss."""
    flat = work / source.name
    flat.write_text(qasm.write(qasm.read(source.read_text(encoding="utf-8"))), encoding="utf-8")
    optimized, changed = work / f"{source.stem}.tzap.qasm", work / f"{source.stem}.near.qasm"
    command = packages.module_command(python, "peers", "optimize", "tzap", "nam", flat, optimized)
    programs.run(command, 600)
    circuit = qasm.read(optimized.read_text(encoding="utf-8"))
    changed.write_text(qasm.write(nearly(circuit, seed)), encoding="utf-8")
    return [Pair(source.stem, flat, optimized, True), Pair(f"{source.stem}, changed", flat, changed, False)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=pathlib.Path, help="folder with circuits in flat OpenQASM 2")
    parser.add_argument("--limit", type=programs.seconds_of, default=60.0, metavar="DURATION",
                        help="time for each checker and pair (default 60s)")  # fmt: skip
    parser.add_argument("--only", metavar="NAME,...", help="names of circuits (default: all of the folder)")
    parser.add_argument("--checker", default=",".join(CHECKERS), metavar="NAME,...",
                        help=f"the checkers to run (default {','.join(CHECKERS)})")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="seed of the near misses")
    parser.add_argument("--json", type=pathlib.Path, default=programs.RESULTS / "checkers.json",
                        help="results file")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("quartz-check")
    checkers = settings.checker.split(",")
    if unknown := set(checkers) - set(CHECKERS):
        raise Failure(f"unknown checkers: {', '.join(sorted(unknown))}")
    wanted = settings.only.split(",") if settings.only else None
    sources = [path for path in sorted(settings.folder.glob("*.qasm")) if wanted is None or path.stem in wanted]
    if not sources:
        raise Failure(f"no circuits in {settings.folder}")
    python = packages.make_venv(PACKAGES)
    results, mistakes = [], []
    rows = [["", *checkers]]
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            for pair in pairs_of(source, python, pathlib.Path(folder), settings.seed):
                verdicts = {each: verdict_of(each, python, pair, settings.limit) for each in checkers}
                wrong = NOT_EQUIVALENT if pair.are_equal else EQUIVALENT
                mistakes += [f"{each} on {pair.name}" for each, found in verdicts.items() if found.verdict == wrong]
                rows.append([pair.name, *(verdicts[each].text() for each in checkers)])
                results.append({"name": pair.name, "are_equal": pair.are_equal,
                                "verdicts": {each: dataclasses.asdict(found) for each, found in verdicts.items()}})  # fmt: skip
                print(f"{pair.name}: {', '.join(rows[-1][1:])}", file=sys.stderr, flush=True)
    print_table(rows)
    for mistake in mistakes:
        print(f"WRONG: {mistake}")
    provenance.write_json(settings.json, {**provenance.record(), "limit": settings.limit, "pairs": results})
    return int(any(mistake.startswith("quartz-check") for mistake in mistakes))

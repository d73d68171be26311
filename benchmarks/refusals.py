"""Counts which programs of a folder Quartz reads, and why it refuses the others.

    bench.py refusals FOLDER                   a table of the reasons
    bench.py refusals FOLDER --before INDEX    also with the messages of an earlier version
    bench.py refusals FOLDER --list            each refused file with its message

INDEX has a line for each file: its name, a tab, and the message with which an earlier version
refused it. Needs qasm_round_trip.
"""

from __future__ import annotations

import argparse
import collections
import pathlib
import re
import tempfile

from benchmarks import programs
from benchmarks.programs import COMMANDS

# The list of reasons: what the message contains, in order. The first reason that fits is counted.
REASONS = [
    ("pulses: cal, defcal, openpulse", r"'(cal|defcal|defcalgrammar)' "),
    ("durations that are computed: duration, stretch",
     r"stretch|'duration'|'durationof|the qubits to wait|'length'|'boxto'"),
    ("functions that are defined elsewhere: extern", r"'extern'|external function"),
    ("complex numbers", r"complex|1\.0j"),
    ("arrays", r"'array'|'readonly'|'mutable'|an array of type"),
    ("noise, matrices and other pragmas of Braket", r"pragma"),
    ("experimental feedback gates: measure_ff, cc_prx", r"'(measure_ff|cc_prx)'"),
    ("classical inputs and outputs", r"found an input of type|'output'"),
    ("annotations", r"annotation"),
    ("values that depend on measurements where they must be known",
     r"depends? on a measurement|measured bits|the value of .* is not known: (it|line|the loop)"
     r"|a subroutine that returns a measurement|other assignments"),
    ("operations after a measurement of what is tested", r"a measurement (under|before|changes)"),
    ("include files that are not there", r"cannot include"),
    ("fractional powers, and quotients of integers that are not integers",
     r"found the value -?\d+\.\d+, expected an integer|truncates the quotient"),
    ("words of OpenQASM 3 in OpenQASM 2", r"belongs to OpenQASM 3"),
    ("statements that are not supported", r"not supported|sizeof|'end'"),
    ("invalid or incomplete programs", r""),
]  # fmt: skip


def reason_of(message: str) -> str:
    """Returns the reason that a message gives."""
    return next(reason for reason, pattern in REASONS if re.search(pattern, message))


def message_of(command: pathlib.Path, source: pathlib.Path, target: pathlib.Path) -> str:
    """Returns the message with which Quartz refuses a program; empty if it reads it."""
    done = programs.call([command, source, target, "--qasm", 3])
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def read_index(path: pathlib.Path) -> dict[str, str]:
    """Returns the earlier message of each file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line)  # type: ignore[misc]


def table(before: collections.Counter[str] | None, after: collections.Counter[str]) -> list[str]:
    """Returns the lines of a Markdown table."""
    columns = ["files", *(["before"] if before is not None else []), "now"]
    lines = [f"| {' | '.join(columns)} |", f"|---|{'---:|' * (len(columns) - 1)}"]
    for reason in ["read", *(reason for reason, _ in REASONS)]:
        earlier = [] if before is None else [str(before[reason])]
        if after[reason] or (before is not None and before[reason]):
            lines.append(f"| {' | '.join([reason, *earlier, str(after[reason])])} |")
    return lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=pathlib.Path, help="folder with .qasm files")
    add("--before", type=pathlib.Path, metavar="INDEX", help="file with earlier messages")
    add("--list", action="store_true", help="print each refused file with its message")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of qasm_round_trip")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    programs.require_commands("qasm_round_trip", folder=settings.programs)
    after: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(settings.folder.glob("*.qasm")):
            target = pathlib.Path(folder) / "written.qasm"
            message = message_of(settings.programs / "qasm_round_trip", source, target)
            after[reason_of(message) if message else "read"] += 1
            if message and settings.list:
                print(f"{source.name}\t{message}")
    before = None
    if settings.before:
        before = collections.Counter(map(reason_of, read_index(settings.before).values()))
    print("\n".join(table(before, after)))
    return 0

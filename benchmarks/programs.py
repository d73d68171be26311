"""Runs the commands of Quartz and other programs, and measures them."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMANDS = ROOT / "build/bin"
RESULTS = ROOT / "build/bench"  # where benchmarks write their results unless told otherwise

# Exit codes of quartz-opt after which there is an output: verified, and not verified in time.
WRITTEN = (0, 12)

# The time that a program may exceed its own limit by before it is killed.
GRACE_SECONDS = 120


class Failure(Exception):
    """A program ended with an error or ran out of time. The text says how."""


def call(command: Sequence[Any], seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, whatever its exit code."""
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def run(command: Sequence[Any], seconds: float, accepted: Sequence[int] = (0,)) -> str:
    """Returns the standard output of a program that ends with one of the accepted exit codes."""
    try:
        done = call(command, seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"no answer within {seconds:.0f} s") from None
    if done.returncode not in accepted:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"exit status {done.returncode}: {last}")
    return done.stdout


class InvalidInput(Failure, ValueError):
    """A file does not contain what a benchmark needs."""


@dataclasses.dataclass(frozen=True)
class Usage:
    """What a process used."""

    processor_seconds: float
    peak_memory_bytes: int


def run_measured(command: Sequence[Any], accepted: Sequence[int] = (0,)) -> Usage:
    """Runs a program and returns what it used. Raises Failure for any other exit code."""
    process = subprocess.Popen(
        [str(part) for part in command], stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    )
    assert process.stderr is not None
    messages = process.stderr.read().strip()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode not in accepted:
        raise Failure(f"exit status {process.returncode}: {messages or 'no message'}")
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def options(**values: Any) -> list[str]:
    """Command-line options: options(gate_set="nam", quiet=True) is --gate-set nam --quiet. None and
    False leave an option out."""
    found = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        found.append("--" + name.replace("_", "-"))
        if value is not True:
            found.append(str(value))
    return found


def require_commands(*names: str, folder: pathlib.Path = COMMANDS) -> None:
    """Ends the program if one of the commands has not been built."""
    for name in names:
        if not (folder / name).exists():
            sys.exit(f"{folder / name} is missing; scripts/build.sh release {name} builds it")


def seconds_of(duration: str) -> float:
    """Returns the seconds of 30s, 500ms, 2min or a plain number, as quartz-opt reads them."""
    for suffix, unit in (("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600)):
        if duration.endswith(suffix):
            return float(duration.removesuffix(suffix)) * unit
    return float(duration)

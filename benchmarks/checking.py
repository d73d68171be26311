"""Checks that an output is equivalent to its input: by MQT QCEC, an independent checker from PyPI,
and by quartz-check where QCEC cannot decide."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from benchmarks import packages, programs
from benchmarks.programs import COMMANDS, GRACE_SECONDS, Failure

CHECK_SECONDS = 60
EQUIVALENT, NOT_EQUIVALENT, UNDECIDED = "equivalent", "not equivalent", "undecided"
# The verdict of each exit code of quartz-check.
VERDICTS = {0: EQUIVALENT, 10: NOT_EQUIVALENT, 11: UNDECIDED}
# The entry of an output that has not been checked yet.
NOT_CHECKED = {"verdict": UNDECIDED, "checked_by": "nobody yet"}


def last_line_as_json(command: list[Any], seconds: float) -> dict[str, Any]:
    """Runs a program and returns the JSON in the last line that it prints."""
    return json.loads(programs.run(command, seconds).splitlines()[-1])


def qcec_verdict(python: pathlib.Path, left: pathlib.Path, right: pathlib.Path) -> str:
    """Returns the verdict of QCEC; "undecided: ..." if it fails."""
    command = packages.module_command(python, "peers", "check", "qcec", left, right, CHECK_SECONDS)
    try:
        return last_line_as_json(command, CHECK_SECONDS + GRACE_SECONDS)["verdict"]
    except Failure as failure:
        return f"{UNDECIDED}: {failure}"


def check(python: pathlib.Path, left: pathlib.Path, right: pathlib.Path) -> dict[str, str]:
    """Returns the verdict on two files, and which program gave it."""
    verdict = qcec_verdict(python, left, right)
    if not verdict.startswith(UNDECIDED):
        return {"verdict": verdict, "checked_by": "qcec"}
    done = programs.call([COMMANDS / "quartz-check", "--json", left, right])
    if done.returncode not in VERDICTS:
        raise Failure(f"quartz-check: exit status {done.returncode}: {done.stderr.strip()}")
    return {
        "verdict": VERDICTS[done.returncode],
        "checked_by": f"quartz-check: {json.loads(done.stdout)['method']}",
        "qcec": verdict,
    }

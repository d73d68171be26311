"""Records where measurements come from: the command line, the date, the commit and the machine."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import platform
import shlex
import sys
from typing import Any

from benchmarks import programs


def machine() -> dict[str, Any]:
    """Describes this machine."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    models = [line.split(":", 1)[1].strip() for line in text.splitlines() if "model name" in line]
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
    }


def commit() -> str:
    """Returns the commit that is checked out; an empty string outside a checkout."""
    return programs.call(
        ["git", "-C", programs.ROOT, "describe", "--always", "--dirty"]
    ).stdout.strip()


def record() -> dict[str, Any]:
    """Returns what every results file starts with."""
    return {
        "command": shlex.join(["scripts/" + pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
    }


def write_json(path: pathlib.Path, document: Any) -> None:
    """Writes a JSON file. It is renamed into place: an interrupted run leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)

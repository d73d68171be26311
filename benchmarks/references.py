"""Reads published sizes of circuits: reference files in the forms that tables of papers have, or an
earlier results file of the benchmark `circuits`."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from typing import Any

from benchmarks.costs import Sizes
from benchmarks.programs import InvalidInput

BEST = "best published"
BEST_KEYS = {"best_known_total": "total", "best_known_cx_nam_set": "two_qubit"}
MEASURE_KEYS = {"total": "total", "cx": "two_qubit", "t": "t"}
UNITS = {"h": 3600, "min": 60, "s": 1}
TIME = re.compile(r"_(\d+)(h|min|s)(?=_|$)")


@dataclasses.dataclass
class Source:
    """The sizes that one publication or one earlier run reports."""

    circuits: dict[str, Sizes]
    seconds: float | None = None  # time per circuit, if the source states it
    measured: bool = False  # measured by this project at another time, not published


Sources = dict[str, Source]


def seconds_in(key: str) -> float | None:
    """Returns the time that is part of a key such as queso_1h."""
    found = TIME.search(key)
    return int(found[1]) * UNITS[found[2]] if found else None


def shown_name(key: str) -> str:
    """Returns the name of a source in tables. It differs from the names of all runs."""
    name = key.replace("_", " ")
    return f"upstream {name}" if name.startswith("quartz") else f"published {name}"


def sizes_of(value: Any) -> Sizes:
    """Reads a count, [total, cx], or an object of counts. Null values are left out."""
    if isinstance(value, dict):
        pairs = [(MEASURE_KEYS[key], size) for key, size in value.items() if key in MEASURE_KEYS]
    elif isinstance(value, list):
        pairs = list(zip(("total", "two_qubit"), value, strict=False))
    else:
        pairs = [("total", value)]
    return {measure: size for measure, size in pairs if size is not None}


def _add(sources: Sources, name: str, circuit: str, sizes: Sizes, **about: Any) -> None:
    if sizes:
        source = sources.setdefault(name, Source({}, **about))
        source.circuits.setdefault(circuit, {}).update(sizes)


def _by_circuit(circuits: dict[str, dict[str, Any]]) -> Sources:
    """Reads {circuit: {source: sizes}}, where the unoptimized sizes are among the sources."""
    sources: Sources = {}
    for circuit, entries in circuits.items():
        for key, value in entries.items():
            if key in BEST_KEYS:
                _add(sources, BEST, circuit, {BEST_KEYS[key]: value})
            elif key.startswith("tzap_") and not isinstance(value, dict):  # scale.json
                sizes = {MEASURE_KEYS[key.removeprefix("tzap_")]: value}
                _add(sources, "tzap -O3", circuit, sizes, measured=True)
            elif isinstance(value, dict) and "seconds" in value:
                _add(sources, shown_name(key), circuit, sizes_of(value), measured=True)
            elif not key.startswith("original") and key not in ("cx", "seconds"):
                _add(sources, shown_name(key), circuit, sizes_of(value), seconds=seconds_in(key))
    return sources


def _by_source(document: dict[str, Any]) -> Sources:
    """Reads {source: {circuit: sizes}}; other entries describe the file."""
    sources: Sources = {}
    for key, circuits in document.items():
        if isinstance(circuits, dict):
            for circuit, value in circuits.items():
                _add(sources, shown_name(key), circuit, sizes_of(value), seconds=seconds_in(key))
    return sources


def _by_run(document: dict[str, Any]) -> Sources:
    """Reads the verified results of an earlier results file; each run is a source."""
    sources: Sources = {}
    for circuit, entry in document["circuits"].items():
        for run, result in entry["results"].items():
            if result.get("verdict") == "equivalent":
                name = f"{run} on {document['gate_set']}"
                _add(sources, name, circuit, result["after"], measured=True)
    return sources


def read(path: pathlib.Path, gate_set: str) -> Sources:
    """Reads a reference file. Raises InvalidInput if its sizes are for another gate set."""
    document = json.loads(path.read_text(encoding="utf-8"))
    if "summary" in document:
        return _by_run(document)
    theirs = document.get("gate_set", gate_set).split()[0]
    if theirs != gate_set:
        raise InvalidInput(f"{path}: sizes for the gate set {theirs}, not {gate_set}")
    return _by_circuit(document["circuits"]) if "circuits" in document else _by_source(document)

"""Published sizes to compare with: reference files in the shapes that papers' tables are kept in,
or an earlier results file of bench.py.

All shapes become the same: {source: Source}, a source's circuits being
{circuit: {measure: size}}.
"""

import dataclasses
import json
import re

BEST = "best published"
BEST_KEYS = {"best_known_total": "total", "best_known_cx_nam_set": "two_qubit"}
MEASURE_KEYS = {"total": "total", "cx": "two_qubit", "t": "t"}
UNITS = {"h": 3600, "min": 60, "s": 1}
TIME = re.compile(r"_(\d+)(h|min|s)(?=_|$)")


@dataclasses.dataclass
class Source:
    circuits: dict  # sizes by circuit
    seconds: float | None = None  # time a circuit, where the source says it
    measured: bool = False  # on some machine of ours, at another time; nothing published


def seconds_in(key):
    """The time that a key such as queso_1h names."""
    found = TIME.search(key)
    return int(found[1]) * UNITS[found[2]] if found else None


def named(key):
    """A source's key as it is shown; none is to be taken for one of the runs."""
    name = key.replace("_", " ")
    return f"upstream {name}" if name.startswith("quartz") else f"published {name}"


def sizes_of(value):
    """A count, [total, cx], or an object of counts; what is null is left out."""
    if isinstance(value, dict):
        pairs = [(MEASURE_KEYS[key], size) for key, size in value.items() if key in MEASURE_KEYS]
    elif isinstance(value, list):
        pairs = list(zip(("total", "two_qubit"), value, strict=False))
    else:
        pairs = [("total", value)]
    return {measure: size for measure, size in pairs if size is not None}


def add(sources, name, circuit, sizes, **about):
    if sizes:
        source = sources.setdefault(name, Source({}, **about))
        source.circuits.setdefault(circuit, {}).update(sizes)


def by_circuit(circuits):
    """{circuit: {source: sizes}}, the sizes of the unoptimized circuit among them."""
    sources = {}
    for circuit, entries in circuits.items():
        for key, value in entries.items():
            if key in BEST_KEYS:
                add(sources, BEST, circuit, {BEST_KEYS[key]: value})
            elif key.startswith("tzap_") and not isinstance(value, dict):  # scale.json
                sizes = {MEASURE_KEYS[key.removeprefix("tzap_")]: value}
                add(sources, "tzap -O3", circuit, sizes, measured=True)
            elif isinstance(value, dict) and "seconds" in value:
                add(sources, named(key), circuit, sizes_of(value), measured=True)
            elif not key.startswith("original") and key not in ("cx", "seconds"):
                add(sources, named(key), circuit, sizes_of(value), seconds=seconds_in(key))
    return sources


def by_source(document):
    """{source: {circuit: sizes}} beside the words that describe the file."""
    sources = {}
    for key, circuits in document.items():
        if isinstance(circuits, dict):
            for circuit, value in circuits.items():
                add(sources, named(key), circuit, sizes_of(value), seconds=seconds_in(key))
    return sources


def by_run(document):
    """The verified results of an earlier results file, each run a source."""
    sources = {}
    for circuit, entry in document["circuits"].items():
        for run, result in entry["results"].items():
            if result.get("verdict") == "equivalent":
                name = f"{run} on {document['gate_set']}"
                add(sources, name, circuit, result["after"], measured=True)
    return sources


def read(path, gate_set):
    """Raises ValueError for figures that are of another gate set."""
    document = json.loads(path.read_text())
    if "summary" in document:
        return by_run(document)
    of = document.get("gate_set", gate_set).split()[0]
    if of != gate_set:
        raise ValueError(f"{path}: figures of the gate set {of}, not {gate_set}")
    return by_circuit(document["circuits"]) if "circuits" in document else by_source(document)

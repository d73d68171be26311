"""Takes new figures for docs/benchmarks.json from the results files of the benchmarks.

Each importer turns a results file into rows of one measurement. A row replaces the values of the row
with the same first cell and keeps its other entries, such as figures of other programs.
"""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Callable
from typing import Any

from benchmarks import results
from benchmarks.checking import EQUIVALENT, NOT_EQUIVALENT
from benchmarks.programs import InvalidInput

Row = dict[str, Any]
Importer = Callable[[dict[str, Any]], list[Row]]

# How the other optimizers are named in the tables.
PEER_NAMES = {
    "qiskit": "Qiskit {} -O3",
    "pytket": "pytket {} FullPeepholeOptimise",
    "pyzx": "PyZX {}",
    "tzap": "tzap {} -O3",
}


def two_digits(number: float) -> float:
    """Rounds to two significant digits."""
    rounded = float(f"{number:.2g}")
    return int(rounded) if rounded >= 10 else rounded


def nam_suite(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `circuits`: the longest budget first, then the best other optimizer."""

    def row(name: str, run: str) -> Row:
        line = document["summary"][run]
        changes = {
            measure: round(-100 * change, 1) for measure, change in line["reduction"].items()
        }
        return {"program": name, **changes, "seconds": two_digits(line["mean_seconds"])}

    ours = [
        row(f"quartz-opt --time {run.removeprefix('quartz ')}", run)
        for run in reversed(results.quartz_runs(document))
    ]
    versions = document["packages"]
    theirs = [
        row(PEER_NAMES[run].format(versions[run]), run) for run in results.peer_runs(document)
    ]
    return ours + sorted(theirs, key=lambda found: found["total"])


def native_gate_sets(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `gate-sets`."""
    return [
        {
            "gate_set": f"`{each['gate_set']}`",
            "quartz": each["two_qubit"],
            "qiskit": each["qiskit_two_qubit"],
            "qiskit_permuted": each["qiskit_permuted_two_qubit"],
        }
        for each in document["sets"]
    ]


def native_gate_sets_circuits(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `gate-sets`, circuit by circuit."""
    sets = document["sets"]
    circuits = sum(each["circuits"] for each in sets)
    fewer = sum(each["fewer"] for each in sets)
    more = sum(len(each["more"]) for each in sets)
    equal = circuits - fewer - more
    return [
        {
            "what": "all gate sets",
            "circuits": circuits,
            "fewer": fewer,
            "equal": equal,
            "more": more,
        }
    ]


def rule_generation_nam(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `gen`."""
    return [
        {
            "size": f"({size})",
            "circuits": stats["circuits_enumerated"],
            "classes": stats["classes_enumerated"],
            "proofs": stats["proofs_proved"],
            "rules": stats["rules"],
            "seconds": two_digits(stats["seconds"]["total"]),
            "memory": f"{stats['peak_memory_bytes'] / 1e6:.0f} MB",
        }
        for size, stats in document["sizes"].items()
        if "failed" not in stats
    ]


def class_tables(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `tables`. The circuits are named by their gates."""
    return [
        {
            "table": f"cost {each['table']['cost']}",
            "classes": sum(each["table"]["classes"]),
            "bytes": each["table"]["bytes"],
            "build": two_digits(each["table"]["seconds"]["build"]),
            "memory": f"{each['table']['peak_memory_bytes'] / 1e6:.0f} MB",
            **{f"moves_{run['gates_before']}": run["moves_per_second"] for run in each["circuits"]},
        }
        for each in document["results"]
    ]


# How the checkers of equality are named in the tables.
CHECKER_NAMES = {"quartz-check": "`quartz-check`", "qcec": "MQT QCEC", "pyzx": "PyZX"}


def checkers(document: dict[str, Any]) -> list[Row]:
    """Reads the results of `checkers`: how many pairs each checker decides, and its time as a
    multiple of that of quartz-check, the geometric mean over the pairs that both decide."""
    pairs = document["pairs"]

    def decides(checker: str, pair: dict[str, Any]) -> bool:
        right = EQUIVALENT if pair["are_equal"] else NOT_EQUIVALENT
        return bool(pair["verdicts"][checker]["verdict"] == right)

    def decided(checker: str, are_equal: bool) -> str:
        asked = [pair for pair in pairs if pair["are_equal"] == are_equal]
        return f"{sum(decides(checker, pair) for pair in asked)} of {len(asked)}"

    def wrong(checker: str) -> int:
        verdicts = [pair["verdicts"][checker]["verdict"] for pair in pairs]
        given = sum(verdict in (EQUIVALENT, NOT_EQUIVALENT) for verdict in verdicts)
        return given - sum(decides(checker, pair) for pair in pairs)

    def ratio(checker: str) -> str:
        times = [
            pair["verdicts"][checker]["seconds"] / pair["verdicts"]["quartz-check"]["seconds"]
            for pair in pairs
            if decides(checker, pair) and decides("quartz-check", pair)
        ]
        return f"{two_digits(statistics.geometric_mean(times)):g}" if times else ""

    return [
        {
            "checker": CHECKER_NAMES[each],
            "equal": decided(each, True),
            "different": decided(each, False),
            "wrong": wrong(each),
            "time": ratio(each),
        }
        for each in pairs[0]["verdicts"]
    ]


IMPORTERS: dict[str, Importer] = {
    each.__name__: each
    for each in (
        nam_suite,
        native_gate_sets,
        native_gate_sets_circuits,
        rule_generation_nam,
        class_tables,
        checkers,
    )
}


def provenance_of(document: dict[str, Any]) -> dict[str, str]:
    """Returns date, commit and machine of a results file as they are shown."""
    date = datetime.datetime.fromisoformat(document["date"])
    machine = document["machine"]
    return {
        "date": f"{date.day} {date:%B %Y}",
        "commit": document["commit"],
        "machine": f"{machine['cores']} cores of {machine['processor']}",
    }


def updated(measurement: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Returns a measurement with the figures of a results file. Its command and conditions stay.
    Raises InvalidInput if the file has figures that the table has no column for."""
    name = measurement["name"]
    keys = [column["key"] for column in measurement["columns"]]
    found = IMPORTERS[name](document)
    for row in found:
        for key in row.keys() - set(keys):
            raise InvalidInput(f"{name} has no column for '{key}'")
    earlier = {row[keys[0]]: row for row in measurement["rows"]}
    rows = [earlier.pop(row[keys[0]], {}) | row for row in found]
    return measurement | provenance_of(document) | {"rows": rows + list(earlier.values())}

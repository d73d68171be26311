"""Means and comparisons of the results of the benchmark `circuits`, and merging of results files.

A run is quartz-opt with one time budget ("quartz 10s") or another optimizer ("qiskit"). A rival is
what a run of quartz-opt is compared with: another optimizer, or published sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypedDict

from benchmarks import ratios
from benchmarks.checking import EQUIVALENT, NOT_EQUIVALENT, UNDECIDED
from benchmarks.costs import MEASURES, Sizes
from benchmarks.programs import InvalidInput

# Documents that differ in one of these did not measure the same thing.
SAME_IN_ALL = ["folder", "gate_set", "cost", "seed", "threads", "rules", "extra"]
BEST_PEER = "better of the peers"


class Result(TypedDict, total=False):
    """One run on one circuit: either `failed`, or the other entries."""

    failed: str  # the reason
    after: Sizes
    verdict: str
    checked_by: str
    qcec: str  # the verdict of QCEC, if quartz-check had to decide
    seconds: float
    whole_process_seconds: float
    stop_reason: str


class Circuit(TypedDict):
    gate_set: str
    before: Sizes
    results: dict[str, Result]  # by run
    published: dict[str, Sizes]  # by source


# A results file. `runs`, `sources`, `circuits`, `left_out` and `warm_up_seconds` are objects by
# name; `parts` are the records of the measurements that were merged into it.
Document = dict[str, Any]
Circuits = dict[str, Circuit]


def is_good(result: Result) -> bool:
    """Returns whether an output is verified."""
    return result.get("verdict") == EQUIVALENT


def quartz_runs(document: Document) -> list[str]:
    """Returns the runs of quartz-opt in the order of their budgets."""
    budgets = {run: about.get("budget_seconds") for run, about in document["runs"].items()}
    return sorted(
        (run for run in budgets if budgets[run] is not None), key=lambda run: budgets[run]
    )


def peer_runs(document: Document) -> list[str]:
    """Returns the runs of other optimizers."""
    return [run for run, about in document["runs"].items() if "budget_seconds" not in about]


def compared_measures(document: Document) -> list[str]:
    """Returns the measure of the cost that was asked for, and those that are always compared."""
    return list(dict.fromkeys([document["cost_measure"], "total", "two_qubit", "t"]))


def all_measures(document: Document) -> list[str]:
    """Returns every measure, including the one of a file of weights."""
    return list(dict.fromkeys([*MEASURES, document["cost_measure"]]))


def least_of(document: Document, measure: str) -> float:
    """Returns what a size of 0 counts as in a geometric mean."""
    return document["least_cost"] if measure == document["cost_measure"] else 1


# --- means ----------------------------------------------------------------------------------------


def reduction(circuits: Circuits, run: str, measure: str, least: float = 1) -> float:
    """Returns the mean reduction over the circuits that have the run. A result that failed, is
    wrong, or is undecided counts as no reduction."""
    return ratios.mean_reduction(
        (
            (
                circuit["before"][measure],
                circuit["results"][run]["after"][measure]
                if is_good(circuit["results"][run])
                else None,
            )
            for circuit in circuits.values()
            if run in circuit["results"]
        ),
        least,
    )


def published_reduction(
    circuits: Circuits, source: str, measure: str, least: float = 1
) -> tuple[float, int]:
    """Returns the mean reduction that a source has published, and for how many circuits."""
    pairs = [
        (circuit["before"][measure], circuit["published"][source][measure])
        for circuit in circuits.values()
        if measure in circuit.get("published", {}).get(source, {})
    ]
    return ratios.mean_reduction(pairs, least), len(pairs)


def summarize_run(document: Document, run: str) -> dict[str, Any]:
    """Returns the means of one run, and the names of the circuits where it did not succeed."""
    circuits: Circuits = document["circuits"]
    results = {
        name: circuit["results"][run]
        for name, circuit in circuits.items()
        if run in circuit["results"]
    }

    def names(holds: Callable[[Result], bool]) -> list[str]:
        return [name for name, result in results.items() if holds(result)]

    def mean(key: str) -> float | None:
        times = [result[key] for result in results.values() if key in result]  # type: ignore[literal-required]
        return round(sum(times) / len(times), 4) if times else None

    return {
        "circuits": len(results),
        "equivalent": len(names(is_good)),
        "not_equivalent": names(lambda result: result.get("verdict") == NOT_EQUIVALENT),
        "undecided": names(lambda result: result.get("verdict") == UNDECIDED),
        "failed": names(lambda result: "failed" in result),
        "seconds": round(sum(result.get("seconds", 0) for result in results.values()), 3),
        "mean_seconds": mean("seconds"),
        "mean_whole_process_seconds": mean("whole_process_seconds"),
        "reduction": {
            measure: round(reduction(circuits, run, measure, least_of(document, measure)), 4)
            for measure in all_measures(document)
        },
    }


# --- comparisons ----------------------------------------------------------------------------------


def peer_sizes(document: Document, peer: str) -> dict[str, Sizes]:
    """Returns the sizes of the verified outputs of another optimizer, by circuit."""
    return {
        name: circuit["results"][peer]["after"]
        for name, circuit in document["circuits"].items()
        if is_good(circuit["results"].get(peer, {}))
    }


def best_of(sizes_of_each: Iterable[dict[str, Sizes]]) -> dict[str, Sizes]:
    """Returns, for each circuit and measure, the smallest of several sizes."""
    best: dict[str, Sizes] = {}
    for sizes in sizes_of_each:
        for circuit, counts in sizes.items():
            smallest = best.setdefault(circuit, dict(counts))
            for measure, count in counts.items():
                smallest[measure] = min(count, smallest.get(measure, count))
    return best


def rivals(document: Document) -> dict[str, dict[str, Sizes]]:
    """Returns the sizes of each rival by circuit: the other optimizers, then published sizes."""
    found = {peer: peer_sizes(document, peer) for peer in peer_runs(document)}
    if len(found) > 1:
        found[BEST_PEER] = best_of(list(found.values()))
    for source in document.get("sources", {}):
        found[source] = {
            name: circuit["published"][source]
            for name, circuit in document["circuits"].items()
            if source in circuit.get("published", {})
        }
    return found


def compare(
    circuits: Circuits, run: str, sizes: dict[str, Sizes], measure: str, least: float = 1
) -> dict[str, Any]:
    """Returns the names of the circuits where a run is better, equal and worse than a rival, and
    the change of the geometric mean from the rival to the run. Circuits for which one of the two
    has no verified result are not compared, and named as well."""
    names: dict[str, list[str]] = {"better": [], "equal": [], "worse": [], "not_compared": []}
    pairs = []
    for name, circuit in circuits.items():
        result, rival = circuit["results"].get(run, {}), sizes.get(name, {}).get(measure)
        if not is_good(result) or rival is None:
            names["not_compared"].append(name)
            continue
        ours = result["after"][measure]
        if math.isclose(ours, rival, rel_tol=1e-9):  # sums of weights are rounded
            names["equal"].append(name)
        else:
            names["better" if ours < rival else "worse"].append(name)
        pairs.append((rival, ours))
    return names | {"change": round(-ratios.mean_reduction(pairs, least), 4)}


def compare_all(document: Document) -> dict[str, dict[str, dict[str, Any]]]:
    """Compares every run of quartz-opt with every rival, in the measures that the rival has."""
    comparisons: dict[str, dict[str, dict[str, Any]]] = {}
    for run in quartz_runs(document):
        for rival, sizes in rivals(document).items():
            for measure in compared_measures(document):
                if any(measure in counts for counts in sizes.values()):
                    least = least_of(document, measure)
                    found = compare(document["circuits"], run, sizes, measure, least)
                    comparisons.setdefault(run, {}).setdefault(rival, {})[measure] = found
    return comparisons


# --- documents ------------------------------------------------------------------------------------


def summarized(document: Document) -> Document:
    """Returns the document with its means and comparisons."""
    runs = [*quartz_runs(document), *peer_runs(document)]
    summary = {run: summarize_run(document, run) for run in runs}
    return document | {"summary": summary, "comparisons": compare_all(document)}


def merged(documents: Iterable[Document]) -> Document:
    """Merges documents that measured different circuits or runs. Where two measured the same run on
    the same circuit, the later document wins. Raises InvalidInput if they did not measure the same
    thing."""
    first, *others = documents
    by_name = ("runs", "sources", "left_out", "warm_up_seconds")
    result = first | {key: dict(first.get(key, {})) for key in (*by_name, "circuits")}
    for document in others:
        for key in SAME_IN_ALL:
            if document.get(key) != first.get(key):
                raise InvalidInput(
                    f"files with different {key} cannot be merged:"
                    f" {first.get(key)}, {document.get(key)}"
                )
        for key in by_name:
            result[key] |= document.get(key, {})
        for name, circuit in document["circuits"].items():
            _merge_circuit(result["circuits"], name, circuit)
    parts = [part for document in (first, *others) for part in document.get("parts", [])]
    result["parts"] = [part for index, part in enumerate(parts) if part not in parts[:index]]
    result["circuits"] = dict(sorted(result["circuits"].items()))
    return summarized(result)


def _merge_circuit(circuits: dict[str, Any], name: str, circuit: dict[str, Any]) -> None:
    earlier = circuits.get(name, {})
    if earlier and earlier["before"] != circuit["before"]:
        raise InvalidInput(f"{name} is not the same circuit in all files")
    both = {key: earlier.get(key, {}) | circuit.get(key, {}) for key in ("results", "published")}
    circuits[name] = earlier | circuit | both

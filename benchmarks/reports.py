"""The tables that the benchmark `circuits` prints."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks import results
from benchmarks.checking import EQUIVALENT, NOT_EQUIVALENT
from benchmarks.costs import MEASURES
from benchmarks.references import BEST
from benchmarks.results import Document, Result
from benchmarks.text_table import percent, print_table


def size_text(size: float) -> str:
    return str(size) if isinstance(size, int) else f"{size:.6g}"


def verdict_mark(result: Result) -> str:
    """Returns the verdict and who gave it, for example "yes (qcec)"."""
    mark = {EQUIVALENT: "yes", NOT_EQUIVALENT: "NO"}.get(result["verdict"], "undecided")
    return f"{mark} ({result['checked_by'].split(':')[0]})"


def marked_size(result: Result | None, measure: str) -> str:
    """Returns the size of an output, and the verdict unless it is verified."""
    if result is None:
        return ""
    if "failed" in result:
        return "failed"
    size = size_text(result["after"][measure])
    return size if results.is_good(result) else f"{size} {verdict_mark(result)}"


# --- circuit by circuit ---------------------------------------------------------------------------


def shown_measures(document: Document) -> list[str]:
    """Returns total, two_qubit, t, and the measure of the cost if it is none of these."""
    return list(dict.fromkeys([*MEASURES[:3], document["cost_measure"]]))


def show_circuits(document: Document) -> None:
    """Prints every circuit with the longest budget, and the cost with the other budgets."""
    runs = results.quartz_runs(document)
    if not runs:
        return
    *shorter, longest = runs
    measures, asked = shown_measures(document), document["cost_measure"]
    short = {"two_qubit": "2q", "t": "T"}
    names = [short.get(measure, measure) for measure in measures]
    best = results.rivals(document).get(BEST, {})
    rows = [["circuit", "gate set", *names, *(f"-> {name}" for name in names)]]
    rows[0] += ["seconds", "equal", "best", *(f"{asked} {run.split()[1]}" for run in shorter)]
    for name, circuit in document["circuits"].items():
        row = [name, circuit["gate_set"]]
        row += [size_text(circuit["before"][measure]) for measure in measures]
        result = circuit["results"].get(longest)
        if result is None or "failed" in result:
            row += [marked_size(result, asked)] + [""] * (len(measures) + 1)
        else:
            row += [size_text(result["after"][measure]) for measure in measures]
            row += [f"{result['seconds']:.1f}", verdict_mark(result)]
        known = best.get(name, {}).get(asked)
        row.append("" if known is None else size_text(known))
        row += [marked_size(circuit["results"].get(run), asked) for run in shorter]
        rows.append(row)
    print(f"{longest}, cost {document['cost']}")
    print_table(rows)


def winners(sizes: dict[str, float]) -> str:
    """Returns the runs with the smallest size; "all" if several runs are all equal."""
    smallest = min(sizes.values())
    names = [run for run, size in sizes.items() if size == smallest]
    return "all" if len(names) == len(sizes) > 1 else ", ".join(names)


def show_winners(document: Document) -> None:
    """Prints which run is best on each circuit: quartz-opt with the longest budget, or a peer."""
    peers = results.peer_runs(document)
    runs = [*results.quartz_runs(document)[-1:], *peers]
    if not peers or len(runs) < 2:
        return
    for measure in dict.fromkeys([document["cost_measure"], "two_qubit", "total"]):
        rows = [[f"{measure} of", "gate set", "before", *runs, "wins"]]
        for name, circuit in document["circuits"].items():
            found = {run: circuit["results"].get(run) for run in runs}
            good = {
                run: result["after"][measure]
                for run, result in found.items()
                if result and results.is_good(result)
            }
            row = [name, circuit["gate_set"], size_text(circuit["before"][measure])]
            row += [marked_size(result, measure) for result in found.values()]
            rows.append([*row, winners(good) if good else "none"])
        print()
        print_table(rows)


def show_exceptions(document: Document) -> None:
    """Prints what did not count as a success, with the reason of each."""
    for name, reason in document["left_out"].items():
        print(f"not measured: {name}: {reason}")
    for name, circuit in document["circuits"].items():
        for run, result in circuit["results"].items():
            if "failed" in result:
                print(f"failed: {name}: {run}: {result['failed']}")
            elif not results.is_good(result):
                why = f"{result['checked_by']}, qcec: {result.get('qcec', result['verdict'])}"
                print(f"{result['verdict']}: {name}: {run} ({why})")


def shown_sources(document: Document) -> list[str]:
    """Returns the sources of published sizes. If other optimizers were run, sources that were
    measured at another time are left out."""
    peers = results.peer_runs(document)
    return [
        source for source, about in document["sources"].items() if not (peers and about["measured"])
    ]


# --- all circuits together ------------------------------------------------------------------------


def show_summary(document: Document) -> None:
    """Prints the mean change of every measure for each run and source."""
    measures = results.all_measures(document)
    rows = [["geometric mean", *measures, "equal", "mean seconds", "whole process"]]
    for run, line in document["summary"].items():
        means: Iterable[str] = (percent(-line["reduction"][measure]) for measure in measures)
        row = [run, *(means if line["equivalent"] else [""] * len(measures))]
        part = f" of {len(document['circuits'])}" * (line["circuits"] < len(document["circuits"]))
        row.append(f"{line['equivalent']}/{line['circuits']}{part}")
        times = (line["mean_seconds"], line["mean_whole_process_seconds"])
        rows.append([*row, *("" if time is None else f"{time:.3f}" for time in times)])
    for source in shown_sources(document):
        found = [
            results.published_reduction(document["circuits"], source, measure)
            for measure in measures
        ]
        row = [source, *(percent(-change) if number else "" for change, number in found)]
        rows.append([*row, f"of {max(number for _, number in found)}", "", ""])
    print_table(rows)


def show_comparisons(document: Document) -> None:
    """Prints in how many circuits the longest budget is better, equal and worse than each rival."""
    runs = results.quartz_runs(document)
    comparisons = document["comparisons"].get(runs[-1], {}) if runs else {}
    if not comparisons:
        return
    sources = document["sources"]
    rows = [[f"{runs[-1]} against", "in", "better", "equal", "worse", "not compared", "mean"]]
    notes = []
    for rival, by_measure in comparisons.items():
        if rival in sources and rival not in shown_sources(document):
            continue
        # The best published size already covers the single sources.
        names_circuits = rival == BEST or rival not in sources or BEST not in sources
        for measure, found in by_measure.items():
            counts = [
                str(len(found[word])) for word in ("better", "equal", "worse", "not_compared")
            ]
            rows.append([rival, measure, *counts, percent(found["change"])])
            if found["worse"] and names_circuits:
                notes.append(f"worse than {rival} in {measure}: {', '.join(found['worse'])}")
    print_table(rows)
    for note in notes:
        print(note)


def show_commits(document: Document) -> None:
    """Prints the commits, if parts of the document were measured at different ones."""
    commits = dict.fromkeys(part["commit"] for part in document["parts"])
    if len(commits) > 1:
        print(f"measured at several commits: {', '.join(commits)}")


def show(document: Document) -> None:
    """Prints every table of a results file."""
    show_circuits(document)
    show_winners(document)
    print()
    show_exceptions(document)
    print()
    show_summary(document)
    print()
    show_comparisons(document)
    show_commits(document)

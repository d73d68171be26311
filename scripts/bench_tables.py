"""The tables that the benchmark scripts print."""

import bench_costs
import bench_results
from bench_reference import BEST


def print_table(rows):
    """Columns as wide as their widest cell; the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


def size_text(size):
    return str(size) if isinstance(size, int) else f"{size:.6g}"


def percent(change):
    return f"{100 * change + 0.0:+.1f}%"


def verdict_mark(result):
    """Such as: yes (qcec)."""
    mark = {"equivalent": "yes", "not equivalent": "NO"}.get(result["verdict"], "undecided")
    return f"{mark} ({result['checked_by'].split(':')[0]})"


def marked_size(result, measure):
    """The size, and beside it what keeps it from counting."""
    if result is None:
        return ""
    if "failed" in result:
        return "failed"
    size = size_text(result["after"][measure])
    return size if bench_results.is_good(result) else f"{size} {verdict_mark(result)}"


# --- circuit by circuit ---------------------------------------------------------------------------


def shown_measures(document):
    """total, two_qubit, t, and the cost asked for where it is none of them."""
    return list(dict.fromkeys([*bench_costs.MEASURES[:3], document["cost_measure"]]))


def show_circuits(document):
    """Every circuit at the longest budget, and the cost asked for at the others."""
    runs = bench_results.quartz_runs(document)
    if not runs:
        return
    *shorter, longest = runs
    measures, asked = shown_measures(document), document["cost_measure"]
    short = {"two_qubit": "2q", "t": "T"}
    names = [short.get(measure, measure) for measure in measures]
    best = bench_results.rivals(document).get(BEST, {})
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


def winners(sizes):
    """Those of {run: size} that have the smallest; all: "all"."""
    smallest = min(sizes.values())
    names = [run for run, size in sizes.items() if size == smallest]
    return "all" if len(names) == len(sizes) > 1 else ", ".join(names)


def show_winners(document):
    """Who wins on each circuit: quartz-opt at the longest budget and the peers."""
    peers = bench_results.peer_runs(document)
    runs = [*bench_results.quartz_runs(document)[-1:], *peers]
    if not peers or len(runs) < 2:
        return
    for measure in dict.fromkeys([document["cost_measure"], "two_qubit", "total"]):
        rows = [[f"{measure} of", "gate set", "before", *runs, "wins"]]
        for name, circuit in document["circuits"].items():
            results = {run: circuit["results"].get(run) for run in runs}
            good = {
                run: result["after"][measure]
                for run, result in results.items()
                if result and bench_results.is_good(result)
            }
            row = [name, circuit["gate_set"], size_text(circuit["before"][measure])]
            row += [marked_size(result, measure) for result in results.values()]
            rows.append([*row, winners(good) if good else "none"])
        print()
        print_table(rows)


def show_exceptions(document):
    """What went into no mean as a success: named, each with its reason."""
    for name, reason in document["left_out"].items():
        print(f"not measured: {name}: {reason}")
    for name, circuit in document["circuits"].items():
        for run, result in circuit["results"].items():
            if "failed" in result:
                print(f"failed: {name}: {run}: {result['failed']}")
            elif not bench_results.is_good(result):
                why = f"{result['checked_by']}, qcec: {result.get('qcec', result['verdict'])}"
                print(f"{result['verdict']}: {name}: {run} ({why})")


def shown_sources(document):
    """Without what was measured at another time, where peers were run beside us."""
    peers = bench_results.peer_runs(document)
    return [
        source for source, about in document["sources"].items() if not (peers and about["measured"])
    ]


# --- all circuits together ------------------------------------------------------------------------


def show_summary(document):
    measures = list(dict.fromkeys([*bench_costs.MEASURES, document["cost_measure"]]))
    rows = [["geometric mean", *measures, "equal", "mean seconds", "whole process"]]
    for run, line in document["summary"].items():
        means = (percent(-line["reduction"][measure]) for measure in measures)
        row = [run, *(means if line["equivalent"] else [""] * len(measures))]
        part = f" of {len(document['circuits'])}" * (line["circuits"] < len(document["circuits"]))
        row.append(f"{line['equivalent']}/{line['circuits']}{part}")
        times = (line["mean_seconds"], line["mean_whole_process_seconds"])
        rows.append([*row, *("" if time is None else f"{time:.3f}" for time in times)])
    for source in shown_sources(document):
        found = {
            measure: bench_results.published_reduction(document["circuits"], source, measure)
            for measure in measures
        }
        row = [source, *(percent(-change) if of else "" for change, of in found.values())]
        rows.append([*row, f"of {max(of for _, of in found.values())}", "", ""])
    print_table(rows)


def show_comparisons(document):
    """The longest budget against each rival: better, equal and worse circuits."""
    runs = bench_results.quartz_runs(document)
    comparisons = document["comparisons"].get(runs[-1], {}) if runs else {}
    if not comparisons:
        return
    sources = document["sources"]
    rows = [[f"{runs[-1]} against", "in", "better", "equal", "worse", "not compared", "mean"]]
    notes = []
    for rival, by_measure in comparisons.items():
        if rival in sources and rival not in shown_sources(document):
            continue
        # The best of all published stands for each of them.
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


def show_commits(document):
    commits = dict.fromkeys(part["commit"] for part in document["parts"])
    if len(commits) > 1:
        print(f"measured at several commits: {', '.join(commits)}")


def show(document):
    show_circuits(document)
    show_winners(document)
    print()
    show_exceptions(document)
    print()
    show_summary(document)
    print()
    show_comparisons(document)
    show_commits(document)

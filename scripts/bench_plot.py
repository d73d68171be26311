#!/usr/bin/env python3
"""Draws the mean reduction against time from a results file of bench.py, which calls this with the
Python that has matplotlib.

    bench_plot.py RESULTS.json PICTURE.png
"""

import itertools
import json
import pathlib
import sys

import bench_results

MEASURE_WORDS = {"total": "total gates", "two_qubit": "two-qubit gates", "t": "T gates"}


def seconds_of(line):
    """Mean time a circuit: of the whole process where that was measured."""
    return line["mean_whole_process_seconds"] or line["mean_seconds"]


def points(document, runs):
    """(seconds, percent, label) of each run that has a time."""
    measure, circuits = document["cost_measure"], len(document["circuits"])
    found = []
    for run in runs:
        line = document["summary"][run]
        if seconds_of(line):
            part = f" ({line['equivalent']} of {circuits})" * (line["equivalent"] < circuits)
            found.append((seconds_of(line), 100 * line["reduction"][measure], run + part))
    return found


def published(document):
    """(seconds or None, percent, label) of each published source; what was measured at another time
    is left out, since no machine's times are those of another."""
    measure, circuits = document["cost_measure"], document["circuits"]
    found = []
    for source, about in document["sources"].items():
        change, of = bench_results.published_reduction(circuits, source, measure)
        if of and not about["measured"]:
            part = f" ({of} of {len(circuits)})" * (of < len(circuits))
            found.append((about["seconds"], 100 * change, source + part))
    return found


def spread(heights, gap):
    """The heights moved apart, so that a gap is between any two, and as much down as up."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved = list(heights)
    for below, above in itertools.pairwise(order):
        moved[above] = max(moved[above], moved[below] + gap)
    shift = sum(moved) - sum(heights)
    return [height - shift / len(heights) for height in moved]


def draw(document, picture):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    ours = points(document, bench_results.quartz_runs(document))
    peers = points(document, bench_results.peer_runs(document))
    others = published(document)
    figure, axes = pyplot.subplots(figsize=(9, 5.5), layout="constrained")
    axes.set_xscale("log")
    axes.margins(x=0.08)
    if ours:
        times, heights, _ = zip(*ours, strict=True)
        axes.plot(times, heights, "o-", color="C0", linewidth=2, zorder=3, label="quartz-opt")
        for time, height, name in ours:
            axes.annotate(
                f"{height:.1f}% {name.removeprefix('quartz ')}", (time, height), (0, 7),
                textcoords="offset points", ha="center", fontsize=8, color="C0",
            )  # fmt: skip
    for number, (time, height, name) in enumerate(peers, 1):
        color = f"C{number}"  # the next of matplotlib's own after our blue
        axes.plot(time, height, "s", color=color, zorder=3)
        axes.annotate(
            f"{name} {height:.1f}%", (time, height), (0, -13),
            textcoords="offset points", ha="center", fontsize=9, color=color,
        )  # fmt: skip
    low, high = axes.get_ylim()
    bottom = min(low, 0)
    top = max([high, *(height for _, height, _ in others)])
    top += 0.06 * (top - bottom)
    axes.set_ylim(bottom, top)
    # Published figures: named at the right, with a line to their own height.
    names_at = spread([height for _, height, _ in others], 0.034 * (top - bottom))
    for (time, height, name), name_at in zip(others, names_at, strict=True):
        if time is None:
            axes.axhline(height, color="gray", linestyle="--", linewidth=1, zorder=1)
        else:
            axes.plot(time, height, "D", color="gray", markersize=5, zorder=2)
        axes.annotate(
            f"{name.removeprefix('published ')} {height:.1f}%", (1, height), (1.04, name_at),
            xycoords=("axes fraction", "data"), textcoords=("axes fraction", "data"),
            fontsize=8, color="dimgray", va="center",
            arrowprops={"arrowstyle": "-", "color": "lightgray", "relpos": (0, 0.5)},
        )  # fmt: skip
    asked = document["cost_measure"]
    words = MEASURE_WORDS.get(asked, asked)
    axes.set_xlabel("mean seconds a circuit (quartz-opt and tzap: the whole process)")
    axes.set_ylabel(f"geometric-mean reduction of {words}, %")
    axes.set_title(
        f"{len(document['circuits'])} circuits of {document['folder']}, gate set"
        f" {document['gate_set']}, {document['threads']} thread{'s' * (document['threads'] != 1)}",
        fontsize=10,
    )
    axes.grid(alpha=0.3)
    figure.savefig(picture, dpi=150)


def main():
    results, picture = map(pathlib.Path, sys.argv[1:3])
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(json.loads(results.read_text()), picture)


if __name__ == "__main__":
    main()

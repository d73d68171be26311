"""Draws the mean reduction against time from a results file of the benchmark `circuits`.

    python -m benchmarks.plots RESULTS.json PICTURE.png

Needs an interpreter that has matplotlib; `draw_in_venv` starts one.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import sys
from typing import Any

from benchmarks import packages, programs, results
from benchmarks.results import Document

MEASURE_WORDS = {"total": "total gates", "two_qubit": "two-qubit gates", "t": "T gates"}

Point = tuple[float, float, str]  # seconds, percent, label


def seconds_of(line: dict[str, Any]) -> float | None:
    """Returns the mean time per circuit: of the whole process if that was measured."""
    return line["mean_whole_process_seconds"] or line["mean_seconds"]


def points(document: Document, runs: list[str]) -> list[Point]:
    """Returns a point for each run that has a time."""
    measure, circuits = document["cost_measure"], len(document["circuits"])
    found = []
    for run in runs:
        line = document["summary"][run]
        if seconds := seconds_of(line):
            part = f" ({line['equivalent']} of {circuits})" * (line["equivalent"] < circuits)
            found.append((seconds, 100 * line["reduction"][measure], run + part))
    return found


def published(document: Document) -> list[tuple[float | None, float, str]]:
    """Returns a point for each published source; without seconds if it does not state them. Sources
    that were measured at another time are left out, because times of different machines cannot be
    compared."""
    measure, circuits = document["cost_measure"], document["circuits"]
    found = []
    for source, about in document["sources"].items():
        change, number = results.published_reduction(circuits, source, measure)
        if number and not about["measured"]:
            part = f" ({number} of {len(circuits)})" * (number < len(circuits))
            found.append((about["seconds"], 100 * change, source + part))
    return found


def spread(heights: list[float], gap: float) -> list[float]:
    """Moves heights apart so that any two differ by the gap, without changing their mean."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved = list(heights)
    for below, above in itertools.pairwise(order):
        moved[above] = max(moved[above], moved[below] + gap)
    shift = sum(moved) - sum(heights)
    return [height - shift / len(heights) for height in moved]


def _draw_runs(axes: Any, ours: list[Point], peers: list[Point]) -> None:
    if ours:
        times, heights, _ = zip(*ours, strict=True)
        axes.plot(times, heights, "o-", color="C0", linewidth=2, zorder=3, label="quartz-opt")
        for time, height, name in ours:
            axes.annotate(
                f"{height:.1f}% {name.removeprefix('quartz ')}", (time, height), (0, 7),
                textcoords="offset points", ha="center", fontsize=8, color="C0",
            )  # fmt: skip
    for number, (time, height, name) in enumerate(peers, 1):
        color = f"C{number}"  # matplotlib's own colors, after C0
        axes.plot(time, height, "s", color=color, zorder=3)
        axes.annotate(
            f"{name} {height:.1f}%", (time, height), (0, -13),
            textcoords="offset points", ha="center", fontsize=9, color=color,
        )  # fmt: skip


def _draw_published(axes: Any, others: list[tuple[float | None, float, str]]) -> None:
    """Draws published figures with their names at the right, linked by a line to their height."""
    low, high = axes.get_ylim()
    bottom = min(low, 0)
    top = max([high, *(height for _, height, _ in others)])
    top += 0.06 * (top - bottom)
    axes.set_ylim(bottom, top)
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


def draw(document: Document, picture: pathlib.Path) -> None:
    """Draws the picture with the running interpreter."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 5.5), layout="constrained")
    axes.set_xscale("log")
    axes.margins(x=0.08)
    _draw_runs(
        axes,
        points(document, results.quartz_runs(document)),
        points(document, results.peer_runs(document)),
    )
    _draw_published(axes, published(document))
    asked = document["cost_measure"]
    axes.set_xlabel("mean seconds per circuit (quartz-opt and tzap: whole process)")
    axes.set_ylabel(f"geometric-mean reduction of {MEASURE_WORDS.get(asked, asked)}, %")
    axes.set_title(
        f"{len(document['circuits'])} circuits of {document['folder']}, gate set"
        f" {document['gate_set']}, {document['threads']} thread{'s' * (document['threads'] != 1)}",
        fontsize=10,
    )
    axes.grid(alpha=0.3)
    figure.savefig(picture, dpi=150)


def draw_in_venv(results_file: pathlib.Path, picture: pathlib.Path) -> None:
    """Draws the picture with an interpreter that has matplotlib."""
    python = packages.make_venv(["matplotlib"])
    command = packages.module_command(python, "plots", results_file.resolve(), picture.resolve())
    programs.run(command, programs.GRACE_SECONDS)
    print(f"drawn: {picture}")


def main() -> None:
    results_file, picture = map(pathlib.Path, sys.argv[1:3])
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(json.loads(results_file.read_text(encoding="utf-8")), picture)


if __name__ == "__main__":
    main()

"""Draws the mean reduction against time from docs/benchmarks.json, so that the picture has the figures of the
tables. `bench.py figures` writes it.

The picture is SVG without fonts of its own. Its colors follow the reader's light or dark theme. It has a background
of its own, because an image follows the theme of the reader's system, and a page may have another one.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import math
from collections.abc import Iterable
from typing import Any

OURS = "quartz-opt"
WIDTH, HEIGHT = 860, 470
LEFT, RIGHT, TOP, BOTTOM = 62, 30, 46, 56
TIMES = {0.01: "10 ms", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min", 3600: "1 h", 86400: "1 day"}
SHORTEST, LONGEST = 0.008, 700_000
LOWEST, HIGHEST, STEP = -15, 55, 10
FONT_SIZE = 14
# Widths of letters differ; these are upper bounds on their mean in common sans-serif fonts. Ours are bold.
LETTER_WIDTH = {"ours": 0.66 * FONT_SIZE, "measured": 0.58 * FONT_SIZE, "published": 0.58 * FONT_SIZE}
GAP = 9  # between a point and its label
SPACE = 4  # least space between labels
RADIUS = 5

STYLE = """\
  svg { --ink: #1f2430; --faint: #6b7280; --line: #d7dbe2; --ours: #1d63d8; --paper: #ffffff; }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e7eaf0; --faint: #a2a9b6; --line: #3a404c; --ours: #6ea8ff; --paper: #0d1117; }
  }
  text {
    font: 14px system-ui, "Helvetica Neue", Arial, sans-serif; fill: var(--ink);
    paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round;
  }
  .background { fill: var(--paper); }
  .faint { fill: var(--faint); }
  .ours { fill: var(--ours); font-weight: 600; }
  .grid { stroke: var(--line); }
  .best { stroke: var(--faint); stroke-dasharray: 5 4; }
  .curve { stroke: var(--ours); fill: none; stroke-width: 2.5; }
  .measured { fill: var(--ink); }
  .published { fill: var(--paper); stroke: var(--faint); stroke-width: 2; }"""


@dataclasses.dataclass(frozen=True)
class Point:
    x: float
    y: float
    label: str
    kind: str  # "ours", "measured" or "published"


@dataclasses.dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.bottom and other.top < self.bottom
        )  # fmt: skip

    def widened(self, by: float) -> Box:
        """Returns the box with this much more on the left and on the right."""
        return Box(self.left - by, self.top, self.right + by, self.bottom)

    def is_crossed(self, start: tuple[float, float], end: tuple[float, float]) -> bool:
        """Whether a straight line from left to right passes through the box."""
        (x, y), (x_end, y_end) = start, end
        left, right = max(self.left, x), min(self.right, x_end)
        if left >= right:
            return False
        heights = [y + (each - x) / (x_end - x) * (y_end - y) for each in (left, right)]
        return min(heights) < self.bottom and self.top < max(heights)


@dataclasses.dataclass(frozen=True)
class Label:
    text: str
    kind: str
    x: float
    y: float  # height of the baseline
    anchor: str
    box: Box


def x_of(seconds: float) -> float:
    share = math.log(seconds / SHORTEST) / math.log(LONGEST / SHORTEST)
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def y_of(reduction: float) -> float:
    return TOP + (HIGHEST - reduction) / (HIGHEST - LOWEST) * (HEIGHT - TOP - BOTTOM)


def measurement(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Returns the rows of a measurement."""
    return next(each["rows"] for each in document["measurements"] if each["name"] == name)


def points(document: dict[str, Any]) -> list[Point]:
    """Returns a point for each row of the tables that has a time."""
    found: list[Point] = []
    for row in measurement(document, "nam_suite"):
        name, reduction = row["program"], -row["total"]
        is_ours = name.startswith(OURS)
        shown = name.split()[0] if not is_ours else "" if found else "Quartz"  # once for the whole curve
        text = f"{shown} {reduction:.1f}%".strip().replace("-", "\u2212")
        place = x_of(row["seconds"]), y_of(reduction)
        found.append(Point(*place, text, "ours" if is_ours else "measured"))
    for row in measurement(document, "nam_suite_published"):
        if "seconds" in row:
            place = x_of(row["seconds"]), y_of(-row["total"])
            found.append(Point(*place, f"{row['program'].split(',')[0]} {-row['total']:.1f}%", "published"))
    return found


def _candidates(point: Point) -> Iterable[Label]:
    """Yields the places for the label of a point, the best first."""
    width, ascent, descent = len(point.label) * LETTER_WIDTH[point.kind], 0.75 * FONT_SIZE, 0.25 * FONT_SIZE
    sides = [("middle", 0, -GAP - 2), ("middle", 0, GAP + ascent), ("start", GAP, 5), ("end", -GAP, 5),
             ("start", 4, -GAP), ("end", -4, -GAP), ("start", 4, GAP + ascent), ("end", -4, GAP + ascent)]  # fmt: skip
    if point.kind != "ours":
        sides = sides[1:] + sides[:1]
    for anchor, dx, dy in sides:
        x, y = point.x + dx, point.y + dy
        left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
        yield Label(point.label, point.kind, x, y, anchor, Box(left, y - ascent, left + width, y + descent))


def curve(all_points: list[Point]) -> list[tuple[float, float]]:
    """Returns the places of our own points, from left to right."""
    return sorted((each.x, each.y) for each in all_points if each.kind == "ours")


def labels(all_points: list[Point]) -> list[Label]:
    """Places the labels so that they touch neither each other, nor a point, nor our curve, nor leave the picture. Raises
    ValueError if there is no such place for one of them."""
    ours = curve(all_points)
    marks = [Box(each.x - RADIUS, each.y - RADIUS, each.x + RADIUS, each.y + RADIUS) for each in all_points]
    placed: list[Label] = []
    for point in all_points:
        for label in _candidates(point):
            others = [*marks, *(each.box.widened(SPACE) for each in placed)]
            is_inside = label.box.left >= LEFT and label.box.right <= WIDTH and label.box.bottom <= HEIGHT - BOTTOM
            is_crossed = any(label.box.is_crossed(*line) for line in itertools.pairwise(ours))
            if is_inside and not is_crossed and not any(label.box.overlaps(other) for other in others):
                placed.append(label)
                break
        else:
            raise ValueError(f"there is no place for the label '{point.label}'")
    return placed


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _axes() -> list[str]:
    lines = []
    for seconds, name in TIMES.items():
        x = x_of(seconds)
        lines.append(f'<path class="grid" d="M{x:.1f} {TOP} V{HEIGHT - BOTTOM}"/>')
        lines.append(_text(x, HEIGHT - BOTTOM + 20, name, "faint"))
    for height in range(LOWEST + STEP // 2, HIGHEST + 1, STEP):
        y = y_of(height)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f} H{WIDTH - RIGHT}"/>')
        lines.append(_text(LEFT - 8, y + 5, f"{height}%".replace("-", "\u2212"), "faint", "end"))
    lines.append(_text(LEFT, 20, "fewer gates, mean over the 26 Nam circuits", "ink", "start"))
    lines.append(_text(WIDTH - RIGHT, HEIGHT - 14, "time per circuit", "ink", "end"))
    return lines


def _key() -> list[str]:
    """Returns what the two kinds of points mean, at the top right."""
    lines, x = [], WIDTH - RIGHT
    for kind, text in (("published", "published"), ("measured", "measured here")):
        lines.append(_text(x, 20, text, "ink", "end"))
        x -= len(text) * LETTER_WIDTH[kind] + GAP
        lines.append(_mark(Point(x, 15, text, kind)))
        x -= 4 * RADIUS
    return lines


def _mark(point: Point) -> str:
    return f'<circle class="{point.kind}" cx="{point.x:.1f}" cy="{point.y:.1f}" r="{RADIUS}"/>'


def picture(document: dict[str, Any]) -> str:
    """Returns the picture as SVG."""
    all_points = points(document)
    best = -next(row["total"] for row in measurement(document, "nam_suite_published") if "seconds" not in row)
    line = " L".join(f"{x:.1f} {y:.1f}" for x, y in curve(all_points))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title">',
        "<title id=\"title\">Mean reduction of the total number of gates against the time per circuit</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="background" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        *_axes(),
        *_key(),
        f'<path class="best" d="M{LEFT} {y_of(best):.1f} H{WIDTH - RIGHT}"/>',
        _text(x_of(86400) - 2 * GAP, y_of(best) - 5, f"best published result of each circuit {best:.1f}%", "faint", "end"),
        f'<path class="curve" d="M{line}"/>',
        *(_mark(each) for each in all_points),
        *(_text(each.x, each.y, each.text, "ours" if each.kind == "ours" else "ink", each.anchor)
          for each in labels(all_points)),
        "</svg>",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"

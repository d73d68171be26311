#!/usr/bin/env python3
"""draw_example.py [COMMANDS]

Draws pictures/example.svg for the README: the first circuit of docs/tutorial.md, and what quartz-opt makes of it, as
its report draws them. COMMANDS is the folder of the commands (default: build/bin).
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "pictures/example.svg"
MARGIN, GAP, HEADING = 12, 26, 22

# The colors of the report, in a light and a dark theme. The picture is an image of a page, so that it follows the
# theme of the reader's system by itself; its background is there because a page may have another theme.
STYLE = """\
  svg { --ink: #1f2430; --wire: #9aa1ad; --paper: #ffffff; color: var(--ink); font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
  @media (prefers-color-scheme: dark) { svg { --ink: #e7eaf0; --wire: #6b7280; --paper: #0d1117; } }
  .background { fill: var(--paper); }
  text { fill: currentColor; text-anchor: middle; }
  text.name { text-anchor: end; }
  text.heading { text-anchor: start; font: 600 14px system-ui, "Helvetica Neue", Arial, sans-serif; }
  text.label { fill: #10151c; }
  path, polyline, line { stroke: currentColor; fill: none; }
  .wire { stroke: var(--wire); }
  .box { fill: #d6e6fb; stroke: #4a78b5; }
  .rotation { fill: #fce3bd; stroke: #b07a26; }
  .dot, .target { fill: #2a7de1; stroke: #2a7de1; }
  .plus { stroke: #ffffff; stroke-width: 2; }"""


def first_circuit() -> str:
    """Returns the program that the tutorial has its readers save first."""
    tutorial = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    return re.search(r"Save this as `first\.qasm`:\n\n```\n(.*?)```", tutorial, re.S)[1]


def drawings(commands: pathlib.Path) -> list[tuple[str, int, int, str]]:
    """Returns for the circuit before and after: a heading, the width, the height, and the shapes."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "first.qasm").write_text(first_circuit(), encoding="utf-8")
        subprocess.run(
            [commands / "quartz-opt", "first.qasm", "--gate-set", "nam", "--steps", "20000", "--threads", "1",
             "--output", "better.qasm", "--report", "report.html", "--quiet"],
            cwd=work, check=True)  # fmt: skip
        report = (work / "report.html").read_text(encoding="utf-8")
    found = re.findall(r'<svg role="img" aria-label="circuit" width="(\d+)" height="(\d+)"[^>]*>(.*?)</svg>', report, re.S)
    headings = re.findall(r"<summary>((?:Before|After): \d+ gates)", report)
    if len(found) < 2 or len(headings) < 2:
        sys.exit("draw_example.py: the report does not have the drawings of both circuits")
    return [(heading, int(width), int(height), shapes) for heading, (width, height, shapes) in zip(headings, found)]


def picture(commands: pathlib.Path) -> str:
    """Returns the picture as SVG, with the circuits side by side."""
    parts, x, height = [], MARGIN, 0
    for heading, width, own_height, shapes in drawings(commands)[:2]:
        parts.append(f'<text class="heading" x="{x}" y="{MARGIN + 8}">{heading}</text>')
        parts.append(f'<g transform="translate({x} {HEADING})">{shapes.strip()}</g>')
        x, height = x + width + GAP, max(height, own_height)
    x, height = x - GAP + MARGIN, HEADING + height + MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x} {height}" width="{x}" role="img" aria-labelledby="title">',
        '<title id="title">A circuit before and after quartz-opt</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="background" width="{x}" height="{height}" rx="6"/>',
        *parts,
        "</svg>\n",
    ])  # fmt: skip


def main(arguments: list[str]) -> int:
    commands = pathlib.Path(arguments[0]).resolve() if arguments else ROOT / "build/bin"
    PICTURE.write_text(picture(commands), encoding="utf-8")
    print(f"written: {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

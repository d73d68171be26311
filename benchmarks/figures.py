"""Writes the figures of docs/benchmarks.json into the documentation, and draws pictures/nam.svg.

    bench.py figures             writes them
    bench.py figures --check     fails if a page or the picture does not have them
    bench.py figures --update nam_suite RESULTS.json
                                 takes the figures of a measurement from a results file first

A figure is stated once, in docs/benchmarks.json, with its command, date, commit and machine. A page
shows a measurement between two comments, where this program writes the table:

    <!-- figures: NAME -->              the table, followed by how it was measured
    <!-- figures: NAME, table only -->  only the table
    <!-- figures: defaults -->          what applies to all measurements that say nothing else
    ...
    <!-- end of figures -->
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from benchmarks import figure_imports, suite_picture
from benchmarks.programs import ROOT, InvalidInput

FIGURES = ROOT / "docs/benchmarks.json"
PAGES = [ROOT / "README.md", ROOT / "docs/benchmarks.md"]
# Each picture, and what draws it from the document.
PICTURES = {ROOT / "pictures/nam.svg": suite_picture.picture}
FORMAT = "quartz-benchmark-figures"
# What every measurement has, in itself or from the defaults.
PROVENANCE = ["date", "commit", "machine", "source"]

BLOCK = re.compile(
    r"(?P<start>^<!-- figures: (?P<name>\w+)(?P<table>, table only)? -->\n)"
    r".*?(?P<end>^<!-- end of figures -->$)",
    re.M | re.S,
)

Measurement = dict[str, Any]


def to_json(document: dict[str, Any]) -> str:
    """Writes the document with one line for each column and row, so that changes are readable."""
    lines = ["{", f' "format": {json.dumps(document["format"])},', ' "defaults": {']
    lines.append(_entries(document["defaults"], "  "))
    lines += [" },", ' "measurements": [']
    texts = []
    for each in document["measurements"]:
        simple = {key: value for key, value in each.items() if key not in ("columns", "rows")}
        columns, rows = (
            ",\n".join("    " + json.dumps(item, ensure_ascii=False) for item in each[key])
            for key in ("columns", "rows")
        )
        texts.append(
            "  {\n" + _entries(simple, "   ") + ",\n"
            '   "columns": [\n' + columns + '\n   ],\n   "rows": [\n' + rows + "\n   ]\n  }"
        )
    return "\n".join(lines) + "\n" + ",\n".join(texts) + "\n ]\n}\n"


def _entries(values: dict[str, Any], indent: str) -> str:
    return ",\n".join(
        f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )


def read() -> dict[str, Any]:
    """Reads docs/benchmarks.json and checks its structure."""
    document = json.loads(FIGURES.read_text(encoding="utf-8"))
    for problem in problems_of(document):
        raise InvalidInput(f"{FIGURES.relative_to(ROOT)}: {problem}")
    return document


def problems_of(document: dict[str, Any]) -> Iterator[str]:
    """Yields what is wrong with a document: among others, figures that are stated twice."""
    if document.get("format") != FORMAT:
        yield f"format is {document.get('format')!r}, expected {FORMAT!r}"
    names = [each["name"] for each in document["measurements"]]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name}: two measurements with this name"
    for each in document["measurements"]:
        name = each["name"]
        for key in PROVENANCE:
            if not each.get(key, document["defaults"].get(key)):
                yield f"{name}: no {key}"
        if not each.get("command") and not each.get("conditions"):
            yield f"{name}: neither a command nor the conditions"
        keys = [column["key"] for column in each["columns"]]
        first_cells = [row.get(keys[0]) for row in each["rows"]]
        for cell in {cell for cell in first_cells if first_cells.count(cell) > 1}:
            yield f"{name}: two rows of '{cell}'"
        for row in each["rows"]:
            for key in row.keys() - set(keys):
                yield f"{name}: '{key}' is not a column"


# --- Markdown -------------------------------------------------------------------------------------


def cell_text(value: Any, column: dict[str, Any]) -> str:
    """Returns a cell as text. A cell may be {"value": ..., "format": ...} in place of its value."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return value["format"].format(value["value"])
    if isinstance(value, str):
        return value
    return column.get("format", "{}").format(
        value / column["scale"] if "scale" in column else value
    )


def table_of(measurement: Measurement) -> str:
    """Returns the Markdown table. The first cells that start with `bold` are bold."""
    columns = measurement["columns"]
    lines = ["| " + " | ".join(column["title"] for column in columns) + " |"]
    lines.append("|" + "---|" * len(columns))
    for row in measurement["rows"]:
        cells = [cell_text(row.get(column["key"]), column) for column in columns]
        if measurement.get("bold") and cells[0].startswith(measurement["bold"]):
            cells[0] = f"**{cells[0]}**"
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(line.replace("|  |", "| |").replace("|  |", "| |") for line in lines)


def provenance_text(measurement: Measurement) -> str:
    """Returns how a measurement was made, as far as it has entries of its own."""
    parts = [measurement["conditions"]] if measurement.get("conditions") else []
    if machine := measurement.get("machine"):
        parts.append(f"Machine: {machine}.")
    if date := measurement.get("date"):
        parts.append(f"Date: {date}.")
    if commit := measurement.get("commit"):
        parts.append(f"The commit is {commit}.")
    text = wrapped(" ".join(parts)) + "\n"
    if command := measurement.get("command"):
        text += f"\n```\n{command}\n```\n"
    return text


def wrapped(text: str, width: int = 120) -> str:
    """Wraps a paragraph without breaking code spans."""
    lines = [""]
    for word in re.findall(r"(?:`[^`]*`|[^\s`])+", text):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def defaults_text(defaults: dict[str, str]) -> str:
    """Returns the sentence about what applies to all measurements."""
    return wrapped(
        f"Unless a table says otherwise: measured on {defaults['date']}, with revisions"
        f" {defaults['commit']}, on a {defaults['machine']}."
    )


def rendered(page: str, document: dict[str, Any]) -> str:
    """Returns a page with the current figures."""
    by_name = {each["name"]: each for each in document["measurements"]}

    def block(match: re.Match[str]) -> str:
        name = match["name"]
        if name == "defaults":
            text = defaults_text(document["defaults"]) + "\n"
        elif name not in by_name:
            raise InvalidInput(f"there is no measurement '{name}' in {FIGURES.name}")
        else:
            text = table_of(by_name[name]) + "\n"
            if not match["table"]:
                text += "\n" + provenance_text(by_name[name])
        return match["start"] + text + match["end"]

    return BLOCK.sub(block, page)


def names_in(page: str) -> list[str]:
    """Returns the names of the measurements that a page shows."""
    return [match["name"] for match in BLOCK.finditer(page)]


# --- the command line -----------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--check", action="store_true", help="write nothing; fail on a difference")
    add("--update", nargs=2, metavar=("NAME", "RESULTS.json"),
        help=f"NAME is one of {', '.join(figure_imports.IMPORTERS)}")  # fmt: skip


def update(name: str, results_file: pathlib.Path) -> None:
    """Replaces the figures of a measurement by those of a results file."""
    if name not in figure_imports.IMPORTERS:
        known = ", ".join(figure_imports.IMPORTERS)
        raise InvalidInput(f"no results file has the figures of '{name}': expected {known}")
    document = read()
    results = json.loads(results_file.read_text(encoding="utf-8"))
    document["measurements"] = [
        figure_imports.updated(each, results) if each["name"] == name else each
        for each in document["measurements"]
    ]
    FIGURES.write_text(to_json(document), encoding="utf-8")
    print(f"written: {FIGURES.relative_to(ROOT)}")


def run(settings: argparse.Namespace) -> int:
    if settings.update:
        update(settings.update[0], pathlib.Path(settings.update[1]))
    document = read()
    current = {page: rendered(page.read_text(encoding="utf-8"), document) for page in PAGES}
    current |= {path: draw(document) for path, draw in PICTURES.items()}
    status = 0
    for page, text in current.items():
        if page.exists() and page.read_text(encoding="utf-8") == text:
            continue
        if settings.check:
            print(f"{page.relative_to(ROOT)} does not have the figures of {FIGURES.name}:"
                  " run scripts/bench.py figures")  # fmt: skip
            status = 1
        else:
            page.write_text(text, encoding="utf-8")
            print(f"written: {page.relative_to(ROOT)}")
    return status

#!/usr/bin/env python3
"""Writes the reference of the commands, docs/reference/quartz-*.md, from their --help.

    make_reference.py                   with the commands in build/bin
    make_reference.py FOLDER            with the commands in another folder
    make_reference.py FOLDER --check    writes nothing; fails if a page is out of date

Run it after a change of an option. Subcommands are found in the help of their command.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/reference"
COMMANDS = ["quartz-opt", "quartz-check", "quartz-gen"]
# The column where the help has the descriptions, unless its lines show another one.
DESCRIPTION_COLUMN = 28
# Sections that every page would repeat.
COMMON_SECTIONS = {"Exit codes": "[Exit codes](../how-to.md#exit-codes) are the same for all commands."}
# Sections with text that is not a list of options.
VERBATIM_SECTIONS = {"Examples"}


@dataclasses.dataclass
class Entry:
    """An option, an argument, or a subcommand."""

    name: str
    description: str


@dataclasses.dataclass
class Section:
    """A heading of the help and what follows it. The first section has no heading."""

    heading: str
    lines: list[str] = dataclasses.field(default_factory=list)


def sections_of(text: str) -> list[Section]:
    """Splits the help at its headings: lines without indentation that end with a colon."""
    sections = [Section("")]
    for line in text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            sections.append(Section(line[:-1]))
        else:
            sections[-1].lines.append(line)
    return sections


def description_column(text: str) -> int:
    """Returns the column of the descriptions: the indentation of lines that continue one."""
    indents = [len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()]
    deep = [indent for indent in indents if indent >= 16]
    return max(set(deep), key=deep.count) if deep else DESCRIPTION_COLUMN


def entries_of(lines: list[str], column: int) -> tuple[list[Entry], list[str]]:
    """Returns the entries of a section, and the lines after them that are not entries."""
    entries: list[Entry] = []
    rest: list[str] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if 0 < indent < column and not rest:
            name, description = split_entry(line, column)
            entries.append(Entry(name, description))
        elif indent >= column and entries and not rest:
            entries[-1].description = f"{entries[-1].description} {line.strip()}".strip()
        else:
            rest.append(line)
    return entries, rest


def split_entry(line: str, column: int) -> tuple[str, str]:
    """Splits a line into the name and the description. A name that is too long for its column has
    the line to itself."""
    name, description = line[:column], line[column:]
    is_padded = name.endswith("  ")
    fits = name.endswith(" ") and name.count("[") == name.count("]")
    continues_name = re.match(r"in \[|Needs:|Excludes:|REQUIRED|--|=", description)
    if is_padded or (fits and description and not continues_name):
        return name.strip(), description.strip()
    return line.strip(), ""


# --- Markdown -------------------------------------------------------------------------------------


def code(text: str) -> str:
    """Returns a code span for a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def cell(text: str) -> str:
    """Returns a description for a cell of a table, with options as code."""
    text = re.sub(r"(?<![\w`-])(--[a-z][\w-]*)", r"`\1`", text.replace("|", "\\|"))
    return text.replace("<", "&lt;").replace("*", "\\*")


def name_and_remarks(name: str) -> tuple[str, str]:
    """Splits "--stats FILE Needs: --count" into the option and what it needs or excludes."""
    match = re.fullmatch(r"(.*?) ((?:Needs|Excludes): .*)", name)
    return (match[1], match[2]) if match else (name, "")


def row_of(entry: Entry) -> str:
    name, remarks = name_and_remarks(entry.name)
    remarks = re.sub(r"(--[\w-]+) (?=--)", r"\1, ", remarks)
    remarks = re.sub(r" (?=(Needs|Excludes):)", "; ", remarks)
    description = entry.description
    if remarks:
        description = f"{description} ({remarks[0].lower()}{remarks[1:]})".strip()
    return f"| {code(name)} | {cell(description)} |"


def section_text(section: Section, column: int) -> str:
    """Returns a section of the help as Markdown; an empty text if there is nothing to show."""
    if section.heading in COMMON_SECTIONS:
        return ""
    if section.heading in VERBATIM_SECTIONS:
        return f"**{section.heading}**\n\n" + verbatim(section.lines)
    entries, rest = entries_of(section.lines, column)
    parts = []
    if section.heading and entries:
        head = "subcommand" if section.heading == "Subcommands" else "option"
        head = "argument" if section.heading == "Positionals" else head
        parts.append(f"| {head} | meaning |\n|---|---|\n" + "\n".join(map(row_of, entries)))
    if section.heading not in ("", "Positionals", "Options", "Subcommands"):
        parts.insert(0, f"**{section.heading}**")
    if rest:
        parts.append("\n".join(line.strip() for line in rest))
    return "\n\n".join(parts)


def verbatim(lines: list[str]) -> str:
    """Returns a code block for the indented lines, and a paragraph for the others."""
    block = [line[2:] for line in lines if line.startswith("  ")]
    text = [line for line in lines if line.strip() and not line.startswith("  ")]
    return "\n\n".join(["```\n" + "\n".join(block) + "\n```", *(["\n".join(text)] if text else [])])


def help_text(title: str, text: str) -> str:
    """Returns the help of one command or subcommand as Markdown, without its heading."""
    first, *others = sections_of(text)
    column = description_column(text)
    lines = [line for line in first.lines if line.strip()]
    usage = [line.removeprefix("Usage: ") for line in lines if line.startswith("Usage: ")]
    about = [line.strip() for line in lines if not line.startswith("Usage: ")]
    usage = [re.sub(r"^.*?(?=quartz-)", "", line) for line in usage] or [title]
    parts = [" ".join(about), "```\n" + "\n".join(usage) + "\n```"]
    parts += [section_text(section, column) for section in others]
    return "\n\n".join(part for part in parts if part)


def subcommands_of(text: str) -> list[str]:
    """Returns the names of the subcommands that a help lists."""
    for section in sections_of(text):
        if section.heading.lower() == "subcommands":
            entries, _ = entries_of(section.lines, description_column(text))
            return [entry.name.split()[0] for entry in entries]
    return []


def page_of(command: str, help_of: Callable[..., str]) -> str:
    """Returns the page of a command. `help_of(command, *subcommand)` returns a help."""
    text = help_of(command)
    parts = [f"# {command}", "<!-- Written by scripts/make_reference.py from --help. -->"]
    parts.append(help_text(command, text))
    for name in subcommands_of(text):
        parts += [f"## {command} {name}", help_text(f"{command} {name}", help_of(command, name))]
    parts += [note for heading, note in COMMON_SECTIONS.items() if f"\n{heading}:" in text]
    return "\n\n".join(parts) + "\n"


# --- the pages ------------------------------------------------------------------------------------


def pages(folder: pathlib.Path) -> dict[pathlib.Path, str]:
    """Returns the text of every page."""

    def help_of(command: str, *subcommand: str) -> str:
        line = [str(folder / command), *subcommand, "--help"]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout

    return {PAGES / f"{command}.md": page_of(command, help_of) for command in COMMANDS}


def outdated(current: dict[pathlib.Path, str]) -> list[pathlib.Path]:
    """Returns the pages whose files have another text."""
    return [
        path
        for path, text in current.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    arguments = parser.parse_args()
    for command in COMMANDS:
        if not (arguments.folder / command).exists():
            sys.exit(f"{arguments.folder / command} is missing: run scripts/build.sh release apps/all")
    current = pages(arguments.folder)
    found = outdated(current)
    for path in found:
        name = path.relative_to(ROOT)
        if arguments.check:
            print(f"{name} is out of date: run scripts/make_reference.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(current[path], encoding="utf-8")
            print(f"written: {name}")
    return int(arguments.check and bool(found))


if __name__ == "__main__":
    sys.exit(main())

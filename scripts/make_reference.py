#!/usr/bin/env python3
"""Writes what is derived from the --help of the commands: the reference, docs/reference/quartz-*.md, and the
man pages and completions in share/, which are installed as they are.

    make_reference.py                   with the commands in build/bin
    make_reference.py FOLDER            with the commands in another folder
    make_reference.py FOLDER --check    writes nothing; fails if a page is out of date

Run it after a change of an option. Subcommands are found in the help of their command.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
import sys

import completions
import man_page
from command_help import (
    COMMANDS,
    Entry,
    HelpOf,
    Section,
    description_and_notes,
    description_column,
    entries_of,
    parsed_help,
    sections_of,
    subcommands_of,
)

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/reference"
SHARE = ROOT / "share"
# Sections that every page would repeat.
COMMON_SECTIONS = {"Exit codes": "[Exit codes](../how-to.md#exit-codes) are the same for all commands."}
# Sections with text that is not a list of options.
VERBATIM_SECTIONS = {"Examples"}


# --- Markdown -------------------------------------------------------------------------------------


def code(text: str) -> str:
    """Returns a code span for a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def cell(text: str) -> str:
    """Returns a description for a cell of a table, with options as code."""
    text = re.sub(r"(?<![\w`-])(--[a-z][\w-]*)", r"`\1`", text.replace("|", "\\|"))
    return text.replace("<", "&lt;").replace("*", "\\*")


def row_of(entry: Entry) -> str:
    description, notes = description_and_notes(entry.description)
    if notes:
        description = f"{description} ({'; '.join(notes)})"
    return f"| {code(entry.name)} | {cell(description)} |"


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
        head = "argument" if section.heading == "Arguments" else head
        parts.append(f"| {head} | meaning |\n|---|---|\n" + "\n".join(map(row_of, entries)))
    if section.heading not in ("", "Arguments", "Options", "Subcommands"):
        parts.insert(0, f"**{section.heading}**")
    if rest:
        parts.append("\n".join(line.strip() for line in rest))
    return "\n\n".join(parts)


def verbatim(lines: list[str]) -> str:
    """Returns a code block for the indented lines, and a paragraph for the others."""
    block = [line[2:] for line in lines if line.startswith("  ")]
    text = [line for line in lines if line.strip() and not line.startswith("  ")]
    return "\n\n".join(["```\n" + "\n".join(block) + "\n```", *([" ".join(text)] if text else [])])


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


def page_of(command: str, help_of: HelpOf) -> str:
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

    written = {PAGES / f"{command}.md": page_of(command, help_of) for command in COMMANDS}
    version = subprocess.run(
        [str(folder / "quartz-opt"), "--version"], capture_output=True, text=True, check=True
    ).stdout.split()[-1]
    for name in COMMANDS:
        command = parsed_help(help_of, name)
        written[SHARE / f"man/man1/{name}.1"] = man_page.man_page(command, version)
        for path, text in completions.completions(command).items():
            written[SHARE / path] = text
    return written


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

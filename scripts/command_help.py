"""What the commands accept: the parsed text of their --help, which src/cli/command_help.cpp writes from the options."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

COMMANDS = ["quartz-opt", "quartz-check", "quartz-gen"]
# The column where the help has the descriptions, unless its lines show another one.
DESCRIPTION_COLUMN = 28
# Descriptions in menus of completions are shorter than this, if they have a comma to end at.
MENU_WIDTH = 60
# Returns the --help of a command, or of one of its subcommands: help_of("quartz-gen", "table").
HelpOf = Callable[..., str]


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
    if name.endswith("  "):
        return name.strip(), description.strip()
    return line.strip(), ""


def description_and_notes(description: str) -> tuple[str, list[str]]:
    """Splits "how many [1 to 16; default: 3; needs --all]" into the meaning of an option and what
    else there is to know about it."""
    match = re.fullmatch(r"(.*?) ?\[([^\[\]]*)\]", description)
    return (match[1], match[2].split("; ")) if match else (description, [])


def subcommands_of(text: str) -> list[str]:
    """Returns the names of the subcommands that a help lists."""
    for section in sections_of(text):
        if section.heading.lower() == "subcommands":
            entries, _ = entries_of(section.lines, description_column(text))
            return [entry.name.split()[0] for entry in entries]
    return []


# --- options, for programs ------------------------------------------------------------------------


@dataclasses.dataclass
class Value:
    """A name that an option accepts, and what it means, if the help says so."""

    name: str
    meaning: str = ""


@dataclasses.dataclass
class Option:
    """An option as --help shows it."""

    names: list[str]  # the short name, if there is one, comes first
    type: str  # such as "NAME|FILE", "keep|ignore" or "N"; empty for a flag
    values: list[Value]  # those that have a name
    description: str
    group: str  # the heading above it
    notes: list[str]  # such as "required", "default: 3" and "needs --all"

    @property
    def is_list(self) -> bool:
        """Whether several values may follow, separated by commas."""
        return self.type.endswith(",...")

    @property
    def takes_file(self) -> bool:
        return "FILE" in re.split(r"\W+", self.type)

    @property
    def takes_folder(self) -> bool:
        return "FOLDER" in re.split(r"\W+", self.type)

    @property
    def summary(self) -> str:
        """The description up to its first detail, for a line of a menu."""
        text = re.split(r"[;:(]|\. |, as in ", self.description)[0].strip()
        return text if len(text) <= MENU_WIDTH else text.partition(",")[0]


@dataclasses.dataclass
class CommandHelp:
    """The help of a command or subcommand."""

    words: list[str]  # such as ["quartz-gen", "table"]
    description: str
    usage: str
    arguments: list[Entry]
    options: list[Option]
    sections: list[Section]  # those with other headings, such as Examples
    subcommands: list[CommandHelp]


def option_of(entry: Entry, group: str) -> Option:
    """Splits "-g,--kind one|two" and "which kind [required]" into their parts."""
    names, _, kind = entry.name.partition(" ")
    description, notes = description_and_notes(entry.description)
    known = {value.name: value for value in values_in(description)}
    words = kind.removesuffix(",...").split("|") if kind else []
    values = [known.get(word, Value(word)) for word in words if not re.fullmatch("[A-Z]+", word)]
    if "NAME" in words:
        values = [*known.values(), *values]
    return Option(names.split(","), kind, values, description, group, notes)


def values_in(description: str) -> list[Value]:
    """Returns the names in "what it is: one (its meaning); two (...), or a file"."""
    listed = description.partition(": ")[2]
    values: dict[str, Value] = {}
    for item in re.findall(r"(?:\([^)]*\)|[^;,(])+", listed):
        match = re.fullmatch(r"([\w-]+)(?: \((?!default)(.*)\)| \(.*\))?", item.strip())
        if match:
            values.setdefault(match[1], Value(match[1], match[2] or ""))
    return list(values.values())


def parsed_help(help_of: HelpOf, *words: str) -> CommandHelp:
    """Parses the help of a command and of its subcommands."""
    text = help_of(*words)
    column = description_column(text)
    first, *others = sections_of(text)
    lines = [line.strip() for line in first.lines if line.strip()]
    result = CommandHelp(list(words), "", "", [], [], [], [])
    result.description = " ".join(line for line in lines if not line.startswith("Usage: "))
    usage = [line for line in lines if line.startswith("Usage: ")]
    result.usage = re.sub(r"^.*?(?=quartz-)", "", usage[0]) if usage else " ".join(words)
    for section in others:
        entries, _ = entries_of(section.lines, column)
        if section.heading == "Arguments":
            result.arguments += entries
        elif entries and entries[0].name.startswith("-"):
            result.options += [option_of(entry, section.heading) for entry in entries]
        elif section.heading != "Subcommands":
            result.sections.append(section)
    for name in subcommands_of(text):
        result.subcommands.append(parsed_help(help_of, *words, name))
        inherit_values(result, result.subcommands[-1])
    return result


def inherit_values(command: CommandHelp, subcommand: CommandHelp) -> None:
    """Gives the options whose description does not repeat the names of their values those of the
    options of the command with the same name and type."""
    known = {(option.names[-1], option.type): option.values for option in command.options}
    for option in subcommand.options:
        option.values = option.values or known.get((option.names[-1], option.type), [])

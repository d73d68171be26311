"""What the commands accept: the parsed text of their --help, which CLI11 writes from the options."""

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
    is_padded = name.endswith("  ")
    fits = name.endswith(" ") and name.count("[") == name.count("]")
    continues_name = re.match(r"\[|in \[|Needs:|Excludes:|REQUIRED|--|=", description)
    if is_padded or (fits and description and not continues_name):
        return name.strip(), description.strip()
    return line.strip(), ""


def name_and_remarks(name: str) -> tuple[str, str]:
    """Splits "--stats FILE Needs: --count" into the option and what it needs or excludes."""
    match = re.fullmatch(r"(.*?) ((?:Needs|Excludes): .*)", name)
    return (match[1], match[2]) if match else (name, "")


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
    type: str  # such as "NAME|FILE" or "N"; empty for a flag
    values: list[Value]  # those that have a name
    description: str
    notes: list[str]  # such as "required", "default: 3" and "needs: --all"

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


def option_of(entry: Entry) -> Option:
    """Splits "-g,--kind TEXT:{one,two}=one REQUIRED Needs: --all" into its parts."""
    text, remarks = name_and_remarks(entry.name)
    names, _, rest = text.partition(" ")
    match = re.fullmatch(r"([^:= ]*)(:[^={]*)?(?:\{(.*?)\})?(?:=(\S+))?( ?REQUIRED)?", rest)
    if match is None:
        raise ValueError(f"an option that is not understood: {entry.name}")
    kind, limits, listed, default, required = match.groups()
    known = {value.name: value for value in values_in(entry.description)}
    values = [known.get(name, Value(name)) for name in listed.split(",")] if listed else []
    if "NAME" in re.split(r"\W+", kind):
        values = list(known.values())
    values += [Value("auto")] if kind.startswith("auto|") else []
    notes = ["required"] if required else []
    notes += [re.sub(r":|UINT|FLOAT|TEXT", "", limits).strip()] if limits else []
    notes += [f"default: {default}"] if default else []
    notes += [remarks[0].lower() + remarks[1:]] if remarks else []
    return Option(names.split(","), kind, values, entry.description, [note for note in notes if note])


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
        if section.heading == "Positionals":
            result.arguments += entries
        elif entries and entries[0].name.startswith("-"):
            result.options += [option_of(entry) for entry in entries]
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

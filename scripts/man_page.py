"""Man pages, in the macros of man(7), from the --help of the commands."""

from __future__ import annotations

import re
import textwrap

from command_help import COMMANDS, CommandHelp, Option, description_and_notes

# The sections of a man page have names of their own.
SECTION_NAMES = {"Exit codes": "EXIT STATUS", "Environment": "ENVIRONMENT"}
# The style that mandoc checks.
LINE_WIDTH = 79


def roff(text: str) -> str:
    """Returns the text as roff shows it, whatever it contains."""
    for character, escape in {"\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti"}.items():
        text = text.replace(character, escape)
    return "\\&" + text if text.startswith((".", "'")) else text


def prose(text: str) -> str:
    """Returns a description as lines of roff, with options in bold type."""
    words = (
        re.sub(r"^(\\-\\-[a-z][\w\\-]*)", r"\\fB\1\\fR", roff(word)) for word in text.split()
    )
    return "\n".join(
        textwrap.wrap(" ".join(words), LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    )


def option_entry(option: Option) -> str:
    """Returns an option as a tagged paragraph."""
    tag = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
    if option.type:
        tag += f" \\fI{roff(option.type)}\\fR"
    notes = f" ({'; '.join(option.notes)})" if option.notes else ""
    return f".TP\n{tag}\n{prose(option.description + notes)}\n"


def entry_text(name: str, description: str) -> str:
    return f".TP\n\\fI{roff(name)}\\fR\n{prose(description)}\n"


def verbatim(lines: list[str]) -> str:
    """Returns the indented lines as an example, and the others as a paragraph."""
    block = [roff(line[2:]) for line in lines if line.startswith("  ")]
    text = " ".join(line for line in lines if line.strip() and not line.startswith("  "))
    example = ".nf\n" + "\n".join(block) + "\n.fi\n"
    return example + (f".PP\n{prose(text)}\n" if text else "")


def list_of_codes(lines: list[str]) -> str:
    """Returns lines of a number or name and its meaning as tagged paragraphs."""
    text = re.sub(r"\n {6,}", " ", "\n".join(lines))  # joins what was wrapped
    rows = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return "".join(f".TP\n\\fB{roff(name)}\\fR\n{prose(meaning)}\n" for name, meaning in rows)


def body(command: CommandHelp, heading: str) -> str:
    """Returns the arguments, options and examples of a command or subcommand. `heading` is the macro
    of their headings."""
    text = ""
    if command.arguments:
        text += f"{heading} ARGUMENTS\n"
        for argument in command.arguments:
            text += entry_text(argument.name, description_and_notes(argument.description)[0])
    text += f"{heading} OPTIONS\n"
    groups = list(dict.fromkeys(option.group for option in command.options))
    for group in groups:
        if heading == ".SH" and len(groups) > 2:
            text += f".SS {roff(group)}\n"
        text += "".join(option_entry(option) for option in command.options if option.group == group)
    for section in command.sections:
        if section.heading in SECTION_NAMES:
            continue
        text += f"{heading} {roff(section.heading.upper())}\n{verbatim(section.lines)}"
    return text


def man_page(command: CommandHelp, version: str) -> str:
    """Returns the man page of a command, with its subcommands. It has no date, because its version
    says what it describes."""
    name = command.words[0]
    purpose = command.description.split(". ")[0].rstrip(".")
    purpose = re.split(r"[:,]| and ", purpose[0].lower() + purpose[1:])[0]
    text = f'.\\" Written by scripts/make_reference.py from {name} --help.\n'
    text += f'.TH {roff(name.upper())} 1 "" "quartz {version}" "User Commands"\n'
    text += f".SH NAME\n{roff(name)} \\- {prose(purpose)}\n.SH SYNOPSIS\n"
    for each in [command, *command.subcommands]:
        words, rest = " ".join(each.words), each.usage.removeprefix(" ".join(each.words)).strip()
        text += (".br\n" if each is not command else "") + f"\\fB{roff(words)}\\fR \\fI{roff(rest)}\\fR\n"
    text += f".SH DESCRIPTION\n{prose(command.description)}\n" + body(command, ".SH")
    for each in command.subcommands:
        text += f".SH {roff(' '.join(each.words).upper())}\n{prose(each.description)}\n" + body(each, ".SS")
    for section in command.sections:
        if section.heading in SECTION_NAMES:
            text += f".SH {SECTION_NAMES[section.heading]}\n{list_of_codes(section.lines)}"
    others = [other for other in COMMANDS if other != name]
    links = " ,\n".join(f".BR {roff(other)} (1)" for other in others)
    return f"{text}.SH SEE ALSO\n{links}\n"

#!/usr/bin/env python3
"""Writes the arguments of quartz.optimize from the options of the library: the signature and the description of the
function in python/quartz/optimization.py, and the types in python/quartz/options.py.

    make_python_options.py              with the interpreter for which the package is installed
    make_python_options.py --check      writes nothing; fails if a file is out of date

Run it after a change of an option, with the package installed (scripts/install_python_package.sh). Arguments that only
the package has are listed here.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import re
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python/quartz"
WIDTH = 120

#: The types of the library's options in Python. Without a default in the library, None is one.
TYPES = {
    "seconds": "float",
    "bytes": "float | None",
    "number": "float",
    "whole_number": "int",
    "on_off": "bool",
    "searches": "str",
    "text": "str",
    "folder": "Path | None",
    "coupling": "CouplingLike | None",
    "rule_set": "RuleSet | Path | None",
    "class_table": "ClassTable | Path | None",
    "cache": "bool | Path",
}
#: What is accepted in addition to what the library's text says.
ADDITIONS = {
    "coupling": "The circuit must respect them already. A CouplingMap and pairs of numbers are accepted too.",
    "rule_set": "A RuleSet is accepted too.",
    "class_table": "A ClassTable that is in a file is accepted too.",
}
#: Meanings in place of the library's. The list of the searches is that of ``quartz-opt --help``.
MEANINGS = {
    "searches": "One of quartz.SEARCHES, or several separated by commas, which run one after the other with equal parts "
    "of the time.",
}
#: Names of types that are not those of their options.
TYPE_NAMES = {"backend": "SearchBackend", "check": "CheckPolicy"}
#: Defaults that differ from those of the library, whose commands run for longer.
DEFAULTS = {"time": "1.0"}
#: Arguments that may be given by position, after the circuit and the gate set.
BY_POSITION = ("cost", "time", "threads", "seed")


@dataclasses.dataclass
class Argument:
    """An argument of quartz.optimize."""

    name: str
    type: str
    default: str
    meaning: str


#: Arguments that the package itself understands.
CIRCUIT = Argument("circuit", "CircuitLike", "", "A Circuit, the path of an OpenQASM file, or OpenQASM text.")
GATE_SET = Argument(
    "gate_set",
    "GateSetLike | None",
    "None",
    "The gate set of the target: a GateSet, the name of a bundled one, or the path of a file. By default the bundled one "
    "with the gates of ``backend_json``, or ``nam``.",
)
COST = Argument(
    "cost",
    "CostLike | None",
    "None",
    "What is minimized: a Cost, a name (``total``, ``two-qubit``, ``t``, ``depth``, ``two-qubit-depth``, ``t-depth``, "
    "with ``backend_json`` ``error`` and ``duration``, or a bundled error table such as ``ibm_heron_errors``), a file, or "
    "several of these, separated by commas or in a list. By default the cost that the gate set names; that of ``nam`` is ``total``.",
)
BACKEND = Argument(
    "backend_json",
    "BackendLike | None",
    "None",
    "A device, described by its own files (docs/formats/backend.md): a Backend, the path of its file, or the paths of "
    "both files of a Qiskit backend. It provides the pairs of ``coupling``, and the costs ``error`` and ``duration``.",
)
PROGRAM = Argument(
    "program",
    "bool",
    "False",
    "Whether the circuit is a complete program: its qubits start in ``|0>``, and if it measures any of them, only its "
    "classical bits count. Gates that no measurement depends on are removed: an experiment whose outcome is known in "
    "advance, such as rounds of error correction, loses its gates before the first barrier and after the last one, and "
    "without barriers all of them. ``known_states`` of the result says how many.",
)
PROGRESS = Argument(
    "progress",
    "Progress",
    "False",
    "True for a bar of tqdm with the best cost so far, or a function that is called with the seconds and the best cost.",
)


def type_name(name: str) -> str:
    """Returns the name of the type of an option whose values have names."""
    return TYPE_NAMES.get(name, name.title().replace("_", ""))


def default_of(row: dict[str, Any]) -> str:
    """Returns the default of a library option as Python code."""
    if row["name"] in DEFAULTS:
        return DEFAULTS[row["name"]]
    if row["type"] == "cache":
        return "True"
    # The text says the default of limits that are large numbers.
    return "None" if row["type"] == "bytes" else repr(row["default"]).replace("'", '"')


def meaning_of(row: dict[str, Any]) -> str:
    """Returns the meaning of a library option as sentences."""
    if row["type"] in MEANINGS:
        return MEANINGS[row["type"]]
    names = [f"``{name}``" for name in row["names"]]
    values = " or ".join([", ".join(names[:-1]), names[-1]]) + ": " if names else ""
    text = values + row["help"]
    if row["type"] == "bytes":
        text += f" (default: {row['default'] / 2**30:g} GiB)"
    text = re.sub(r"\|0>", "``|0>``", text[0].upper() + text[1:]) + "."
    return " ".join([text, *([ADDITIONS[row["type"]]] if row["type"] in ADDITIONS else [])])


def argument_of(row: dict[str, Any]) -> Argument:
    """Returns the argument for an option of the library."""
    kind = type_name(row["name"]) if row["type"] == "name" else TYPES[row["type"]]
    if row["type"] == "bytes" and row["whole"]:
        kind = kind.replace("float", "int")
    default = default_of(row)
    if default == "None" and not kind.endswith("None"):
        kind += " | None"
    return Argument(row["name"], kind, default, meaning_of(row))


def arguments_of(rows: list[dict[str, Any]]) -> tuple[list[Argument], list[Argument]]:
    """Returns the arguments that may be given by position, and those that are given by name."""
    library = {row["name"]: argument_of(row) for row in rows}
    library["cost"] = COST
    first = [CIRCUIT, GATE_SET, *(library.pop(name) for name in BY_POSITION)]
    others = [*library.values()]
    place = next(i for i, each in enumerate(others) if each.name == "initial_state")
    return first, [BACKEND, *others[:place], PROGRAM, *others[place:], PROGRESS]


def parameter(argument: Argument) -> str:
    default = f" = {argument.default}" if argument.default else ""
    return f"    {argument.name}: {argument.type}{default},\n"


def described(arguments: Iterable[Argument]) -> str:
    return "".join(
        textwrap.fill(
            f"{each.name}: {each.meaning}",
            WIDTH,
            initial_indent=" " * 8,
            subsequent_indent=" " * 12,
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
        for each in arguments
    )


def with_region(text: str, begin: str, end: str, region: str) -> str:
    """Returns a file with another text between two lines, which stay."""
    first = text.index(begin) + len(begin)
    return text[:first] + region + text[text.index(end, first) :]


def optimization_file(text: str, rows: list[dict[str, Any]]) -> str:
    first, others = arguments_of(rows)
    signature = "".join([*map(parameter, first), "    *,\n", *map(parameter, others)])
    text = with_region(text, "\ndef optimize(\n", ") -> OptimizeResult:\n", signature)
    return with_region(text, "    Args:\n", "\n    The call does not hold the GIL", described([*first, *others]))


def options_file(text: str, rows: list[dict[str, Any]]) -> str:
    first, others = arguments_of(rows)
    names = {row["name"]: row["names"] for row in rows if row["names"]}
    literals = "".join(
        f"{type_name(name)} = Literal[{', '.join(f'{chr(34)}{value}{chr(34)}' for value in values)}]\n"
        for name, values in names.items()
    )
    fields = "".join(f"    {each.name}: {each.type}\n" for each in [*first[2:], *others])
    text = with_region(text, "# The names of values.\n", "Path = ", literals)
    return with_region(text, "    # The arguments.\n", "\n\ndef require_options", fields)


def files(rows: list[dict[str, Any]]) -> dict[pathlib.Path, str]:
    """Returns the text of each file."""
    written = {}
    for name, with_arguments in (("optimization.py", optimization_file), ("options.py", options_file)):
        path = PACKAGE / name
        written[path] = with_arguments(path.read_text(encoding="utf-8"), rows)
    return written


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    check = parser.parse_args().check
    from quartz import _core

    found = [(path, text) for path, text in files(_core._options()).items() if path.read_text(encoding="utf-8") != text]
    for path, text in found:
        if check:
            print(f"{path.relative_to(ROOT)} is out of date: run scripts/make_python_options.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return int(check and bool(found))


if __name__ == "__main__":
    sys.exit(main())

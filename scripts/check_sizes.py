#!/usr/bin/env python3
"""Checks the sizes of functions, classes, folders and of one file against the rules of the house.

    check_sizes.py           prints each violation as file:line and exits with 1 if there is one
    check_sizes.py --list    prints every function and class with its size, the largest first

In src/, include/, apps/ and python/ no function has more than 60 lines, no folder more than 25 source
files, and src/optimize/optimize.cpp at most 150 lines. In src/, apps/ and python/ no class has more
than 15 data members. This rule does not apply to include/: each option of a call is a member of a public struct,
and grouping them would only make callers write longer names.

The lines of a function are those from its declaration to its closing brace; a lambda belongs to the
function around it. Data members are the non-static ones of a class, without those of its bases and
of nested classes. The scanner knows comments, literals, preprocessor branches (of #if the first one
counts), templates and constructors with initializers; it does not expand macros.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import re
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["src", "include", "apps", "python"]
SOURCES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}
FILES = SOURCES | {".inc"}

MOST_LINES_OF_A_FUNCTION = 60
MOST_DATA_MEMBERS = 15
FOLDERS_OF_SMALL_CLASSES = ("src/", "apps/", "python/")
MOST_FILES_OF_A_FOLDER = 25
MOST_LINES_OF_A_FILE = {"src/optimize/optimize.cpp": 150}


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    line: int


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    line: int
    lines: int


@dataclasses.dataclass(frozen=True)
class Class:
    name: str
    line: int
    members: tuple[str, ...]


# --- tokens ---------------------------------------------------------------------------------------

TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n)
      | (?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\s\\"]{0,16})\(.*?\)(?P=delimiter)")
      | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
      | (?P<number>\.?\d(?:[\w.]|[eEpP][+-]|'\w)*)
      | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator>::|->|\[\[|\]\]|<=>|<<=|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|<<|.)""",
    re.X | re.S,
)


def active_lines(text: str) -> str:
    """Returns the text with preprocessor lines and the later branches of #if made blank."""
    kept = []
    skipping = [False]  # for each open #if: whether its present branch is skipped
    in_directive = False
    for line in text.split("\n"):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if directive and not in_directive:
            if directive[1] in ("if", "ifdef", "ifndef"):
                skipping.append(skipping[-1])
            elif directive[1] in ("else", "elif"):
                skipping[-1] = True
            elif directive[1] == "endif":
                skipping.pop()
        blank = directive or in_directive or skipping[-1]
        in_directive = bool(directive or in_directive) and line.endswith("\\")
        kept.append("" if blank else line)
    return "\n".join(kept)


def tokens_of(text: str) -> list[Token]:
    """Returns the tokens of a source file, without comments and preprocessor lines."""
    text = active_lines(text)
    tokens = []
    line = 1
    for match in TOKEN.finditer(text):
        kind, found = match.lastgroup, match[0]
        if kind == "delimiter":
            kind = "raw"
        if kind in ("raw", "string", "character"):
            tokens.append(Token('""', line))
        elif kind not in ("space", "comment"):
            tokens.append(Token(found, line))
        line += found.count("\n")
    return tokens


# --- declarations ---------------------------------------------------------------------------------


def without_groups(tokens: list[Token], opening: str, closing: str) -> list[Token]:
    """Returns the tokens outside of all groups of brackets."""
    kept = []
    depth = 0
    for token in tokens:
        if token.text == opening:
            depth += 1
        elif token.text == closing and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(token)
    return kept


def without_template_arguments(tokens: list[Token]) -> list[Token]:
    """Returns the tokens outside of <...>. A < after a name or after `template` opens a group if it
    is closed before the declaration ends."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index].text == "<" and index > 0 and re.match(r"\w", tokens[index - 1].text):
            end = end_of_template_arguments(tokens, index)
            if end is not None:
                index = end + 1
                continue
        kept.append(tokens[index])
        index += 1
    return kept


def end_of_template_arguments(tokens: list[Token], start: int) -> int | None:
    """Returns the index of the > that closes the < at `start`; None if it is an operator."""
    depth = parentheses = 0
    for index in range(start, len(tokens)):
        text = tokens[index].text
        parentheses += (text in "([{") - (text in ")]}")
        if parentheses < 0:
            return None
        if parentheses == 0:
            depth += (text == "<") - (text == ">")
            if depth == 0:
                return index
    return None


def simplified(tokens: list[Token]) -> list[str]:
    """Returns the words of a declaration, without attributes, template headers and arguments, and
    the parentheses of alignas, decltype, noexcept, requires and __launch_bounds__."""
    tokens = without_groups(tokens, "[[", "]]")
    tokens = without_template_arguments(tokens)
    words = [token.text for token in tokens if token.text != "template"]
    kept: list[str] = []
    index = 0
    while index < len(words):
        if words[index] in ("alignas", "decltype", "noexcept", "requires", "__launch_bounds__"):
            index += 1
            if index < len(words) and words[index] == "(":
                index = end_of_parentheses(words, index) + 1
            continue
        kept.append(words[index])
        index += 1
    return kept


def end_of_parentheses(words: list[str], start: int) -> int:
    depth = 0
    for index in range(start, len(words)):
        depth += (words[index] == "(") - (words[index] == ")")
        if depth == 0:
            return index
    return len(words) - 1


def index_of_assignment(words: list[str]) -> int:
    """Returns where the initializer of a declaration starts: at the first = outside of parentheses."""
    depth = 0
    for index, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if word == "=" and depth == 0 and words[max(0, index - 1)] != "operator":
            return index
    return len(words)


def has_initializer_list(words: list[str]) -> bool:
    """Returns whether a : follows the parameters of a function, as in a constructor."""
    return any(
        words[index] == ":" and (words[index - 1] in (")", "try")) for index in range(1, len(words))
    )


def kind_of_scope(declaration: list[Token]) -> str:
    """Returns what a { opens after these tokens: namespace, class, enum, function or other."""
    words = simplified(declaration)
    if not words:
        return "other"
    if "namespace" in words[:2] or words[0] == "extern" and words[-1] == '""':
        return "namespace"
    if "enum" in words:
        return "enum"
    before = words[: index_of_assignment(words)]
    if "(" not in before and "operator" not in before:
        is_class = any(word in ("class", "struct", "union") for word in before)
        return "class" if is_class and before == words else "other"
    if before != words:
        return "other"
    # In the initializer list of a constructor, the body follows ) or }.
    if has_initializer_list(words) and re.match(r"\w", declaration[-1].text):
        return "other"
    return "function"


def name_of_function(words: list[str]) -> str:
    """Returns the name before the first parentheses."""
    if "operator" in words:
        start = words.index("operator")
        end = words.index("(", start + 2) if "(" in words[start + 2 :] else len(words)
        return "operator" + "".join(words[start + 1 : end])
    end = words.index("(")
    start = end - 1
    while start >= 2 and words[start - 1] in ("::", "~"):
        start -= 2 if words[start - 1] == "::" else 1
    return "".join(words[start:end])


def name_of_class(words: list[str]) -> str:
    keyword = next(index for index, word in enumerate(words) if word in ("class", "struct", "union"))
    names = [word for word in words[keyword + 1 :] if word != "final"]
    end = names.index(":") if ":" in names else len(names)
    return "".join(names[:end]) or "(unnamed)"


NOT_MEMBERS = {"using", "typedef", "friend", "static_assert", "static", "enum", "template", "extern"}


def data_members(declaration: list[Token]) -> list[str]:
    """Returns the names of the non-static data members that a declaration in a class declares."""
    tokens = without_groups(without_groups(declaration, "{", "}"), "[[", "]]")
    tokens = without_groups(tokens, "[", "]")
    if not tokens or tokens[0].text == "template":
        return []
    words = simplified(tokens)
    if not words or NOT_MEMBERS & set(words) or "operator" in words:
        return []
    words = words[: index_of_assignment(words)] + declarators_after(words)
    if "(" in words:
        pointer = re.search(r"\( ?\* ?(\w+) ?\)", " ".join(words))  # a pointer to a function
        return [pointer[1]] if pointer else []
    if len(words) < 2 or words[0] in ("class", "struct", "union") and len(words) == 2:
        return []
    text = " ".join(words).replace(" :: ", "::")
    names = [part.split(" : ")[0].split() for part in text.split(",")]
    return [name[-1] for name in names if name]


def declarators_after(words: list[str]) -> list[str]:
    """Returns the declarators that follow the first initializer, as in "int a = f(x, y), b = 2"."""
    found: list[str] = []
    depth = 0
    skipping = True
    for word in words[index_of_assignment(words) :]:
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and word in (",", "="):
            skipping = word == "="
        if depth == 0 and not skipping:
            found.append(word)
    return found


# --- scopes ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class Scope:
    kind: str
    name: str = ""
    line: int = 0
    declaration: list[Token] = dataclasses.field(default_factory=list)
    members: list[str] = dataclasses.field(default_factory=list)


class Scanner:
    """Finds the functions and classes of one source file."""

    def __init__(self, text: str):
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.scopes = [Scope("namespace")]
        self.parentheses = 0  # open ( since the declaration started
        for token in tokens_of(text):
            self.take(token)

    def take(self, token: Token) -> None:
        scope = self.scopes[-1]
        if token.text == "{":
            self.open(token)
        elif token.text == "}":
            self.close(token)
        elif scope.kind in ("function", "other", "enum"):
            pass  # nothing is declared here that counts
        elif token.text == ";" and self.parentheses == 0:
            self.end_declaration()
        elif token.text == ":" and [each.text for each in scope.declaration] in (
            ["public"], ["protected"], ["private"],
        ):  # fmt: skip
            scope.declaration = []
        else:
            self.parentheses += (token.text == "(") - (token.text == ")")
            scope.declaration.append(token)

    def open(self, token: Token) -> None:
        scope = self.scopes[-1]
        kind = "other"
        if scope.kind in ("namespace", "class") and self.parentheses == 0:
            kind = kind_of_scope(scope.declaration)
        name = ""
        words = simplified(scope.declaration)
        if kind == "function":
            name = name_of_function(words)
        elif kind == "class":
            name = name_of_class(words)
        first = scope.declaration[0].line if scope.declaration else token.line
        self.scopes.append(Scope(kind, name, first))

    def close(self, token: Token) -> None:
        if len(self.scopes) == 1:
            return
        closed = self.scopes.pop()
        scope = self.scopes[-1]
        if closed.kind == "function":
            lines = token.line - closed.line + 1
            self.functions.append(Function(closed.name, closed.line, lines))
        if closed.kind == "class":
            self.classes.append(Class(closed.name, closed.line, tuple(closed.members)))
        if closed.kind in ("function", "namespace"):
            scope.declaration = []
        elif closed.kind in ("class", "enum"):
            scope.declaration = [Token("type", token.line)]  # declarators may follow
        elif scope.kind in ("namespace", "class"):
            # An initializer: the declaration goes on to its semicolon.
            scope.declaration += [Token("{", token.line), Token("}", token.line)]

    def end_declaration(self) -> None:
        scope = self.scopes[-1]
        if scope.kind == "class":
            scope.members += data_members(scope.declaration)
        scope.declaration = []


# --- the rules ------------------------------------------------------------------------------------


def sources(root: pathlib.Path, suffixes: set[str]) -> Iterator[pathlib.Path]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def violations(root: pathlib.Path) -> Iterator[str]:
    """Yields each violation as "file:line: message"."""
    for path in sources(root, SOURCES):
        name = path.relative_to(root).as_posix()
        found = Scanner(path.read_text(encoding="utf-8"))
        for function in found.functions:
            if function.lines > MOST_LINES_OF_A_FUNCTION:
                yield f"{name}:{function.line}: {function.name} has {function.lines} lines"
        for each in found.classes:
            is_limited = name.startswith(FOLDERS_OF_SMALL_CLASSES)
            if is_limited and len(each.members) > MOST_DATA_MEMBERS:
                yield f"{name}:{each.line}: {each.name} has {len(each.members)} data members"
    numbers: dict[pathlib.Path, int] = {}
    for path in sources(root, FILES):
        numbers[path.parent] = numbers.get(path.parent, 0) + 1
    for folder, number in numbers.items():
        name = folder.relative_to(root).as_posix()
        if number > MOST_FILES_OF_A_FOLDER:
            yield f"{name}:1: the folder has {number} source files"
    for name, most in MOST_LINES_OF_A_FILE.items():
        if (root / name).exists():
            lines = len((root / name).read_text(encoding="utf-8").splitlines())
            if lines > most:
                yield f"{name}:1: the file has {lines} lines, at most {most} are allowed"


def print_all(root: pathlib.Path) -> None:
    """Prints every function and class, the largest first."""
    found = []
    for path in sources(root, SOURCES):
        name = path.relative_to(root).as_posix()
        scanner = Scanner(path.read_text(encoding="utf-8"))
        found += [(each.lines, f"{name}:{each.line}: {each.name}: {each.lines} lines")
                  for each in scanner.functions]  # fmt: skip
        found += [(len(each.members), f"{name}:{each.line}: {each.name}: {len(each.members)} data"
                   f" members: {' '.join(each.members)}") for each in scanner.classes]  # fmt: skip
    for _, text in sorted(found, reverse=True):
        print(text)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="root of the repository")
    parser.add_argument("--list", action="store_true", help="print every function and class")
    arguments = parser.parse_args()
    if arguments.list:
        print_all(arguments.root)
        return 0
    found = list(violations(arguments.root))
    for violation in found:
        print(violation)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

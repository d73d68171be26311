"""Comments and Markdown pages consist of sentences, not of fragments.

test_prose.py [FOLDER_OR_FILE]...

Without arguments, the whole repository is checked. Prints file:line: for each sentence with a fault. A sentence has a
fault if
- it starts with "Of" or "Likewise", with "So many", or with "Such" unless "Such a ..." follows;
- it has a single word, as in "Exact.";
- it contains an idiom of which the meaning has to be guessed, such as "made small" or "leaves it at".

A comment behind code may be a noun, a number or a piece of code, but does not start with "of". Code in comments and
pages is not checked: lines with an indentation of three or more blanks, backquotes and quoted text.
"""

import ast
import io
import json
import pathlib
import re
import sys
import tokenize
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARGUMENTS = sys.argv[1:]
del sys.argv[1:]

C_FAMILY = {".cpp", ".hpp", ".cu", ".cuh", ".inc"}
HASH_COMMENTS = {".sh", ".cmake", ".txt", ".yml", ".yaml"}

IDIOMS = [
    r"\b(?:make|makes|making|made) small\b",
    r"\b(?:stand|stands|standing|stood) in\b(?! the way)",
    r"\banew\b",
    r"\b(?:is|are|was|were|be|been|being) told\b(?! apart)",
    r"\bso many\b(?! \w+(?: \w+)? that\b)",
    r"\b(?:leave|leaves|leaving|left) it at\b",
    r"\b(?:come|comes|coming|came) by\b",
    r"\bwhat there is\b",
    r"\b(?:go|goes|going|went) by\b",
]

ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "al", "cf", "fig", "no", "vol", "sec", "resp", "approx",
                 "math", "comp", "phys", "rev", "lett", "proc", "trans")


def words_of(sentence):
    return re.findall(r"[A-Za-z]+(?:['\u2019][a-z]*)?|\d[\w.]*|[,;:]", sentence)


# --- faults ---


def plain(text):
    """The text without code, quotations, links and emphasis, which a noun replaces."""
    text = re.sub(r"``.*?``|`[^`]*`", lambda found: " = ".join(["Code"] * (1 + ("=" in found[0]))), text)
    text = re.sub(r'"[^"]*"', "Code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>\s]*>|https?://\S+", "Code", text)
    text = re.sub(r"\s(?:[=<>]|[!<>=]=)\s", " is ", text)
    return re.sub(r"(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)", "", text)


def sentences_of(text):
    """The sentences of a paragraph with the offsets of their first characters."""
    start = 0
    for end in re.finditer(r"[.!?][)\"']*(?=\s+[\"'(\[`*]*[A-Z0-9])|[.!?]?\s*$", text):
        before = text[start:end.start()].rstrip(".")
        if end.end() < len(text) and before.lower().endswith(ABBREVIATIONS) \
                and re.search(r"(?:^|[\s(])(?:%s)$" % "|".join(map(re.escape, ABBREVIATIONS)), before, re.I):
            continue
        sentence = text[start:end.end()]
        stripped = sentence.strip()
        if stripped:
            yield start + len(sentence) - len(sentence.lstrip()), stripped
        start = end.end()


def fault_of(sentence, is_label=False):
    """What is wrong with a sentence, or None. Labels are comments behind code, headings and table cells."""
    text = plain(sentence)
    for idiom in IDIOMS:
        if found := re.search(idiom, text, re.I):
            return f"the idiom '{found[0]}'"
    words = [word for word in words_of(text) if word.isalnum() or "'" in word]
    if not words:
        return None
    first, second = words[0].lower(), words[1].lower() if len(words) > 1 else ""
    if not text.lstrip("([*- ").startswith(words[0]):
        return None
    if first == "of":
        return "starts with 'of'"
    if first == "likewise" or (first == "so" and second == "many"):
        return f"starts with '{words[0]}'"
    if is_label or not words[0][0].isupper():
        return None
    if len(words) == 1:
        is_name = text.strip(" .") == "Code" or words[0].isupper() and len(first) > 1
        return None if is_name or text.strip().endswith(":") else "a single word"
    if first == "such" and second not in ("a", "an"):
        return "starts with 'Such'"
    return None


# --- comments ---


def comments_of_c(text):
    """(line, text, is_label) for each comment of C++ or CUDA code."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'", re.S)
    for found in token.finditer(text):
        if not found[0].startswith(("//", "/*")):
            continue
        line_start = text.rfind("\n", 0, found.start()) + 1
        behind_code = text[line_start:found.start()].strip() != ""
        line = text.count("\n", 0, found.start()) + 1
        if found[0].startswith("/*"):
            for i, part in enumerate(found[0][2:-2].split("\n")):
                yield line + i, re.sub(r"^\s*[*!<]* ?", "", part), behind_code
        else:
            yield line, re.sub(r"^//+[!<]* ?", "", found[0]), behind_code


def comments_of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], re.sub(r"^#+:? ?", "", token.string), token.line[:token.start[1]].strip() != ""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.body and isinstance(node.body[0], ast.Expr) and ast.get_docstring(node, clean=False) is not None:
                first = node.body[0].lineno
                indent = node.body[0].col_offset
                for i, line in enumerate(ast.get_docstring(node, clean=False).split("\n")):
                    yield first + i, line[indent:] if not line[:indent].strip() else line, False
                yield first + i + 1, "", False


def comments_of_scripts(text):
    """Comments that start with # of CMake and shell files."""
    for number, line in enumerate(text.split("\n"), 1):
        if number == 1 and line.startswith("#!"):
            continue
        without_text = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|\\#|\$\{?#', lambda found: "x" * len(found[0]), line)
        found = re.search(r"(?:^|\s)#+(?= |$)", without_text)
        if found:
            yield number, line[found.end():].removeprefix(" "), line[:found.start()].strip() != ""


DIRECTIVE = re.compile(r"namespace\b|clang-format\b|NOLINT|NOSONAR|noqa\b|type:|shellcheck\b|pylint\b|!|-\*-")


def paragraphs_of_comments(comments):
    """Joins the lines of comments to paragraphs: (lines, is_label), with (number, text) for each line."""
    paragraph, last, in_item = [], 0, False
    for number, text, is_label in sorted(comments, key=lambda comment: comment[0]):
        text = re.sub(r"^(?:---+|===+)\s*(.*?)\s*(?:---+|===+)$", "", text.rstrip())
        in_item = in_item and bool(paragraph) and number == last + 1
        is_code = DIRECTIVE.match(text) or re.match(r"\||@|\$ |[\w-]+\s+=\s", text) or \
            not in_item and re.match(r"\s{2,}", text)
        is_item = re.match(r"[-*] |\d+\. ", text)
        in_item = in_item or bool(is_item)
        ends = not text.strip() or is_code or is_label or is_item or number != last + 1
        if paragraph and ends:
            yield paragraph, False
            paragraph = []
        last = number
        if not text.strip() or is_code:
            continue
        if is_label:
            yield [(number, text)], True
        else:
            paragraph.append((number, re.sub(r"^[-*] |^\d+\. ", "", text).strip()))
    if paragraph:
        yield paragraph, False


def paragraphs_of_markdown(text):
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    paragraph, in_code = [], False
    for number, line in enumerate(text.split("\n") + [""], 1):
        if re.match(r"\s*(?:```|~~~)", line):
            in_code = not in_code
            line = ""
        is_table, is_heading = line.lstrip().startswith("|"), line.startswith("#")
        is_item = re.match(r"\s*(?:[-*+]|\d+\.) ", line)
        if paragraph and (in_code or not line.strip() or is_table or is_heading or is_item):
            yield paragraph, False
            paragraph = []
        if in_code or not line.strip() or re.match(r" {4,}", line) and not paragraph:
            continue
        if is_table:
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                yield [(number, cell.strip())], True
        elif is_heading:
            yield [(number, line.lstrip("# "))], True
        else:
            paragraph.append((number, re.sub(r"^\s*(?:[-*+]|\d+\.) ", "", line).strip()))


def paragraphs_of_notebook(text):
    """The lines of all cells are numbered in a row."""
    before = 0
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        is_code = cell["cell_type"] == "code"
        paragraphs = paragraphs_of_comments(comments_of_python(source)) if is_code else paragraphs_of_markdown(source)
        for lines, is_label in paragraphs:
            yield [(before + number, line) for number, line in lines], is_label
        before += len(source.split("\n"))


def paragraphs_of(path, text):
    if path.suffix in C_FAMILY:
        return paragraphs_of_comments(comments_of_c(text))
    if path.suffix == ".py":
        return paragraphs_of_comments(comments_of_python(text))
    if path.suffix == ".md":
        return paragraphs_of_markdown(text)
    if path.suffix == ".ipynb":
        return paragraphs_of_notebook(text)
    return paragraphs_of_comments(comments_of_scripts(text))


def faults_of(path, text):
    """(line, fault, sentence) for each sentence with a fault."""
    for lines, is_label in paragraphs_of(path, text):
        joined = " ".join(line for _, line in lines)
        starts, length = [], 0
        for number, line in lines:
            starts.append((length, number))
            length += len(line) + 1
        for offset, sentence in sentences_of(joined):
            if re.fullmatch(r"\*\*[^*]*\*\*", sentence):  # a heading within a paragraph
                continue
            if fault := fault_of(sentence, is_label):
                yield max(number for start, number in starts if start <= offset), fault, sentence


def checked_files(arguments):
    for place in arguments or [ROOT]:
        place = pathlib.Path(place).resolve()
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            inside = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts[1:]
            if inside[0].startswith(("build", ".")) and inside[:2] != (".ci", "run") or not path.is_file():
                continue
            if path.suffix in C_FAMILY | HASH_COMMENTS | {".py", ".md", ".ipynb"} or inside[:2] == (".ci", "run"):
                if path.suffix != ".txt" or path.name == "CMakeLists.txt":
                    yield path


# --- tests ---


class Prose(unittest.TestCase):
    def test_comments_and_pages_consist_of_sentences(self):
        found, checked = [], 0
        for path in checked_files(ARGUMENTS):
            checked += 1
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            for line, fault, sentence in faults_of(path, path.read_text(encoding="utf-8")):
                found.append(f"{name}:{line}: {fault}: {sentence[:120]}")
        self.assertGreater(checked, 0)
        if found:
            self.fail("\n".join([f"{len(found)} sentences with a fault", *found]))


class NamesOfTests(unittest.TestCase):
    def test_no_name_begins_as_an_option_does(self):
        # Catch reads such a name as its own option: for --help it shows its help, and ctest counts
        # that as passed.
        names = re.compile(r'TEST_CASE\(\s*"(-[^"]*)"')
        found = [
            f"{path.relative_to(ROOT)}: {name}"
            for path in sorted((ROOT / "tests").rglob("*.cpp"))
            for name in names.findall(path.read_text(encoding="utf-8"))
        ]
        self.assertEqual(found, [])


class Finder(unittest.TestCase):
    """The check finds what it is for, and nothing else."""

    def test_fragments_are_found(self):
        for sentence in [
            "Of the time, where backtracking gets the rest.",
            "Of that in the intermediate set.",
            "Likewise.",
            "Likewise, for the right side.",
            "So many qubits.",
            "Such as these.",
            "Such gates are skipped.",
            "Exact.",
            "Zero.",
            "What a search makes small.",
            "A dummy that stands in for the table.",
            "Begins anew.",
            "The caller is told of the table.",
            "A window of so many gates.",
            "Then it leaves it at what it has.",
            "The price it comes by.",
            "The least of what there is.",
            "The name it goes by.",
        ]:
            with self.subTest(sentence):
                self.assertIsNotNone(fault_of(sentence))

    def test_sentences_are_not_found(self):
        for sentence in [
            "Returns the number of gates.",
            "As in Qiskit, a control is operand 0.",
            "Such a group of coefficients contributes zero exactly if all of them are equal.",
            "Thread-safe.",
            "Equal and unequal circuits are told apart.",
            "There are so many circuits that enumeration stops.",
            "`Of` is a word.",
            'Returns a text such as "Of course".',
        ]:
            with self.subTest(sentence):
                self.assertIsNone(fault_of(sentence))

    def found_in(self, name, text):
        return [(line, sentence) for line, _, sentence in faults_of(pathlib.Path(name), text)]

    def test_comments_of_all_languages_are_read(self):
        cpp = ('/// Returns one.\n/// Of two\n/// lines. The third\n/// is good.\nint f();  ///< of it\n'
               'const char* s = "// Of text"; // expanded\n/* Exact.\n * Likewise. */\n'
               'auto r = R"(\n// Of a raw string\n)"; char c = \'"\'; // of them\n}  // namespace of\n'
               '//   Of code\n// --- of sections ---\n')
        self.assertEqual(self.found_in("a.cpp", cpp),
                         [(2, "Of two lines."), (5, "of it"), (7, "Exact."), (8, "Likewise."), (11, "of them")])
        python = ('"""Of a module.\n\nLikewise.\n"""\n\n\ndef f():\n    """Returns one.\n\n    Likewise.\n    """\n'
                  '    x = "# Of text"  # of it\n    # Of course\n    # not.\n')
        self.assertEqual(self.found_in("a.py", python),
                         [(1, "Of a module."), (3, "Likewise."), (10, "Likewise."), (12, "of it"),
                          (13, "Of course not.")])
        shell = '#!/bin/sh\n# Of it.\necho "# Of text" ${#x} # of it\n'
        self.assertEqual(self.found_in("a.sh", shell), [(2, "Of it."), (3, "of it")])
        self.assertEqual(self.found_in("CMakeLists.txt", "# Likewise.\nset(x 1)  # of x\n"),
                         [(1, "Likewise."), (2, "of x")])

    def test_pages_are_read(self):
        page = ("# Of headings\n\nA sentence\nof two lines. Of three\nlines.\n\n```\nOf code.\n```\n\n"
                "- Likewise.\n- Of a link.\n\n| of it | Exact. |\n|---|---|\n| `of` | of that |\n")
        self.assertEqual(self.found_in("a.md", page),
                         [(1, "Of headings"), (4, "Of three lines."), (11, "Likewise."), (12, "Of a link."),
                          (14, "of it"), (16, "of that")])

    def test_notebooks_are_read(self):
        cells = [{"cell_type": "markdown", "source": ["# A title\n", "\n", "Of three lines."]},
                 {"cell_type": "code", "source": ["x = 1  # of it\n", "# Likewise."]}]
        self.assertEqual(self.found_in("a.ipynb", json.dumps({"cells": cells})),
                         [(3, "Of three lines."), (4, "of it"), (5, "Likewise.")])

    def test_abbreviations_do_not_end_a_sentence(self):
        self.assertEqual([text for _, text in sentences_of("It is 2, e.g. Of two. See Barenco et al. Of it.")],
                         ["It is 2, e.g. Of two.", "See Barenco et al. Of it."])


if __name__ == "__main__":
    unittest.main()

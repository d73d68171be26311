"""Checks that every relative link in every Markdown file leads to an existing file and heading."""

import functools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def documents():
    """Yields the Markdown files of the repository, without build trees and hidden folders."""
    for path in sorted(ROOT.rglob("*.md")):
        first = path.relative_to(ROOT).parts[0]
        if not first.startswith((".", "build")):
            yield path


def without_code(text):
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def links(text):
    """Returns the targets of all links and pictures outside of code."""
    return re.findall(r"\]\(([^()\s]+)\)", without_code(text))


@functools.lru_cache(maxsize=None)
def anchors(path):
    """Returns the anchors that GitHub creates for a file's headings."""
    found = set()
    text = re.sub(r"^( *)```.*?^\1```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.M):
        base = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchor, count = base, 0
        while anchor in found:
            count += 1
            anchor = f"{base}-{count}"
        found.add(anchor)
    return frozenset(found)


def broken_links(document):
    for link in links(document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / name).resolve() if name else document
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{link}: no such heading"


class Links(unittest.TestCase):
    def test_every_relative_link_resolves(self):
        checked = 0
        for document in documents():
            checked += 1
            with self.subTest(str(document.relative_to(ROOT))):
                self.assertEqual(list(broken_links(document)), [])
        self.assertGreater(checked, 10)

    def test_every_page_of_the_documentation_is_reachable_from_the_index(self):
        folder = ROOT / "docs"
        seen, waiting = set(), [folder / "README.md"]
        while waiting:
            page = waiting.pop()
            if page in seen:
                continue
            seen.add(page)
            for link in links(page.read_text(encoding="utf-8")):
                target = (page.parent / link.partition("#")[0]).resolve()
                if target.suffix == ".md" and folder in target.parents and target.exists():
                    waiting.append(target)
        self.assertEqual(set(folder.rglob("*.md")) - seen, set())

    def test_documents_named_in_the_sources_exist(self):
        named = re.compile(r"\b((?:[\w.-]+/)*[\w-]+\.md)\b")
        for folder in ("apps", "cmake", "include", "perf", "scripts", "src", "tests"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix not in (".hpp", ".cpp", ".cu", ".cuh", ".cmake", ".sh", ".txt"):
                    continue
                for name in named.findall(path.read_text(encoding="utf-8")):
                    with self.subTest(f"{path.relative_to(ROOT)}: {name}"):
                        self.assertTrue((ROOT / name).exists() or (path.parent / name).exists())


class Finder(unittest.TestCase):
    """Tests the functions above."""

    def test_links_in_code_are_ignored(self):
        self.assertEqual(links("[a](b.md) `[c](d.md)`\n```\n[e](f.md)\n```\n![g](h.png)"),
                         ["b.md", "h.png"])

    def test_a_missing_file_and_a_missing_heading_are_found(self):
        page = ROOT / "README.md"
        text = page.read_text(encoding="utf-8")
        self.assertIn("docs/README.md", links(text))
        self.assertNotIn("no-such-heading", anchors(page))
        self.assertIn("example", anchors(page))


if __name__ == "__main__":
    unittest.main()

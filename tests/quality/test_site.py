"""Tests what scripts/make_site.py does around Sphinx. scripts/make_site.sh builds the site (tests/python)."""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import make_site  # noqa: E402  (the path comes first)


class Copy(unittest.TestCase):
    def test_links_lead_to_the_files_of_the_copy(self):
        page = ROOT / "docs/README.md"
        for link, expected in {
            "tutorial.md": "tutorial.md",
            "how-to.md#exit-codes": "how-to.md#exit-codes",
            "../README.md": "../index.md",
            "formats/README.md#one": "formats/index.md#one",
            "../include/quartz/quartz.h": "../include/quartz/quartz.h.md",
            "../examples/notebooks/clifford_t.ipynb": "../examples/notebooks/clifford_t.ipynb",
            "../pictures/nam.svg": "../pictures/nam.svg",
            "#here": "#here",
            "https://example.org/README.md": "https://example.org/README.md",
        }.items():
            self.assertEqual(make_site.with_links_of_the_site(page, f"a [b]({link}) c"), f"a [b]({expected}) c")

    def test_code_is_left_as_it_is(self):
        text = "`[a](README.md)`\n```\n[b](README.md)\n```\n"
        self.assertEqual(make_site.with_links_of_the_site(ROOT / "docs/README.md", text), text)

    def test_the_navigation_follows_the_index(self):
        pages = make_site.pages()
        lines = make_site.navigation(pages, [])[ROOT / "README.md"]
        index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        main = [f"docs/{name}" for name in re.findall(r"^\| \[\S+\]\((\S+)\) \|", index, re.M)]
        self.assertGreater(len(main), 10)
        start = lines.index(":caption: Documentation") + 2
        shown = [line.replace("index.md", "README.md") for line in lines[start : start + len(main)]]
        self.assertEqual(shown, main)

    def test_every_page_is_in_the_navigation_once(self):
        pages = make_site.pages()
        contents = make_site.navigation(pages, [])
        entries = [
            (page.parent / line).resolve() for page, lines in contents.items() for line in lines if line.endswith(".md")
        ]
        expected = [ROOT / make_site.name_in_site(page) for page in pages if page != ROOT / "README.md"]
        self.assertEqual(sorted(each for each in entries if each.suffix == ".md" and ".h" not in each.name),
                         sorted(expected))


class Links(unittest.TestCase):
    def broken(self, pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                make_site.write(pathlib.Path(folder, name), text)
            return sorted(make_site.broken_links(pathlib.Path(folder)))

    def test_links_that_lead_nowhere_are_found(self):
        pages = {"index.html": '<a href="a/">1</a><a href="b.html">2</a><a href="a/index.html#x">3</a>'
                               '<a href="a/index.html#y">4</a><img src="c.png"><a href="#z">5</a>',
                 "a/index.html": '<p id="x"><a href="../index.html">6</a><a href="https://example.org/b.html">7</a>'}
        self.assertEqual(self.broken(pages), ["index.html: #z", "index.html: a/index.html#y", "index.html: b.html",
                                              "index.html: c.png"])

    def test_a_site_without_broken_links(self):
        self.assertEqual(self.broken({"a.html": '<a name="t" href="b%20c.html#t">1</a>', "b c.html": '<p id="t">'}), [])


if __name__ == "__main__":
    unittest.main()

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
        lines = make_site.navigation()[ROOT / "README.md"]
        index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        for title in re.findall(r"^## (.*)$", index, re.M):
            section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", index, re.M | re.S)[1]
            expected = re.findall(r"^\| \[\S+\]\((\S+)\) \|", section, re.M)
            self.assertTrue(expected, title)
            start = lines.index(f":caption: {title}") + 2
            shown = [(ROOT / line.replace("index.md", "README.md")).resolve()
                     for line in lines[start : start + len(expected)]]  # fmt: skip
            self.assertEqual(shown, [(ROOT / "docs" / link).resolve() for link in expected])

    def test_every_page_for_users_is_in_the_navigation(self):
        shown = {str(each) for each in make_site.pages_in(make_site.navigation())}
        for folder in ("docs", "docs/formats", "docs/reference", "docs/algorithms"):
            for page in (ROOT / folder).glob("*.md"):
                if page != make_site.INDEX:
                    self.assertIn(make_site.name_in_site(page), shown)
        for folder in ("src", "perf", "tests"):
            self.assertFalse([name for name in shown if name.startswith(folder)])


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

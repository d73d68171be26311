"""The version is stated in CMakeLists.txt, and every other file that states it agrees."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(quartz VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


class Version(unittest.TestCase):
    def test_of_the_man_pages(self):
        pages = list((ROOT / "share/man/man1").glob("*.1"))
        self.assertGreater(len(pages), 2)
        for page in pages:
            self.assertIn(f"quartz {VERSION}", page.read_text(encoding="utf-8").splitlines()[1], page.name)

    def test_of_the_python_package_is_read_from_cmake(self):
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn('dynamic = ["version"]', text)
        regex = re.search(r"^regex = '(.*)'$", text, re.M)[1]
        found = re.search(regex, (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.assertEqual(found["value"], VERSION)

    def test_of_the_citation_and_the_changelog(self):
        citation = re.search(r"^version: *(\S+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
        self.assertIn(citation and citation[1], (None, VERSION))
        released = re.findall(r"^## \[?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
        self.assertIn((released or [VERSION])[0], VERSION)


if __name__ == "__main__":
    unittest.main()

"""Checks that docs/architecture.md lists every module and exactly the permitted includes."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_layers  # noqa: E402  (the path comes first)

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def listed_arrows():
    """Returns, for each module in the table, the modules that it may include."""
    table = PAGE.split("| module | may include |", 1)[1].split("\n\n", 1)[0]
    for modules, targets in re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.M):
        for module in re.findall(r"`(\w+)`", modules):
            yield module, set(re.findall(r"`(\w+)`", targets))


def permitted(module):
    """Returns the modules that the script permits; a single header counts as its module."""
    names = (re.sub(r"^quartz/", "", arrow) for arrow in check_layers.ARROWS[module])
    return {re.split(r"[:/]", name)[0] for name in names}


class Architecture(unittest.TestCase):
    def test_the_table_agrees_with_the_script(self):
        listed = dict(listed_arrows())
        for module in check_layers.ARROWS:
            if module != "cli" and permitted(module):  # cli includes all public headers
                self.assertEqual(listed.get(module), permitted(module), module)

    def test_the_table_of_folders_agrees_with_the_script(self):
        for module, arrows in check_layers.INNER_ARROWS.items():
            section = re.split(r"\n##", PAGE.split(f"### Inside `{module}`", 1)[1])[0]
            rows = dict(re.findall(r"^\| `([\w.]+)` \| .* \| (.*) ?\|$", section, re.M))
            self.assertEqual(set(rows) | {"."}, set(arrows) | {"."})
            for folder, targets in rows.items():
                listed = set(re.findall(r"`([\w.]+)`", targets))
                if targets.strip() == "all of these":
                    listed = set(rows) - {folder}
                permitted = set(arrows[folder])
                self.assertLessEqual(permitted, listed, folder)
                if targets.strip() != "all of these":
                    self.assertEqual(listed, permitted, folder)

    def test_every_module_is_described(self):
        section = PAGE.split("## The modules", 1)[1].split("### Inside", 1)[0]
        rows = set(re.findall(r"^\| `(\w+)` \|", section, re.M))
        folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
        self.assertEqual(rows, folders)


if __name__ == "__main__":
    unittest.main()

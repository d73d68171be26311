"""include/quartz/quartz.hpp includes every stable public header and names every internal one."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
UMBRELLA = ROOT / "include/quartz/quartz.hpp"


def included(header):
    return re.findall(r'^#include "(.*\.hpp)"$', header.read_text(encoding="utf-8"), re.M)


class PublicHeaders(unittest.TestCase):
    def test_every_header_is_in_one_tier(self):
        text = UMBRELLA.read_text(encoding="utf-8")
        stable = included(UMBRELLA)
        comments = " ".join(re.findall(r"^///(.*)$", text, re.M))
        internal = re.findall(r"quartz/[\w/]+\.hpp", comments)
        headers = {path.relative_to(ROOT / "include").as_posix()
                   for path in (ROOT / "include/quartz").rglob("*.hpp") if path != UMBRELLA}
        self.assertEqual(sorted(stable + internal), sorted(headers))
        self.assertEqual(stable, sorted(stable))

    def test_a_stable_header_includes_only_stable_ones(self):
        stable = included(UMBRELLA)
        for name in stable:
            for target in included(ROOT / "include" / name):
                self.assertIn(target, stable, name)


if __name__ == "__main__":
    unittest.main()

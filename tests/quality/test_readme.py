"""What README.md says of the commands is what the commands say: options, exit codes, gate sets.

test_readme.py FOLDER_OF_THE_COMMANDS
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"


def help_of(command):
    done = subprocess.run(
        [COMMANDS / command, "--help"], capture_output=True, text=True, check=True
    )
    return done.stdout


class Readme(unittest.TestCase):
    def test_every_option_shown_exists(self):
        lines = re.findall(r"^(?:build/bin/)?(quartz-\w+) (.*--.*)$", README, re.M)
        self.assertTrue(lines)
        for command, arguments in lines:
            known = help_of(command)
            for option in re.findall(r"--[\w-]+", arguments):
                self.assertRegex(known, rf"{option}\b", f"{command} {arguments}")

    def test_every_exit_code_is_listed_on_both_sides(self):
        in_readme = re.findall(r"^\| (\d+) \|", README, re.M)
        section = help_of("quartz-check").split("xit codes", 1)[1]
        in_help = re.findall(r"^ +(\d+) ", section, re.M)
        self.assertTrue(in_readme)
        self.assertEqual(in_readme, in_help)

    def test_every_bundled_gate_set_is_named(self):
        bundled = {path.stem for path in (ROOT / "gatesets").glob("*.json")}
        line = re.search(r"^- `--gate-set` is (.*)$", README, re.M)[1]
        self.assertEqual(set(re.findall(r"`(\w+)`", line)), bundled)

    def test_every_cost_is_named(self):
        line = re.search(r"^- `--cost` is (.*)$", README, re.M)[1]
        for cost in re.findall(r"`([\w-]+)`", line):
            self.assertRegex(help_of("quartz-opt"), rf"\b{cost}\b")

    def test_every_file_linked_exists(self):
        for document in [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]:
            for link in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
                if not link.startswith("http"):
                    self.assertTrue((document.parent / link).exists(), f"{document}: {link}")


if __name__ == "__main__":
    unittest.main()

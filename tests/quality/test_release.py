"""A release is one commit: the version in CMakeLists.txt and the section of CHANGELOG.md. Everything else follows."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"

sys.path.insert(0, str(ROOT / "scripts"))
import release_notes  # noqa: E402

VERSION = release_notes.project_version((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")


class Version(unittest.TestCase):
    def test_the_changelog_has_a_section_of_this_version(self):
        self.assertTrue(release_notes.release_notes(CHANGELOG, VERSION))

    def test_the_commands_and_their_man_pages_state_it(self):
        for command in ("quartz-gen", "quartz-opt", "quartz-check"):
            done = subprocess.run([COMMANDS / command, "--version"], capture_output=True, text=True, check=True)
            self.assertIn(VERSION, done.stdout)
            page = (ROOT / f"share/man/man1/{command}.1").read_text(encoding="utf-8")
            self.assertIn(f'"quartz {VERSION}"', page)

    def test_no_other_file_states_a_version_of_its_own(self):
        for name in ("pyproject.toml", "CITATION.cff", "Dockerfile", "include/quartz/quartz.hpp"):
            self.assertNotRegex((ROOT / name).read_text(encoding="utf-8"), r'(?m)^version\s*[:=]|VERSION\s+"?\d')


class Notes(unittest.TestCase):
    def test_they_are_the_section_of_the_version(self):
        changelog = "# Changelog\n\n## Unreleased\n\nnew\n\n## 0.2.0 - 2026-12-01\n\ntwo\n\n## 0.1.0 - 2026-11-01\n\none\n"
        self.assertEqual(release_notes.release_notes(changelog, "0.2.0"), "two\n")
        self.assertEqual(release_notes.release_notes(changelog, "0.1.0"), "one\n")

    def test_a_version_without_a_section_or_a_date_is_no_release(self):
        for changelog in ("## Unreleased\n", "## 0.2.0\n\ntwo\n", "## 0.2.0 - soon\n\ntwo\n"):
            with self.assertRaises(ValueError, msg=changelog):
                release_notes.release_notes(changelog, "0.2.0")

    def test_a_tag_that_is_not_the_version_is_refused(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/release_notes.py", VERSION + "1"],
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn(VERSION, done.stderr)


class Wheels(unittest.TestCase):
    def test_there_is_one_for_every_interpreter(self):
        """From the version of wheel.py-api on, one wheel serves all interpreters; those before have their own."""
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        first = int(re.search(r'requires-python = ">=3\.(\d+)"', project)[1])
        stable = int(re.search(r'wheel\.py-api = "cp3(\d+)"', project)[1])
        built = re.search(r"python: \[(.*)\]", WORKFLOW)[1]
        self.assertEqual([f'"3.{minor}"' for minor in range(first, stable + 1)], built.split(", "))


class Image(unittest.TestCase):
    def test_it_has_the_libraries_of_the_commands(self):
        dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")[-1]
        listed = re.search(r"--no-install-recommends \\\n\s+(.*) \\\n", dockerfile)[1].split()
        provided = {"libc6", "libstdc++6", "libgcc-s1", *listed}
        for package in listed:
            done = subprocess.run(["dpkg-query", "--show", "--showformat=${Depends}", package],
                                  capture_output=True, text=True, check=True)  # fmt: skip
            provided |= {re.split(r"[ :(]", each.strip())[0] for each in re.split(r"[,|]", done.stdout)}
        needed = set()
        for command in ("quartz-gen", "quartz-opt", "quartz-check"):
            header = subprocess.run(["objdump", "--private-headers", COMMANDS / command],
                                    capture_output=True, text=True, check=True).stdout  # fmt: skip
            needed |= set(re.findall(r"NEEDED +(\S+)", header))
        found = subprocess.run(["dpkg-query", "--search", *(f"*/{library}" for library in needed)],
                               capture_output=True, text=True, check=True).stdout  # fmt: skip
        for library in needed:
            packages = set(re.findall(rf"^([^:\s]+)(?::\w+)?: .*/{re.escape(library)}$", found, re.M))
            self.assertTrue(packages & provided, f"a command needs {library} of {packages}")


if __name__ == "__main__":
    unittest.main()

"""Every reader of a file is fuzzed, and the folder fuzz/ follows from the lists of targets and of
experiments."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZ = ROOT / "fuzz"
DIFFERENTIAL = FUZZ / "differential"
SCRIPT = ROOT / "scripts/fuzz.sh"

# Declarations in headers that look like readers.
READER = re.compile(r"^\[\[nodiscard\]\] .*?\b((?:parse|load|open|replay)_\w+|read_\w+_file|decompressed)\(", re.M)
CLASS_THAT_READS = re.compile(r"^ +(?:explicit )?(\w+)\((?:const )?std::filesystem::path\b", re.M)

# Readers without a target of their own, and why.
WITHOUT_TARGET = {
    "read_text_file": "returns the bytes of a file as they are",
    "MappedFile": "maps the bytes of a file as they are",
    "FileLock": "reads nothing",
}


def rows():
    """Returns the rows of the list: name, dictionary, most bytes, readers."""
    text = (FUZZ / "targets.inc").read_text(encoding="utf-8")
    return [
        [part.strip().strip('"') for part in row.split(",", 3)]
        for row in re.findall(r"^QUARTZ_FUZZ_TARGET\((.*)\)$", text, re.M)
    ]


def experiments():
    """Returns the rows of the list of experiments: name, description."""
    text = (DIFFERENTIAL / "experiments/experiments.inc").read_text(encoding="utf-8")
    return re.findall(r'^QUARTZ_EXPERIMENT\((\w+), "(.*)"\)$', text, re.M)


def names(folder, suffix):
    return {path.stem for path in (FUZZ / folder).glob(f"*{suffix}")}


class Targets(unittest.TestCase):
    def test_the_list_has_a_source_for_each_row(self):
        listed = [row[0] for row in rows()]
        self.assertEqual(listed, sorted(listed))
        self.assertEqual(set(listed), names("targets", ".cpp"))

    def test_dictionaries_are_those_of_the_list(self):
        self.assertEqual({row[1] for row in rows()}, names("dictionaries", ".dict"))
        for path in (FUZZ / "dictionaries").glob("*.dict"):
            for line in path.read_text(encoding="ascii").splitlines():
                entry = r'#.*|"(?:[ !#-\[\]-~]|\\x[0-9a-f]{2})+"'
                self.assertRegex(line, rf"^(?:{entry})$", path.name)

    def test_regressions_belong_to_targets(self):
        folders = {path.name for path in (FUZZ / "regressions").glob("*")}
        names_of_experiments = {name for name, _ in experiments()}
        self.assertLessEqual(folders, {row[0] for row in rows()} | names_of_experiments)

    def test_the_script_lists_them(self):
        done = subprocess.run([SCRIPT, "--list"], capture_output=True, text=True, check=True)
        expected = rows() + [[name, "-", "-", description] for name, description in experiments()]
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)

    def test_the_script_refuses_what_it_does_not_know(self):
        for arguments in [[], ["soon"], ["1", "no-such-target"]]:
            done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, arguments)
        self.assertIn("openqasm", done.stderr)


class Experiments(unittest.TestCase):
    def test_the_list_has_a_source_for_each_row(self):
        sources = {path.stem for path in (DIFFERENTIAL / "experiments").glob("*.cpp")}
        self.assertEqual({name for name, _ in experiments()}, sources - {"experiment"})

    def test_the_simulator_and_the_generator_share_nothing_with_the_library(self):
        """An error in the library must not be able to hide itself."""
        own = {path.name for path in DIFFERENTIAL.iterdir() if path.is_dir()} - {"experiments"}
        files = [path for folder in own for path in (DIFFERENTIAL / folder).glob("*.?pp")]
        self.assertGreater(len(files), 10)
        for path in files:
            included = re.findall(r'^#include "(.*)"$', path.read_text(encoding="utf-8"), re.M)
            for header in included:
                self.assertIn(header.split("/")[0], own, path)


class Readers(unittest.TestCase):
    def readers_of_headers(self):
        found = set()
        for path in (ROOT / "include/quartz").rglob("*.hpp"):
            text = path.read_text(encoding="utf-8")
            found.update(READER.findall(text))
            found.update(CLASS_THAT_READS.findall(text))
        return found

    def test_every_reader_has_a_target(self):
        found = self.readers_of_headers()
        self.assertGreater(len(found), 10)
        listed = {reader for row in rows() for reader in row[3].split(", ")}
        self.assertEqual(found - listed, set(WITHOUT_TARGET))

    def test_every_listed_reader_exists(self):
        headers = "\n".join(path.read_text(encoding="utf-8")
                            for folder in ("include", "src")
                            for path in (ROOT / folder).rglob("*.hpp"))  # fmt: skip
        for row in rows():
            for reader in row[3].split(", "):
                self.assertRegex(headers, rf"\b{reader}\(", row[0])


if __name__ == "__main__":
    unittest.main()

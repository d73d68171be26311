"""CMakePresets.json, scripts/build.sh and the public workflow name the same presets and scripts."""

import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESETS = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
BUILD = (ROOT / "scripts/build.sh").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")


def configure_presets():
    return [each for each in PRESETS["configurePresets"] if not each.get("hidden")]


def tree_of(preset):
    """Returns the tree of a configure preset, which may be that of the preset it inherits from."""
    while "binaryDir" not in preset:
        preset = next(each for each in PRESETS["configurePresets"] if each["name"] == preset["inherits"])
    return preset["binaryDir"].removeprefix("${sourceDir}/")


def names(kind):
    return {each["name"] for each in PRESETS[kind] if not each.get("hidden")}


class Presets(unittest.TestCase):
    def test_cmake_reads_them(self):
        done = subprocess.run(["cmake", "--list-presets=all"], cwd=ROOT, capture_output=True,
                              text=True, check=True)  # fmt: skip
        for name in names("configurePresets"):
            self.assertIn(f'"{name}"', done.stdout)

    def test_every_one_can_be_built(self):
        self.assertEqual(names("buildPresets"), names("configurePresets"))
        self.assertLessEqual(names("testPresets"), names("configurePresets"))

    def test_options_exist(self):
        sources = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        for each in PRESETS["configurePresets"]:
            for option in each.get("cacheVariables", {}):
                if option.startswith("QUARTZ_"):
                    self.assertRegex(sources, rf"(option|set)\({option} ", each["name"])

    def test_the_build_script_lists_them_with_their_trees(self):
        listed = dict(re.findall(r"^#   ([a-z-]+) +(build[a-z-]*)/ ", BUILD, re.M))
        trees = {each["name"]: tree_of(each) for each in configure_presets()}
        self.assertEqual(listed, trees)
        accepted = re.search(r"^  (release \|.*)\) preset", BUILD, re.M)[1].split(" | ")
        self.assertEqual(set(accepted), names("configurePresets"))

    def test_an_unknown_preset_is_refused_with_the_list(self):
        done = subprocess.run([ROOT / "scripts/build.sh", "no-such-preset"], capture_output=True,
                              text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 2)
        for name in names("configurePresets"):
            self.assertIn(f"  {name} ", done.stderr)


class Workflow(unittest.TestCase):
    def test_scripts_and_presets_exist(self):
        scripts = re.findall(r"\./((?:scripts|\.ci)/[\w.]+)|python3 (\S+)", WORKFLOW)
        self.assertGreater(len(scripts), 6)
        for script in {first or second for first, second in scripts}:
            self.assertTrue((ROOT / script).exists(), script)
        used = set(re.findall(r"(?:build\.sh|--preset|preset:) ([a-z-]+)", WORKFLOW)) - {"tidy"}
        self.assertEqual(used, {"clang", "thread-sanitizer", "coverage", "cuda-compile-only"})
        self.assertLessEqual(used, names("configurePresets"))

    def test_suites_that_tests_are_chosen_by_exist(self):
        tests = ROOT / "tests"
        folders = {path.parent.name for path in tests.rglob("CMakeLists.txt")}
        chosen = re.findall(r"-regex '\^\(([\w|]+)\)", WORKFLOW)
        chosen.append(re.search(r"--exclude-regex '\^\(([\w|]+)",
                                (ROOT / "scripts/coverage.sh").read_text(encoding="utf-8"))[1])  # fmt: skip
        self.assertEqual(len(chosen), 3)
        for suites in chosen:
            self.assertLessEqual(set(suites.split("|")), folders)

    def test_extra_packages_have_their_list(self):
        packages = (ROOT / "scripts/install_packages.sh").read_text(encoding="utf-8")
        extras = set(re.findall(r"^  \[(\w+)\]=", packages, re.M))
        asked = set(re.findall(r"install_packages\.sh (\w+)$|packages: (\w+)$", WORKFLOW, re.M))
        by_tests = re.findall(r'install_packages\.sh" (\w+)$', (ROOT / "scripts/test.sh").read_text(encoding="utf-8"), re.M)
        self.assertEqual({first or second for first, second in asked} | set(by_tests), extras)


if __name__ == "__main__":
    unittest.main()

"""The figures of docs/benchmarks.json: each is stated once, and the pages show them as they are."""

import contextlib
import io
import json
import pathlib
import re
import tempfile
import unittest
from unittest import mock

from benchmarks import figure_imports, figures
from benchmarks.programs import ROOT, InvalidInput

PAGE = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs/how-to.md").read_text(encoding="utf-8")
# A number with a unit of a measurement.
FIGURE = re.compile(
    r"\d+(?:[.,]\d+)*\s?(?:%|ns\b|ms\b|s\b|min\b|[kMGT]?B\b|[KMG]iB\b|[MG]\b|[MG]/s|million|billion)"
)

SMALL = {
    "format": figures.FORMAT,
    "defaults": {"date": "today", "commit": "c", "machine": "m", "source": "s"},
    "measurements": [
        {
            "name": "speed",
            "command": "run `it` now",
            "conditions": "With care.",
            "bold": "ours",
            "columns": [
                {"key": "program", "title": ""},
                {"key": "rate", "title": "rate", "format": "{:.1f} M", "scale": 1e6},
                {"key": "change", "title": "change", "format": "{:+.1f}%"},
            ],
            "rows": [
                {"program": "ours", "rate": 2.55e6, "change": -3},
                {"program": "theirs", "change": {"value": 4, "format": "{} times"}},
            ],
        }
    ],
}
BLOCK = "before\n<!-- figures: speed -->\nold\n<!-- end of figures -->\nafter\n"


def without_blocks_and_code(text):
    """The text that a person wrote: without generated blocks and without code."""
    text = figures.BLOCK.sub("", text)
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


def changed(**entries):
    document = json.loads(json.dumps(SMALL))
    document["measurements"][0] |= entries
    return document


class Pages(unittest.TestCase):
    def test_the_pages_show_the_current_figures(self):
        document = figures.read()
        for page in figures.PAGES:
            text = page.read_text(encoding="utf-8")
            same = figures.rendered(text, document) == text
            self.assertTrue(same, f"{page.name}: run scripts/bench.py figures")

    def test_every_measurement_is_on_the_page_of_benchmarks_once(self):
        names = [each["name"] for each in figures.read()["measurements"]]
        self.assertEqual(sorted(figures.names_in(PAGE)), sorted([*names, "defaults"]))

    def test_no_figure_is_stated_anywhere_else_on_the_pages(self):
        results = README.split("## Results\n", 1)[1].split("\n## ", 1)[0]
        for text in (PAGE, results, HOW_TO):
            self.assertEqual(FIGURE.findall(without_blocks_and_code(text)), [])

    def test_the_file_is_as_it_is_written(self):
        text = figures.FIGURES.read_text(encoding="utf-8")
        self.assertEqual(figures.to_json(json.loads(text)), text)

    def test_scripts_in_commands_exist(self):
        for each in figures.read()["measurements"]:
            for script in re.findall(r"scripts/\S+", each.get("command", "")):
                self.assertTrue((ROOT / script).exists(), f"{each['name']}: {script}")


class Finder(unittest.TestCase):
    """The checks above find what they are for."""

    def test_figures_in_prose_are_found_but_not_those_in_blocks_and_code(self):
        for text in ("in 24 s", "by -40.2%", "48 MB", "8.24 G classes", "1.8 million"):
            self.assertTrue(FIGURE.search(without_blocks_and_code(text)), text)
        for text in ("`--time 10s`", "level 10", "64 bits", "cost 7", "26 circuits", "gpi2, ms",
                     "<!-- figures: a -->\n24 s\n<!-- end of figures -->"):  # fmt: skip
            self.assertFalse(FIGURE.search(without_blocks_and_code(text)), text)

    def test_what_is_stated_twice_is_found(self):
        twice = changed()
        twice["measurements"] *= 2
        self.assertIn("speed: two measurements with this name", list(figures.problems_of(twice)))
        rows = [{"program": "a", "rate": 1}, {"program": "a", "rate": 2}]
        self.assertEqual(list(figures.problems_of(changed(rows=rows))), ["speed: two rows of 'a'"])

    def test_a_figure_without_its_origin_is_found(self):
        self.assertEqual(list(figures.problems_of(SMALL)), [])
        self.assertEqual(list(figures.problems_of(changed(command="", conditions=""))),
                         ["speed: neither a command nor the conditions"])  # fmt: skip
        document = changed()
        document["defaults"]["date"] = ""
        self.assertEqual(list(figures.problems_of(document)), ["speed: no date"])
        self.assertEqual(list(figures.problems_of(changed(rows=[{"program": "a", "size": 1}]))),
                         ["speed: 'size' is not a column"])  # fmt: skip


class Rendering(unittest.TestCase):
    TABLE = (
        "| | rate | change |\n|---|---|---|\n"
        "| **ours** | 2.5 M | -3.0% |\n| theirs | | 4 times |\n"
    )

    def test_a_block_has_the_table_and_how_it_was_measured(self):
        self.assertEqual(
            figures.rendered(BLOCK, SMALL),
            "before\n<!-- figures: speed -->\n" + self.TABLE + "\nWith care.\n\n"
            "```\nrun `it` now\n```\n<!-- end of figures -->\nafter\n",
        )

    def test_a_block_may_have_the_table_only(self):
        start = "<!-- figures: speed, table only -->\n"
        text = figures.rendered(start + "<!-- end of figures -->", SMALL)
        self.assertEqual(text, start + self.TABLE + "<!-- end of figures -->")

    def test_rendering_again_changes_nothing(self):
        once = figures.rendered(BLOCK, SMALL)
        self.assertEqual(figures.rendered(once, SMALL), once)

    def test_an_unknown_measurement_is_refused(self):
        with self.assertRaisesRegex(InvalidInput, "no measurement 'size'"):
            figures.rendered(BLOCK.replace("speed", "size"), SMALL)

    def test_what_differs_from_the_defaults_is_told(self):
        text = figures.provenance_text(changed(machine="a GPU", date="later")["measurements"][0])
        self.assertTrue(text.startswith("With care. Machine: a GPU. Date: later.\n"), text)

    def test_code_is_not_broken_by_wrapping(self):
        self.assertEqual(figures.wrapped("one `two three` four", 12), "one\n`two three`\nfour")


class Imports(unittest.TestCase):
    """New figures from results files."""

    ORIGIN = {
        "date": "2026-11-22T15:10:54+00:00",
        "commit": "abc",
        "machine": {"cores": 2, "processor": "some processor"},
    }

    def updated(self, name, results):
        measurement = next(m for m in figures.read()["measurements"] if m["name"] == name)
        return measurement, figure_imports.updated(measurement, self.ORIGIN | results)

    def test_every_importer_has_its_measurement(self):
        names = {each["name"] for each in figures.read()["measurements"]}
        self.assertLessEqual(set(figure_imports.IMPORTERS), names)

    def test_rows_are_replaced_and_what_the_file_does_not_have_stays(self):
        stats = {"circuits_enumerated": 1, "classes_enumerated": 2, "proofs_proved": 3, "rules": 4,
                 "seconds": {"total": 0.0789}, "peak_memory_bytes": 48e6}  # fmt: skip
        before, after = self.updated("rule_generation_nam", {"sizes": {"3,3": stats}})
        self.assertEqual(after["rows"][0], {
            "size": "(3,3)", "circuits": 1, "classes": 2, "proofs": 3, "rules": 4, "seconds": 0.079,
            "memory": "48 MB", "original": before["rows"][0]["original"]})  # fmt: skip
        self.assertEqual(after["rows"][1:], before["rows"][1:])
        self.assertEqual((after["date"], after["commit"]), ("22 November 2026", "abc"))
        self.assertEqual(after["machine"], "2 cores of some processor")
        self.assertEqual(after["command"], before["command"])

    def test_results_of_circuits(self):
        reduction = {"total": 0.402, "two_qubit": 0.383, "t": 0.468, "depth": -0.005}
        line = {"reduction": reduction, "mean_seconds": 44.8}
        results = {"runs": {"quartz 1s": {"budget_seconds": 1}, "quartz 60s": {"budget_seconds": 60},
                            "tzap": {}},
                   "packages": {"tzap": "0.8.0"},
                   "summary": {"quartz 1s": line, "quartz 60s": line, "tzap": line}}  # fmt: skip
        _, after = self.updated("nam_suite", results)
        self.assertEqual([row["program"] for row in after["rows"]][:3],
                         ["quartz-opt --time 60s", "quartz-opt --time 1s", "tzap 0.8.0 -O3"])  # fmt: skip
        self.assertEqual(after["rows"][0] | {"program": ""}, {
            "program": "", "total": -40.2, "two_qubit": -38.3, "t": -46.8, "depth": 0.5,
            "seconds": 45})  # fmt: skip

    def test_results_of_gate_sets(self):
        sets = [{"gate_set": "iqm", "circuits": 5, "two_qubit": 7, "qiskit_two_qubit": 9,
                 "qiskit_permuted_two_qubit": 8, "fewer": 3, "more": [4]}]  # fmt: skip
        _, after = self.updated("native_gate_sets", {"sets": sets})
        self.assertEqual(after["rows"][0], {"gate_set": "`iqm`", "quartz": 7, "qiskit": 9,
                                            "qiskit_permuted": 8})  # fmt: skip
        _, after = self.updated("native_gate_sets_circuits", {"sets": sets})
        self.assertEqual(after["rows"], [{"what": "all gate sets", "circuits": 5, "fewer": 3,
                                          "equal": 1, "more": 1}])  # fmt: skip

    def test_results_of_checkers(self):
        def pair(are_equal, ours, theirs):
            verdicts = {"quartz-check": ours, "pyzx": theirs}
            return {"are_equal": are_equal,
                    "verdicts": {name: {"verdict": verdict, "seconds": seconds}
                                 for name, (verdict, seconds) in verdicts.items()}}  # fmt: skip

        equal, different, undecided = "equivalent", "not equivalent", "undecided: out of time"
        pairs = [pair(True, (equal, 0.1), (equal, 1.0)), pair(True, (equal, 0.1), (undecided, 60)),
                 pair(True, (equal, 0.1), (equal, 40.0)), pair(False, (different, 0.1), (equal, 1.0))]  # fmt: skip
        _, after = self.updated("checkers", {"pairs": pairs})
        self.assertEqual(after["rows"][0], {"checker": "`quartz-check`", "equal": "3 of 3",
                                            "different": "1 of 1", "wrong": 0, "time": "1"})  # fmt: skip
        self.assertEqual([row for row in after["rows"] if row["checker"] == "PyZX"], [
            {"checker": "PyZX", "equal": "2 of 3", "different": "0 of 1", "wrong": 1, "time": "63"}])  # fmt: skip

    def test_circuits_without_a_column_are_refused(self):
        table = {"cost": 4, "classes": [1, 2], "bytes": 9, "seconds": {"build": 1},
                 "peak_memory_bytes": 1}  # fmt: skip
        runs = [{"gates_before": 137, "moves_per_second": 2.0}]
        with self.assertRaisesRegex(InvalidInput, "no column for 'moves_137'"):
            self.updated("class_tables", {"results": [{"table": table, "circuits": runs}]})

    def test_an_unknown_measurement_is_refused(self):
        with self.assertRaisesRegex(InvalidInput, "'count_gpu': expected nam_suite"):
            figures.update("count_gpu", pathlib.Path("none"))


class Command(unittest.TestCase):
    def run_on(self, text, check):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            with (
                mock.patch.object(figures, "ROOT", pathlib.Path(folder)),
                mock.patch.object(figures, "PAGES", [page]),
                mock.patch.object(figures, "PICTURES", {}),
                mock.patch.object(figures, "read", lambda: SMALL),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                status = figures.run(mock.Mock(check=check, update=None))
            return status, page.read_text()

    def test_a_difference_fails_the_check_and_is_written_otherwise(self):
        self.assertEqual(self.run_on(BLOCK, check=True), (1, BLOCK))
        current = figures.rendered(BLOCK, SMALL)
        self.assertEqual(self.run_on(BLOCK, check=False), (0, current))
        self.assertEqual(self.run_on(current, check=True), (0, current))


if __name__ == "__main__":
    unittest.main()

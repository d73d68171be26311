"""The records: which circuits are kept, and that the files are those that the tables speak of."""

import argparse
import contextlib
import io
import hashlib
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from benchmarks import records
from benchmarks.programs import Failure, InvalidInput

HEADER = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\n'
ORIGINAL = HEADER + "cx q[0],q[1];\nh q[0];\nh q[0];\nrz(pi/4) q[0];\n"
SHORTER = HEADER + "cx q[0],q[1];\nrz(pi/4) q[0];\n"
KEY = ("pair", "nam", "total")


class Folder(unittest.TestCase):
    """Tests with a folder of originals and one of records, both temporary."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.original = self.folder / "originals/any_name.qasm"
        self.original.parent.mkdir()
        self.original.write_text(ORIGINAL)
        self.records = self.folder / "records"
        self.records.mkdir()
        suite = {
            "title": "Pairs",
            "source": {"repository": "https://example.org/pairs", "commit": "abc", "folder": "circuits"},
            "circuits": {
                "pair": {
                    "sha256": hashlib.sha256(ORIGINAL.encode()).hexdigest(),
                    "published": {"nam": {"total": {"value": 3, "source": "nobody"}}},
                }
            },
            "records": [],
        }
        (self.records / "pairs.json").write_text(json.dumps(suite))

    def suite(self):
        return records.read_suites(self.records)[0]

    def offer(self, text, verdicts, cost="total"):
        """Offers a circuit with a journal; each call of quartz-check has the next verdict."""
        circuit, journal = self.folder / "found.qasm", self.folder / "found.qj"
        circuit.write_text(text)
        journal.write_text("a journal")
        suite = self.suite()
        record = records.Record("pair", "nam", cost, records.measured_sizes(circuit, "nam"), {"command": "by hand"})
        with mock.patch.object(records, "prove_equal", side_effect=verdicts) as prove, contextlib.redirect_stdout(io.StringIO()):
            records.Keeper(suite).offer([record], self.original, circuit, journal)
        return prove.call_count


class Keeping(Folder):
    def test_a_better_circuit_is_kept_and_a_worse_one_is_not(self):
        self.assertEqual(self.offer(ORIGINAL, ["path sum"]), 1)
        self.assertEqual(self.suite().records[KEY].objectives, (4, 1))
        self.assertEqual(self.offer(SHORTER, ["path sum"]), 1)
        self.assertEqual(self.suite().records[KEY].objectives, (2, 1))
        self.assertEqual(self.suite().path(KEY, ".qasm").read_text(), SHORTER)
        self.assertEqual(self.offer(ORIGINAL, []), 0)  # not even checked
        self.assertEqual(self.suite().records[KEY].objectives, (2, 1))

    def test_a_journal_is_kept_where_nothing_else_proves_the_circuit(self):
        self.assertEqual(self.offer(ORIGINAL, [records.Undecided("no answer"), "replay"]), 2)
        self.assertEqual(self.suite().path(KEY, ".qj").read_text(), "a journal")
        self.offer(SHORTER, ["path sum"])
        self.assertFalse(self.suite().path(KEY, ".qj").exists())

    def test_a_circuit_that_differs_is_refused(self):
        with self.assertRaises(Failure):
            self.offer(SHORTER, [Failure("they differ")])
        with self.assertRaises(records.Undecided):
            self.offer(SHORTER, [records.Undecided("no answer"), records.Undecided("no answer")])
        self.assertEqual(self.suite().records, {})

    def test_the_most_important_measure_decides_first(self):
        self.offer(SHORTER, ["path sum"], cost="t")
        self.assertEqual(self.suite().records["pair", "nam", "t"].objectives, (1, 2))


class Verifying(Folder):
    def test_a_file_that_was_changed_is_found(self):
        self.offer(SHORTER, ["path sum"])
        suite = self.suite()
        with mock.patch.object(records, "prove_equal", return_value="path sum"):
            self.assertEqual(records.verify(suite, KEY, self.original), "path sum")
            suite.path(KEY, ".qasm").write_text(ORIGINAL)
            with self.assertRaisesRegex(Failure, "recorded"):
                records.verify(suite, KEY, self.original)
            suite.path(KEY, ".qasm").write_text(HEADER + "t q[0];\n")
            with self.assertRaisesRegex(Failure, "outside of the gate set nam"):
                records.verify(suite, KEY, self.original)

    def test_originals_are_found_by_their_digests(self):
        self.assertEqual(records.originals(self.original.parent, self.suite()), {"pair": self.original})
        self.original.write_text(ORIGINAL + "\n")
        with self.assertRaisesRegex(Failure, "no file has the digest of pair.*https://example.org/pairs at abc"):
            records.originals(self.original.parent, self.suite())

    def test_another_file_is_no_suite(self):
        (self.records / "pairs.json").write_text("{}")
        with self.assertRaisesRegex(InvalidInput, "not the file of a suite"):
            self.suite()


class Tables(Folder):
    def test_a_table_compares_with_the_published_figure(self):
        self.offer(SHORTER, ["path sum"])
        self.assertEqual(
            records.table(self.suite(), "nam")[2:],
            ["| pair | **2** (3) |  |  |",
             "| compared with published figures | 1 below, 0 equal, 0 above | 0 below, 0 equal, 0 above | 0 below, 0 equal, 0 above |"],
        )

    def test_the_page_has_the_tables_of_the_records(self):
        page = self.records / "README.md"
        page.write_text(f"Text.\n{records.TABLES} a program.\n\nan old table\n")
        self.offer(SHORTER, ["path sum"])
        with contextlib.redirect_stdout(io.StringIO()):
            records.run_table(argparse.Namespace(records=self.records))
        self.assertTrue(page.read_text().startswith(f"Text.\n{records.TABLES} a program.\n\n## Pairs: nam\n"))
        self.assertNotIn("an old table", page.read_text())


class TheRecordsOfThisRepository(unittest.TestCase):
    def test_every_file_has_the_sizes_that_are_recorded(self):
        suites = records.read_suites(records.RECORDS)
        self.assertGreater(len(suites), 0)
        for suite in suites:
            for key, record in suite.records.items():
                self.assertEqual(records.measured_sizes(suite.path(key, ".qasm"), key[1]), record.sizes, key)

    def test_every_file_belongs_to_a_record(self):
        for suite in records.read_suites(records.RECORDS):
            folder = suite.file.with_suffix("")
            known = {suite.path(key, suffix) for key in suite.records for suffix in (".qasm", ".qj")}
            self.assertEqual({path for path in folder.rglob("*") if path.is_file()} - known, set())

    def test_the_page_has_the_tables_of_the_records(self):
        page = (records.RECORDS / records.README).read_text(encoding="utf-8")
        self.assertEqual(records.with_tables(page, records.read_suites(records.RECORDS)), page)


if __name__ == "__main__":
    unittest.main()

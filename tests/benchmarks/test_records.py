"""The records: which circuits are kept, and that the files are those that the tables speak of."""

import argparse
import collections
import contextlib
import io
import hashlib
import itertools
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
            records.Keeper(suite).offer([record], self.original, circuit, records.Proof(None, journal))
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


    def test_a_large_circuit_is_kept_compressed(self):
        with mock.patch.object(records, "LARGEST_PLAIN_BYTES", len(SHORTER)):
            self.offer(ORIGINAL, ["path sum"])
            suite = self.suite()
            self.assertEqual(suite.circuit(KEY), suite.path(KEY, ".qasm.xz"))
            self.assertEqual(records.read_bytes(suite.circuit(KEY)).decode(), ORIGINAL)
            self.offer(SHORTER, ["path sum"])
            self.assertEqual([file.name for file in suite.circuit(KEY).parent.iterdir()], ["nam-total.qasm"])
            self.assertEqual(suite.circuit(KEY).read_text(), SHORTER)


class Verifying(Folder):
    def verify(self, key=KEY):
        return records.Verifier(self.suite(), {"pair": self.original}).verify(key)

    def test_a_file_that_was_changed_is_found(self):
        self.offer(SHORTER, ["path sum"])
        suite = self.suite()
        with mock.patch.object(records, "prove_equal", return_value="path sum"):
            self.assertEqual(self.verify(), "path sum")
            suite.path(KEY, ".qasm").write_text(ORIGINAL)
            with self.assertRaisesRegex(Failure, "recorded"):
                self.verify()
            suite.path(KEY, ".qasm").write_text(HEADER + "t q[0];\n")
            with self.assertRaisesRegex(Failure, "outside of the gate set nam"):
                self.verify()

    def test_a_compressed_circuit_is_given_to_quartz_check_as_it_was(self):
        with mock.patch.object(records, "LARGEST_PLAIN_BYTES", 10):
            self.offer(SHORTER, ["path sum"])
        given = []

        def check(command):
            given.append(pathlib.Path(command[-1]).read_text())
            return mock.Mock(returncode=records.EQUAL, stdout='{"method": "path sum"}')

        with mock.patch.object(records.programs, "call", side_effect=check):
            self.assertEqual(self.verify(), "path sum")
        self.assertEqual(given, [SHORTER])

    def test_a_circuit_of_two_records_is_proved_once(self):
        self.offer(SHORTER, ["path sum"], "total")
        for cost in ("two-qubit", "t"):
            self.assertEqual(self.offer(SHORTER, [], cost), 0)
        verifier = records.Verifier(self.suite(), {"pair": self.original})
        with mock.patch.object(records, "prove_equal", return_value="path sum") as prove:
            self.assertEqual([verifier.verify(("pair", "nam", cost)) for cost in records.COSTS], ["path sum"] * 3)
        self.assertEqual(prove.call_count, 1)

    def test_a_record_with_a_start_is_proved_in_two_steps(self):
        self.offer(ORIGINAL, ["path sum"])
        no_answer = records.Undecided("no answer")
        self.assertEqual(self.offer(SHORTER, [no_answer, "Pauli rotations"], cost="t"), 2)
        suite, key = self.suite(), ("pair", "nam", "t")
        self.assertEqual(suite.proof(key), records.Proof(suite.path(key, ".start.qasm")))
        with mock.patch.object(records, "prove_equal", side_effect=["path sum", "Pauli rotations"]) as prove:
            self.assertEqual(self.verify(key), "path sum, then Pauli rotations")
        pairs = [[path.read_text() for path in call.args[:2]] for call in prove.call_args_list]
        self.assertEqual(pairs, [[ORIGINAL, ORIGINAL], [ORIGINAL, SHORTER]])

    def test_one_suite_can_be_selected(self):
        (self.records / "others.json").write_text((self.records / "pairs.json").read_text())

        def chosen(name):
            settings = argparse.Namespace(records=self.records, suite=name)
            return [suite.file.name for suite in records.selected_suites(settings)]

        self.assertEqual(chosen(None), ["others.json", "pairs.json"])
        self.assertEqual(chosen("pairs"), ["pairs.json"])
        with self.assertRaisesRegex(Failure, "no suite is called triples: there are others, pairs"):
            chosen("triples")

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


# Larger circuits take seconds to read: their statements are counted instead, by their first words.
MOST_GATES_TO_READ = 20_000


def statements(circuit):
    """Counts the statements of a file that Quartz wrote, by their first words."""
    lines = records.read_bytes(circuit).decode().splitlines()
    return collections.Counter(line.split(maxsplit=1)[0].partition("(")[0] for line in lines if line)


class TheRecordsOfThisRepository(unittest.TestCase):
    def test_every_file_has_the_sizes_that_are_recorded(self):
        suites = records.read_suites(records.RECORDS)
        self.assertGreater(len(suites), 0)
        for suite in suites:
            for key, record in suite.records.items():
                if record.sizes["total"] <= MOST_GATES_TO_READ:
                    self.assertEqual(records.measured_sizes(suite.circuit(key), key[1]), record.sizes, key)

    def test_every_large_file_has_as_many_gates_as_are_recorded(self):
        gates = {"nam": {"h", "x", "rz", "cx"}, "ibm": {"rz", "sx", "x", "cx"}}
        for suite in records.read_suites(records.RECORDS):
            for key, record in suite.records.items():
                if record.sizes["total"] > MOST_GATES_TO_READ:
                    counts = statements(suite.circuit(key))
                    for header in ("OPENQASM", "include", "qreg", "//"):
                        counts.pop(header, None)
                    self.assertLessEqual(set(counts), gates[key[1]], key)
                    self.assertEqual(counts.total(), record.sizes["total"], key)
                    self.assertEqual(counts["cx"], record.sizes["two_qubit"], key)

    def test_every_circuit_has_a_record_for_each_gate_set_and_cost(self):
        for suite in records.read_suites(records.RECORDS):
            expected = set(itertools.product(suite.circuits, records.GATE_SETS, records.COSTS))
            self.assertEqual(set(suite.records), expected, suite.file.name)

    def test_no_circuit_is_in_two_suites(self):
        digests = [
            circuit["sha256"] for suite in records.read_suites(records.RECORDS) for circuit in suite.circuits.values()
        ]
        self.assertEqual(len(set(digests)), len(digests))

    def test_the_records_take_little_space(self):
        sizes = [path.stat().st_size for path in records.RECORDS.rglob("*") if path.is_file()]
        self.assertLess(sum(sizes), 6_000_000)

    def test_every_file_belongs_to_a_record(self):
        for suite in records.read_suites(records.RECORDS):
            folder = suite.file.with_suffix("")
            proofs = {key: suite.proof(key) for key in suite.records}
            known = {suite.circuit(key) for key in proofs} | {
                file for proof in proofs.values() for file in (proof.start, proof.journal)
            }
            self.assertEqual({path for path in folder.rglob("*") if path.is_file()} - known, set())

    def test_the_page_has_the_tables_of_the_records(self):
        page = (records.RECORDS / records.README).read_text(encoding="utf-8")
        self.assertEqual(records.with_tables(page, records.read_suites(records.RECORDS)), page)


if __name__ == "__main__":
    unittest.main()

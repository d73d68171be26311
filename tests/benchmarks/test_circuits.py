"""The benchmark `circuits`: what is run, and how outputs are checked later."""

import argparse
import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

from benchmarks import (
    checking,
    circuits,
    comparison,
    exporters,
    packages,
    peers,
    programs,
    rotation_peers,
)
from tests.benchmarks.documents import document, entry, result


class Arguments(unittest.TestCase):
    def test_durations(self):
        for text, seconds in {"30s": 30, "500ms": 0.5, "2min": 120, "7": 7}.items():
            self.assertEqual(programs.seconds_of(text), seconds)

    def test_budgets(self):
        self.assertEqual(circuits.budget_list("10s,100ms,1"), ["100ms", "1", "10s"])
        self.assertEqual(circuits.run_of("500ms"), circuits.run_of("0.5s"))
        for text in ("", "1s,,2s", "soon", "0s", "-1s"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                circuits.budget_list(text)

    def test_every_peer_has_a_required_package(self):
        of_peers = map(peers.package_of, peers.PEERS)
        of_others = {*exporters.PACKAGES, *comparison.PACKAGES, *rotation_peers.PACKAGES}
        needed = {"matplotlib", *of_peers, *of_others}
        self.assertEqual(set(packages.requirements()), needed)


class CheckingLater(unittest.TestCase):
    def test_unchecked_results_get_a_verdict_and_nothing_else(self):
        asked = []

        def check(_python, left, right):
            asked.append((left.name, right.name))
            return {"verdict": "equivalent", "checked_by": "qcec"}

        with tempfile.TemporaryDirectory() as folder:
            settings = argparse.Namespace(
                json=pathlib.Path(folder, "r.json"), work=pathlib.Path(folder, "work")
            )
            unchecked = result(50) | checking.NOT_CHECKED
            results = {"quartz 1s": unchecked, "tzap": result(60, "not equivalent")}
            runs = ("quartz 1s", "tzap")
            settings.json.write_text(json.dumps(document({"a": entry(results)}, runs)))
            with (
                mock.patch.object(checking, "check", check),
                mock.patch.object(programs, "require_commands"),
                mock.patch.object(packages, "make_venv"),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                checked = circuits.check_outputs(settings)
        self.assertEqual(asked, [("input.qasm", "quartz_1s.qasm")])
        self.assertEqual(checked["summary"]["quartz 1s"]["equivalent"], 1)
        self.assertAlmostEqual(checked["summary"]["quartz 1s"]["reduction"]["total"], 0.5)
        self.assertEqual(checked["summary"]["tzap"]["not_equivalent"], ["a"])


if __name__ == "__main__":
    unittest.main()

"""Means, comparisons and merging of results."""

import contextlib
import io
import math
import unittest

from benchmarks import ratios, reports, results
from tests.benchmarks.documents import FAILED, document, entry, result


class Averaging(unittest.TestCase):
    def reduction(self, *befores_and_results):
        circuits = {
            number: {"before": {"total": before}, "results": {"peer": after}}
            for number, (before, after) in enumerate(befores_and_results)
        }
        return results.reduction(circuits, "peer", "total")

    def test_geometric_mean(self):
        self.assertAlmostEqual(
            self.reduction((100, result(50)), (100, result(100))), 1 - math.sqrt(0.5)
        )

    def test_wrong_undecided_and_failed_results_count_as_no_reduction(self):
        for bad in (FAILED, result(1, "not equivalent"), result(1, "undecided")):
            self.assertEqual(self.reduction((10, bad)), 0)
            self.assertAlmostEqual(self.reduction((10, bad), (10, result(5))), 1 - math.sqrt(0.5))

    def test_circuits_of_size_zero(self):
        self.assertEqual(self.reduction((0, result(0))), 0)
        self.assertAlmostEqual(self.reduction((4, result(0))), 0.75)
        self.assertAlmostEqual(ratios.mean_reduction([(0.5, 0)], least=0.05), 0.9)


class Comparing(unittest.TestCase):
    def setUp(self):
        self.document = document(
            {
                "a": entry({"quartz 1s": result(50), "q": result(60), "p": result(40)},
                           {"best published": {"total": 50, "two_qubit": 90}}),
                "b": entry({"quartz 1s": result(70), "q": result(60, "undecided"), "p": FAILED},
                           {"best published": {"total": 80}}),
                "c": entry({"quartz 1s": result(5, "undecided"), "q": result(60), "p": result(60)},
                           {"best published": {"total": 90}}),
            },
            ["quartz 1s", "q", "p"], ["best published"],
        )  # fmt: skip
        self.comparisons = results.compare_all(self.document)["quartz 1s"]

    def words(self, rival, measure):
        found = self.comparisons[rival][measure]
        return [found[word] for word in ("better", "equal", "worse", "not_compared")]

    def test_only_verified_results_are_compared_and_the_others_are_listed(self):
        self.assertEqual(self.words("q", "total"), [["a"], [], [], ["b", "c"]])
        self.assertEqual(self.words("p", "total"), [[], [], ["a"], ["b", "c"]])
        self.assertAlmostEqual(self.comparisons["q"]["total"]["change"], 50 / 60 - 1, places=4)

    def test_the_best_peer(self):
        self.assertEqual(self.words(results.BEST_PEER, "total"), [[], [], ["a"], ["b", "c"]])

    def test_published_sizes_are_compared_in_their_measures(self):
        self.assertEqual(self.words("best published", "total"), [["b"], ["a"], [], ["c"]])
        self.assertEqual(self.words("best published", "two_qubit"), [[], [], ["a"], ["b", "c"]])
        self.assertNotIn("t", self.comparisons["best published"])

    def test_the_summary_lists_unsuccessful_results(self):
        summary = results.summarized(self.document)["summary"]
        self.assertEqual(summary["quartz 1s"]["undecided"], ["c"])
        self.assertEqual(summary["p"]["failed"], ["b"])
        self.assertEqual(summary["p"]["equivalent"], 2)

    def test_winners(self):
        self.assertEqual(reports.winners({"q": 3, "p": 2}), "p")
        self.assertEqual(reports.winners({"q": 2, "p": 2}), "all")
        self.assertEqual(reports.winners({"q": 2, "p": 2, "r": 3}), "q, p")

    def test_every_table_is_printed_and_every_exception_listed(self):
        for circuit in self.document["circuits"].values():
            for each in circuit["results"].values():
                if "after" in each:
                    each |= {"seconds": 1.0, "checked_by": "qcec"}
        self.document["left_out"]["d"] = "no bundled gate set has its gates {rxx}"
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            reports.show(results.summarized(self.document))
        for line in ("not measured: d: no bundled", "undecided: c: quartz 1s", "failed: b: p"):
            self.assertIn(line, text.getvalue())


class Merging(unittest.TestCase):
    def test_circuits_and_runs_measured_separately_are_merged(self):
        one = document({"b": entry({"quartz 1s": result(50)})}, ["quartz 1s"], parts=[1])
        two = document({"a": entry({"quartz 1s": result(70)}),
                        "b": entry({"quartz 0.1s": result(60)})},
                       ["quartz 1s", "quartz 0.1s"], parts=[1, 2])  # fmt: skip
        found = results.merged([one, two])
        self.assertEqual(list(found["circuits"]), ["a", "b"])
        self.assertEqual(set(found["circuits"]["b"]["results"]), {"quartz 1s", "quartz 0.1s"})
        self.assertEqual(results.quartz_runs(found), ["quartz 0.1s", "quartz 1s"])
        self.assertEqual(found["summary"]["quartz 0.1s"]["circuits"], 1)
        self.assertEqual(found["parts"], [1, 2])
        self.assertEqual(one["circuits"]["b"]["results"].keys(), {"quartz 1s"})

    def test_measurements_of_different_things_are_not_merged(self):
        one = document({"a": entry({})}, [])
        others = [
            one | {"cost": "t"},
            one | {"gate_set": "ibm"},
            document({"a": entry({}, before=9)}, []),
        ]
        for other in others:
            with self.assertRaises(ValueError):
                results.merged([one, other])


if __name__ == "__main__":
    unittest.main()

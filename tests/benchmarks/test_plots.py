"""The points and labels of the picture."""

import itertools
import unittest

from benchmarks import plots, results
from tests.benchmarks.documents import FAILED, document, entry, result


class Plotting(unittest.TestCase):
    def setUp(self):
        runs = {
            "quartz 1s": result(50) | {"seconds": 1.0, "whole_process_seconds": 1.2},
            "q": result(80) | {"seconds": 0.1},
            "p": FAILED,
        }
        published = {"best published": {"total": 40}, "rare": {"total": 20}}
        circuits = {
            "a": entry(runs, published),
            "b": entry(runs, {"best published": {"total": 40}}),
        }
        self.document = results.summarized(document(circuits, runs, ["best published", "rare"]))

    def assert_points(self, found, expected):
        self.assertEqual([(time, name) for time, _, name in found],
                         [(time, name) for time, _, name in expected])  # fmt: skip
        for (_, left, _), (_, right, _) in zip(found, expected, strict=True):
            self.assertAlmostEqual(left, right)

    def test_runs_are_plotted_at_the_time_they_took(self):
        ours = plots.points(self.document, results.quartz_runs(self.document))
        self.assert_points(ours, [(1.2, 50, "quartz 1s")])
        peers = plots.points(self.document, results.peer_runs(self.document))
        self.assert_points(peers, [(0.1, 20, "q")])  # p has no time

    def test_published_figures_state_their_number_of_circuits(self):
        self.assert_points(
            plots.published(self.document),
            [(None, 60, "best published"), (None, 80, "rare (1 of 2)")],
        )

    def test_labels_are_moved_apart(self):
        moved = plots.spread([1, 0, 1, 9], 2)
        self.assertAlmostEqual(sum(moved), 11)
        self.assertEqual([moved.index(each) for each in sorted(moved)], [1, 0, 2, 3])
        for below, above in itertools.pairwise(sorted(moved)):
            self.assertGreaterEqual(above - below, 2 - 1e-9)
        self.assertEqual(plots.spread([], 1), [])


if __name__ == "__main__":
    unittest.main()

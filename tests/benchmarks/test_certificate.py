"""What the benchmark `certificate` makes of the statistics of a run."""

import contextlib
import io
import unittest

from benchmarks import certificate


def stats(written=1000, uncertified=None, verified=True, check=0.5):
    return {
        "after": {"total": written},
        "uncertified": uncertified,
        "verified": verified,
        "checked": "equal (replay of 7 rewrites)",
        "stage_seconds": {"search": 59.5, "check": check},
    }


class Bars(unittest.TestCase):
    def faults(self, moves_ratio=None, **values):
        return certificate.run_of("a.qasm", stats(**values), 60, 2**20, moves_ratio).faults()

    def test_a_certified_best_circuit_meets_all(self):
        self.assertEqual(self.faults(), [])
        self.assertEqual(self.faults(moves_ratio=0.95), [])

    def test_a_circuit_may_be_one_percent_above_the_best(self):
        self.assertEqual(self.faults(written=1010, uncertified="total 1000"), [])
        self.assertEqual(len(self.faults(written=1011, uncertified="total 1000")), 1)

    def test_each_bar_is_named(self):
        found = self.faults(
            written=1100, uncertified="total 1000", verified=False, check=3.5, moves_ratio=0.8
        )
        self.assertEqual(len(found), 4)


class Report(unittest.TestCase):
    def test_the_table_has_what_was_found_and_written(self):
        runs = [
            certificate.run_of("a.qasm", stats(1010, "1000"), 60, 2**20, 0.93),
            certificate.run_of("b.qasm", stats(1200, "1000"), 60, 2**20),
        ]
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            faults = certificate.show(runs)
        self.assertEqual(faults, 1)
        self.assertIn("a.qasm    1000     1010   +1.0%   0.8%  -7.0%", text.getvalue())
        self.assertIn("not met: b.qasm: the circuit written is more than 1%", text.getvalue())


if __name__ == "__main__":
    unittest.main()

"""The circuits of the benchmark `products`, and what it and `passes` print."""

import contextlib
import io
import unittest

from benchmarks import pass_shares, products, qasm
from benchmarks.random_circuits import GATES_OF_TOFFOLI, RandomToffolis


def printed(show, *arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        count = show(*arguments)
    return count, text.getvalue()


class ChangedCircuits(unittest.TestCase):
    def test_every_circuit_has_a_changed_one(self):
        found = products.tasks()
        self.assertEqual(len(found), 2 * sum(map(len, products.BARS.values())))
        self.assertEqual(sum(task.is_changed for task in found), len(found) // 2)
        self.assertEqual({task.family for task in products.tasks("matrix")}, {"matrix_mult"})

    def test_a_change_renames_wires_between_cnots(self):
        plain, task = (products.Task("polynomial_mult", 3, changed, 6) for changed in (False, True))
        circuit = task.circuit()
        self.assertEqual(circuit, task.circuit())
        names = [each.name for each in circuit.statements]
        cnots = ["cx"] * (products.CNOTS_PER_WIRE * circuit.qubits)
        self.assertEqual(names, [*cnots, *["ccx"] * 9, *cnots])
        renamed = {}
        toffolis = [each for each in circuit.statements if each.name == "ccx"]
        for before, after in zip(plain.circuit().statements, toffolis, strict=True):
            for old, new in zip(before.qubits, after.qubits, strict=True):
                self.assertEqual(renamed.setdefault(old, new), new)
        self.assertEqual(set(renamed.values()), set(range(circuit.qubits)))
        self.assertTrue(any(old != new for old, new in renamed.items()))

    def test_a_random_circuit_has_the_gates_that_it_names(self):
        circuit = qasm.read(RandomToffolis(3000, 6, seed=3).to_qasm())
        counts = {name: 0 for name in qasm.gate_names(circuit)}
        for statement in circuit.statements:
            counts[statement.name] += 1
        gates = len(circuit.statements) + (GATES_OF_TOFFOLI - 1) * counts["ccx"]
        self.assertTrue(3000 <= gates < 3000 + GATES_OF_TOFFOLI)
        self.assertEqual(set(counts), {"ccx", "cx", "h", "s", "t", "tdg", "x"})


class Reports(unittest.TestCase):
    TASK = products.Task("matrix_mult", 2, False, 7)

    def found(self, counts, verified=True):
        stats = {
            "products": counts,
            "passes": [{"pass": "products", "seconds": 0.25}, {"pass": "anneal", "seconds": 9}],
            "after": {"total": 120},
            "verified": verified,
        }
        return products.found_of(self.TASK, stats)

    def test_a_circuit_meets_its_bar_only_with_a_proof(self):
        good = self.found({"before": 8, "after": 7})
        self.assertEqual((good.before, good.after, good.seconds), (8, 7, 0.25))
        self.assertTrue(good.meets_bar)
        bad = [self.found({"before": 8, "after": 8}), self.found(None),
               self.found({"before": 8, "after": 7}, verified=None)]  # fmt: skip
        self.assertFalse(any(each.meets_bar for each in bad))
        self.assertEqual(printed(products.show, [good, *bad])[0], 3)

    def test_shares_are_of_the_processor_time_of_the_process(self):
        stats = {
            "before": {"total": 50},
            "passes": [{"pass": "ranks", "processor_seconds": 0.1},
                       {"pass": "anneal", "processor_seconds": 1.5}],
        }  # fmt: skip
        share = pass_shares.share_of("a.qasm", 1, ["products", "ranks"], stats, 2.0)
        self.assertAlmostEqual(share.share, 0.05)
        self.assertEqual(printed(pass_shares.show, [share], None)[0], 0)
        self.assertEqual(printed(pass_shares.show, [share], 0.06)[0], 0)
        count, text = printed(pass_shares.show, [share], 0.03)
        self.assertEqual(count, 1)
        self.assertIn("not met: a.qasm, 1 s: 5.00%", text)


if __name__ == "__main__":
    unittest.main()

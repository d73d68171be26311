"""Rules for badger, the optimizer of tket, against the real package. Its interface is private, so its version is fixed."""

import importlib.util
import pathlib
import tempfile
import unittest

import quartz


@unittest.skipUnless(importlib.util.find_spec("tket"), "the package tket is not installed")
class Rules(unittest.TestCase):
    def test_badger_optimizes_with_them_and_the_result_is_equal(self):
        from pytket import Circuit
        from pytket.qasm import circuit_to_qasm_str
        from tket._tket.optimiser import BadgerOptimiser
        from tket._tket.state import CompilationState

        circuit = Circuit(2).H(0).H(1).CX(0, 1).H(0).H(1).CX(1, 0).Rz(0.25, 0).Rz(0.5, 0)
        rules = quartz.generate("nam", gates=3, qubits=2, threads=1).rules
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rules.json"
            path.write_text(rules.to_tket())
            state = CompilationState.from_tket1(circuit)
            BadgerOptimiser.compile_eccs(str(path), cost_fn="cx").optimise(state, timeout=2, max_circuit_count=200)
        better = state.to_tket1()
        self.assertLess(better.n_gates, circuit.n_gates)
        report = quartz.check(circuit_to_qasm_str(circuit), circuit_to_qasm_str(better))
        self.assertTrue(report, report)


if __name__ == "__main__":
    unittest.main()

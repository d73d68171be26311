"""What the benchmark scripts count and average: published figures rest on it."""

import argparse
import cmath
import math
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(pathlib.Path(__file__).parent)]

import bench  # noqa: E402
import bench_peers  # noqa: E402
import flat_qasm  # noqa: E402
from test_circuits import apply_gate, basis_state  # noqa: E402

TEXT = """
OPENQASM 2.0; include "qelib1.inc"; // a comment; with a semicolon
qreg a[2]; qreg b[1]; creg c[1];
h a[0]; /* h a[0]; */
rz(pi*-0.250000) b[0];
rz(3*pi/2) a[1];
rz(0.3) a[1];
barrier a, b;
cx a[1],b[0];
ccz a[0], a[1], b[0];
t b[0];
measure b[0] -> c[0];
"""


class Costs(unittest.TestCase):
    def test_a_list_is_judged_by_its_first_objective(self):
        self.assertEqual(bench.first_cost("t,two-qubit"), ("t", None))
        self.assertEqual(bench.first_cost("two-qubit,x.json")[0], "two_qubit")
        self.assertEqual(bench.first_cost("costs/x.json,t"), ("total", None))

    def test_what_is_neither_a_name_nor_a_file_is_refused(self):
        file = str(ROOT / "costs/example_weights.json")
        self.assertEqual(bench.cost_argument(f"t,{file}"), f"t,{file}")
        for text in ("", "beauty", "t,,depth", "none.json"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                bench.cost_argument(text)


class Counting(unittest.TestCase):
    def test_counts(self):
        circuit = flat_qasm.read(TEXT)
        self.assertEqual(circuit.qubits, 3)
        self.assertEqual(
            flat_qasm.counts(circuit), {"total": 7, "two_qubit": 2, "t": 3, "depth": 5}
        )
        self.assertEqual(circuit.statements[-1], flat_qasm.Statement("measure", (), (2,), "c[0]"))

    def test_what_is_written_reads_back(self):
        text = TEXT.replace("ccz a[0], a[1], b[0];", "")
        circuit = flat_qasm.read(text)
        self.assertEqual(flat_qasm.read(flat_qasm.write(circuit)), circuit)

    def test_what_is_not_understood_is_refused(self):
        for line in ("h a;", "if(c==1) x a[0];", "gate g q { h q; }", "h d[0];", "h a[2];"):
            with self.subTest(line), self.assertRaises(ValueError):
                flat_qasm.read(f"qreg a[2]; creg c[1]; {line}")
        with self.assertRaises(ValueError):
            flat_qasm.angle_value("__import__('os')")

    def test_angles(self):
        for text, value in {"-pi/4": -math.pi / 4, "2^3*pi": 8 * math.pi, "1e-3+1": 1.001}.items():
            self.assertAlmostEqual(flat_qasm.angle_value(text), value)

    def test_decompositions_into_nam_are_equal_up_to_a_phase(self):
        for name in flat_qasm.IN_NAM:
            qubits = {"cc": 3, "cz": 2, "sw": 2}.get(name[:2], 1)
            wires = tuple(range(qubits))
            statements = [flat_qasm.Statement(name, (), wires)]
            in_nam = flat_qasm.in_nam(flat_qasm.FlatCircuit(qubits, {}, statements))
            phases = []
            for index in range(2**qubits):
                found = basis_state(qubits, index)
                for statement in in_nam.statements:
                    angle = flat_qasm.angle_value(statement.angles[0]) if statement.angles else None
                    found = apply_nam_gate(found, statement.name, angle, statement.qubits)
                expected = apply_textbook_gate(qubits, index, name)
                overlap = sum(
                    left.conjugate() * right for left, right in zip(expected, found, strict=True)
                )
                self.assertAlmostEqual(abs(overlap), 1, msg=name)
                phases.append(overlap)
            for phase in phases:
                self.assertAlmostEqual(phase, phases[0], msg=name)


def apply_nam_gate(amplitudes, name, angle, wires):
    if name == "rz":
        return [
            amplitude * cmath.exp(0.5j * angle * (1 if index >> wires[0] & 1 else -1))
            for index, amplitude in enumerate(amplitudes)
        ]
    return apply_gate(amplitudes, name, angle, wires)


def apply_textbook_gate(qubits, index, name):
    """The gate's column for a basis state."""
    column = basis_state(qubits, index)
    phases = {"z": 1, "s": 1 / 2, "sdg": -1 / 2, "t": 1 / 4, "tdg": -1 / 4, "cz": 1, "ccz": 1}
    if name in phases:
        if index == 2**qubits - 1:
            column[index] = cmath.exp(1j * math.pi * phases[name])
        return column
    return apply_gate(column, name, None, tuple(range(qubits)))


class Averaging(unittest.TestCase):
    @staticmethod
    def circuit(before, after, verdict="equivalent"):
        result = {"after": {"total": after}, "verdict": verdict}
        return {"before": {"total": before}, "results": {"quartz": result}}

    def reduction(self, *circuits):
        return bench.reduction(dict(enumerate(circuits)), "quartz", "total")

    def test_geometric_mean(self):
        self.assertAlmostEqual(self.reduction(self.circuit(100, 50), self.circuit(100, 100)),
                               1 - math.sqrt(0.5))  # fmt: skip

    def test_a_wrong_undecided_or_failed_result_is_no_reduction(self):
        failed = {"before": {"total": 10}, "results": {"quartz": {"failed": "a crash"}}}
        self.assertEqual(self.reduction(failed), 0)
        for verdict in ("not equivalent", "undecided"):
            self.assertEqual(self.reduction(self.circuit(10, 1, verdict)), 0)

    def test_nothing_before_and_nothing_after(self):
        self.assertEqual(self.reduction(self.circuit(0, 0)), 0)
        self.assertAlmostEqual(self.reduction(self.circuit(4, 0)), 0.75)

    def test_durations(self):
        for text, seconds in {"30s": 30, "500ms": 0.5, "2min": 120, "7": 7}.items():
            self.assertEqual(bench.seconds_of(text), seconds)

    def test_every_peer_has_its_package(self):
        self.assertEqual(set(bench.requirements()), {"mqt.qcec", *bench_peers.PEERS})


if __name__ == "__main__":
    unittest.main()

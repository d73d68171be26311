"""The comparison of checkers: what a near miss is, and what counts as a mistake."""

import math
import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from benchmarks import checkers, qasm
from benchmarks.checking import EQUIVALENT, NOT_EQUIVALENT, UNDECIDED

CIRCUIT = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
h q[0];
cx q[0],q[1];
rz(pi) q[1];
rz(pi/4) q[1];
"""


class NearMisses(unittest.TestCase):
    def test_a_rotation_is_turned_unless_its_direction_does_not_matter(self):
        for seed in range(10):
            changed = checkers.nearly(qasm.read(CIRCUIT), seed)
            angles = [qasm.angle_value(each.angles[0]) for each in changed.statements if each.name == "rz"]
            self.assertEqual(angles, [math.pi, -math.pi / 4])

    def test_without_such_a_rotation_a_gate_is_missing(self):
        circuit = qasm.read(CIRCUIT.replace("rz(pi/4)", "rz(-pi)"))
        self.assertEqual(len(checkers.nearly(circuit, 1).statements), len(circuit.statements) - 1)

    def test_the_seed_decides(self):
        circuit = qasm.read(CIRCUIT + "".join(f"rz(pi/{n}) q[0];\n" for n in range(3, 20)))
        found = {str(checkers.nearly(circuit, seed).statements) for seed in range(20)}
        self.assertGreater(len(found), 5)
        self.assertEqual(checkers.nearly(circuit, 3), checkers.nearly(circuit, 3))


class Verdicts(unittest.TestCase):
    def test_cells_say_what_was_decided_and_how_long_it_took(self):
        self.assertEqual(checkers.Verdict(EQUIVALENT, 0.1234).text(), "equal 0.12 s")
        self.assertEqual(checkers.Verdict(NOT_EQUIVALENT, 2).text(), "different 2.00 s")
        self.assertEqual(checkers.Verdict(f"{UNDECIDED}: no answer", 60.2).text(), "- (60 s)")

    def test_a_checker_that_fails_is_undecided(self):
        pair = checkers.Pair("p", pathlib.Path("a"), pathlib.Path("b"), True)
        with mock.patch.object(checkers, "last_line_as_json", side_effect=checkers.Failure("no memory")):
            found = checkers.verdict_of("qcec", pathlib.Path("python3"), pair, 1.0)
        self.assertEqual(found.verdict, f"{UNDECIDED}: no memory")


if __name__ == "__main__":
    unittest.main()

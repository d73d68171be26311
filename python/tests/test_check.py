"""quartz.check."""

import cmath
import unittest

import quartz

import sample_circuits as circuits

HEADER = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; '


class Check(unittest.TestCase):
    def test_programs_of_which_only_one_measures(self):
        gates = "OPENQASM 3.0; include \"stdgates.inc\"; qubit q; bit c; h q;"
        for pair in ((gates + "c = measure q;", gates), (gates, gates + "c = measure q;")):
            self.assertEqual(quartz.check(*pair, program=True).verdict, "not equal")

    def test_what_an_undecided_check_lacked(self):
        opaque = "OPENQASM 2.0; opaque mystery a; qreg q[1]; mystery q[0];"
        plain = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[1]; h q[0];"
        self.assertEqual(quartz.check(opaque, plain, time=0).lacked, "time")
        self.assertIsNone(quartz.check(opaque, plain).lacked)
        self.assertIsNone(quartz.check(plain, plain).lacked)

    def test_equal(self):
        report = quartz.check(HEADER + "h q[0]; cx q[0],q[1]; h q[0];", HEADER + "h q[1]; cx q[1],q[0]; h q[1];")
        self.assertEqual(report.verdict, "equal")
        self.assertTrue(report)
        self.assertEqual(report.distance, 0)
        self.assertTrue(report.method)
        self.assertIn("equal", str(report))
        self.assertIn("<td>verdict</td><td>equal</td>", report._repr_html_())

    def test_equal_up_to_a_phase(self):
        report = quartz.check(HEADER + "rz(pi/2) q[0];", HEADER + "s q[0];")
        self.assertEqual(report.verdict, "equal up to global phase")
        self.assertAlmostEqual(report.phase, cmath.pi / 4)
        self.assertTrue(report)

    def test_not_equal_has_a_witness(self):
        report = quartz.check(HEADER + "x q[0];", HEADER + "x q[1];")
        self.assertEqual(report.verdict, "not equal")
        self.assertFalse(report)
        self.assertTrue(report.witness)

    def test_other_names_are_noted(self):
        report = quartz.check(HEADER + "x q[0];", 'OPENQASM 2.0; include "qelib1.inc"; qreg r[2]; x r[0];')
        self.assertTrue(report)
        self.assertTrue(report.notes)

    def test_assumptions(self):
        head = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[1];'
        left, right = head + "cx q[0],q[1]; cz q[0],q[1]; measure q[1] -> c[0];", head + "measure q[1] -> c[0];"
        self.assertFalse(quartz.check(left, right))
        self.assertTrue(quartz.check(left, right, program=True))
        self.assertTrue(quartz.check(left, right, initial_state="zero"))
        self.assertFalse(quartz.check(left, right, final_state="discarded"))
        with self.assertRaises(quartz.UsageError):
            quartz.check(left, right, initial_state="one")

    def test_ancillas(self):
        head = 'OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; '
        gadget = head + (
            "qreg a[1]; creg c[1]; h a[0]; cz q[0],a[0]; h q[0]; measure q[0] -> c[0]; if (c == 1) x a[0]; "
            "if (c == 1) x q[0]; cx a[0],q[0]; cx q[0],a[0];"
        )
        self.assertTrue(quartz.check(head + "h q[0];", gadget, ancillas=True))
        self.assertFalse(quartz.check(head + "h q[0];", gadget.replace("x a", "z a"), ancillas=True))
        self.assertFalse(quartz.check(head + "h q[0];", gadget))
        with self.assertRaises(TypeError):
            quartz.check(head + "h q[0];", gadget, ancillas=1)
        with self.assertRaisesRegex(quartz.UsageError, '^ancillas cannot be combined with permutation="free": '):
            quartz.check(head + "h q[0];", gadget, ancillas=True, permutation="free")
        with self.assertRaisesRegex(quartz.UsageError, "with program, initial_state and final_state: "):
            quartz.check(head + "h q[0];", gadget, ancillas=True, initial_state="zero")

    def test_bad_input_names_the_argument(self):
        with self.assertRaisesRegex(TypeError, "right"):
            quartz.check(circuits.MEASURED, None)
        with self.assertRaises(quartz.InputError):
            quartz.check(circuits.MEASURED, "qreg q[;")


if __name__ == "__main__":
    unittest.main()

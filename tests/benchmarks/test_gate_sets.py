"""Which circuits are in a gate set, and what the other optimizers are given for it."""

import unittest

from benchmarks import gate_sets, peers, qasm


class GateSets(unittest.TestCase):
    def setUp(self):
        self.bundled = gate_sets.bundled()

    def fitting(self, statements):
        circuit = qasm.read(f"qreg q[2]; {statements}")
        return gate_sets.fitting(circuit, self.bundled).name

    def test_a_circuit_gets_the_smallest_gate_set_with_its_gates(self):
        self.assertEqual(self.fitting("rz(0.1) q[0]; sx q[0]; cx q[0],q[1];"), "ibm")
        self.assertEqual(self.fitting("rx(-3*pi/2) q[0]; cz q[0],q[1]; barrier q;"), "rigetti")
        self.assertEqual(self.fitting("t q[0];"), "clifford_t")

    def test_a_circuit_in_no_gate_set_or_several_is_reported(self):
        with self.assertRaisesRegex(LookupError, "{cz, ry}"):
            self.fitting("ry(0.1) q[0]; cz q[0],q[1];")
        with self.assertRaisesRegex(LookupError, "in ibm and nam: choose one"):
            self.fitting("rz(0.1) q[0]; cx q[0],q[1];")

    def test_the_first_gate_outside_the_set_is_named(self):
        rigetti = gate_sets.load("rigetti")
        inside = "rx(pi/2) q[0]; rx(-pi) q[0]; rz(0.3) q[0];"
        for outside in ("rx(0.1) q[0]", "h q[0]"):
            circuit = qasm.read(f"qreg q[1]; {inside} {outside};")
            self.assertEqual(rigetti.first_outside(circuit), outside.split()[0])
        self.assertIsNone(rigetti.first_outside(qasm.read(f"qreg q[1]; {inside}")))

    def test_ranges_of_angles_are_respected(self):
        fractional = gate_sets.load("ibm_heron_fractional")
        for angle, outside in (("pi/2", None), ("1e-3", None), ("-0.1", "rzz"), ("1.6", "rzz")):
            circuit = qasm.read(f"qreg q[2]; rx(-3) q[0]; rzz({angle}) q[0],q[1];")
            found = fractional.first_outside(circuit)
            self.assertEqual(found.split("(")[0] if found else None, outside)

    def test_peers_get_rotations_by_fixed_angles_as_named_gates(self):
        basis, written = peers.basis_of(gate_sets.load("rigetti"))
        self.assertEqual(basis, ["sx", "x", "rz", "cz"])
        text = peers.in_rotations("qreg q[1]; sx q[0]; rz(0.2) q[0]; x q[0];", written)
        found = qasm.read(text).statements
        self.assertEqual([(each.name, each.angles) for each in found],
                         [("rx", ("pi/2",)), ("rz", ("0.2",)), ("rx", ("pi",))])  # fmt: skip
        for name in ("nam", "ibm", "ibm_heron", "ibm_u", "clifford_t"):
            gate_set = gate_sets.load(name)
            self.assertEqual(peers.basis_of(gate_set), (list(gate_set.gates), {}))


if __name__ == "__main__":
    unittest.main()

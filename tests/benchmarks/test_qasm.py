"""Reading, counting and writing of flat OpenQASM: published figures rest on it."""

import cmath
import math
import unittest

from benchmarks import qasm
from tests.quality.test_circuits import apply_gate, basis_state

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


class Counting(unittest.TestCase):
    def test_counts(self):
        circuit = qasm.read(TEXT)
        self.assertEqual(circuit.qubits, 3)
        self.assertEqual(qasm.counts(circuit), {"total": 7, "two_qubit": 2, "t": 3, "depth": 5})
        self.assertEqual(circuit.statements[-1], qasm.Statement("measure", (), (2,), "c[0]"))

    def test_written_circuits_are_read_back(self):
        text = TEXT.replace("ccz a[0], a[1], b[0];", "")
        circuit = qasm.read(text)
        self.assertEqual(qasm.read(qasm.write(circuit)), circuit)

    def test_unsupported_statements_are_refused(self):
        for line in ("h a;", "if(c==1) x a[0];", "gate g q { h q; }", "h d[0];", "h a[2];"):
            with self.subTest(line), self.assertRaises(ValueError):
                qasm.read(f"qreg a[2]; creg c[1]; {line}")
        with self.assertRaises(ValueError):
            qasm.angle_value("__import__('os')")

    def test_angles(self):
        for text, value in {"-pi/4": -math.pi / 4, "2^3*pi": 8 * math.pi, "1e-3+1": 1.001}.items():
            self.assertAlmostEqual(qasm.angle_value(text), value)

    def test_decompositions_into_nam_are_equal_up_to_a_phase(self):
        for name in qasm.IN_NAM:
            qubits = {"cc": 3, "cz": 2, "sw": 2}.get(name[:2], 1)
            wires = tuple(range(qubits))
            statements = [qasm.Statement(name, (), wires)]
            in_nam = qasm.in_nam(qasm.FlatCircuit(qubits, {}, statements))
            phases = []
            for index in range(2**qubits):
                found = basis_state(qubits, index)
                for statement in in_nam.statements:
                    angle = qasm.angle_value(statement.angles[0]) if statement.angles else None
                    found = apply_nam_gate(found, statement.name, angle, statement.qubits)
                expected = apply_textbook_gate(qubits, index, name)
                overlap = sum(
                    left.conjugate() * right for left, right in zip(expected, found, strict=True)
                )
                self.assertAlmostEqual(abs(overlap), 1, msg=name)
                phases.append(overlap)
            for phase in phases:
                self.assertAlmostEqual(phase, phases[0], msg=name)

    def test_rotations_about_x_and_y_turn_as_far_as_they_say(self):
        angle = 0.7
        cosine, sine = math.cos(angle / 2), math.sin(angle / 2)
        for name, lower in {"rx": -1j * sine, "ry": sine}.items():
            rotation = qasm.Statement(name, (str(angle),), (0,))
            found = basis_state(1, 0)
            for statement in qasm.in_nam(qasm.FlatCircuit(1, {}, [rotation])).statements:
                value = qasm.angle_value(statement.angles[0]) if statement.angles else None
                found = apply_nam_gate(found, statement.name, value, statement.qubits)
            self.assertAlmostEqual(found[0], cosine, msg=name)
            self.assertAlmostEqual(found[1], lower, msg=name)


def apply_nam_gate(amplitudes, name, angle, wires):
    if name == "rz":
        return [
            amplitude * cmath.exp(0.5j * angle * (1 if index >> wires[0] & 1 else -1))
            for index, amplitude in enumerate(amplitudes)
        ]
    return apply_gate(amplitudes, name, angle, wires)


def apply_textbook_gate(qubits, index, name):
    """Returns the gate's column for a basis state."""
    column = basis_state(qubits, index)
    phases = {"z": 1, "s": 1 / 2, "sdg": -1 / 2, "t": 1 / 4, "tdg": -1 / 4, "cz": 1, "ccz": 1}
    if name in phases:
        if index == 2**qubits - 1:
            column[index] = cmath.exp(1j * math.pi * phases[name])
        return column
    return apply_gate(column, name, None, tuple(range(qubits)))


if __name__ == "__main__":
    unittest.main()

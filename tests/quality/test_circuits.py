"""Checks that scripts/make_circuits.py writes the bundled circuits, and that they are correct.

An independent simulator reads the QASM text: bits for the arithmetic families, amplitudes for the
others.
"""

import cmath
import math
import operator
import pathlib
import random
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import make_circuits  # noqa: E402

SEED = 20341


class Program:
    """The contents of a QASM file: registers as lists of qubits, and gates on qubits."""

    def __init__(self, text):
        self.registers = {}
        self.gates = []
        qubits = 0
        lines = [line for line in text.splitlines() if not line.startswith("//")]
        assert lines[:2] == ["OPENQASM 2.0;", 'include "qelib1.inc";']
        for line in lines[2:]:
            if match := re.fullmatch(r"qreg (\w+)\[(\d+)\];", line):
                size = int(match[2])
                self.registers[match[1]] = list(range(qubits, qubits + size))
                qubits += size
                continue
            match = re.fullmatch(r"(\w+)(?:\((-?)(?:(pi)/)?([.\d]+(?:e-\d+)?|pi)\))? (.*);", line)
            operands = re.findall(r"(\w+)\[(\d+)\]", match[5])
            angle = None
            if match[4]:
                number = math.pi if match[4] == "pi" else float(match[4])
                angle = (-1 if match[2] else 1) * (math.pi / number if match[3] else number)
            wires = tuple(self.registers[name][int(index)] for name, index in operands)
            assert len(set(wires)) == len(wires), line
            self.gates.append((match[1], angle, wires))
        self.qubits = qubits

    def load(self, **values):
        """Returns the basis state, as a bit set, with these values in the registers."""
        state = 0
        for name, value in values.items():
            for position, qubit in enumerate(self.registers.get(name, [])):
                state |= (value >> position & 1) << qubit
        return state

    def value(self, state, name):
        return sum(
            (state >> qubit & 1) << position
            for position, qubit in enumerate(self.registers.get(name, []))
        )

    def run_bits(self, state):
        for name, _, wires in self.gates:
            *controls, target = wires
            assert name == {0: "x", 1: "cx", 2: "ccx"}[len(controls)]
            if all(state >> control & 1 for control in controls):
                state ^= 1 << target
        return state

    def run_amplitudes(self, amplitudes):
        for name, angle, wires in self.gates:
            amplitudes = apply_gate(amplitudes, name, angle, wires)
        return amplitudes


def apply_gate(amplitudes, name, angle, wires):
    """Returns the amplitudes after a gate; bit q of an index is qubit q."""
    root = math.sqrt(0.5)
    changed = list(amplitudes)
    for index, amplitude in enumerate(amplitudes):
        bits = [index >> wire & 1 for wire in wires]
        flipped = index ^ 1 << wires[-1]
        if name == "h":
            changed[index] = root * (amplitudes[flipped] + (-amplitude if bits[0] else amplitude))
        elif name == "rx":
            changed[index] = (
                math.cos(angle / 2) * amplitude - 1j * math.sin(angle / 2) * amplitudes[flipped]
            )
        elif name in ("x", "cx", "ccx"):
            changed[index] = amplitudes[flipped] if all(bits[:-1]) else amplitude
        elif name == "cz":
            changed[index] = -amplitude if all(bits) else amplitude
        elif name == "cu1":
            changed[index] = amplitude * cmath.exp(1j * angle) if all(bits) else amplitude
        elif name == "rz":
            changed[index] = amplitude * cmath.exp((0.5j if bits[0] else -0.5j) * angle)
        elif name == "rzz":
            sign = 1 if bits[0] != bits[1] else -1
            changed[index] = amplitude * cmath.exp(sign * 0.5j * angle)
        elif name == "swap":
            other = index ^ (1 << wires[0] | 1 << wires[1]) if bits[0] != bits[1] else index
            changed[index] = amplitudes[other]
        else:
            raise AssertionError(f"the simulator knows no {name}")
    return changed


def evolved(state, hamiltonian, time):
    """Returns e^{-iHt} applied to a state, by its Taylor series; `hamiltonian` applies H."""
    result = term = state
    for order in range(1, 40):
        term = [-1j * time / order * value for value in hamiltonian(term)]
        result = [left + right for left, right in zip(result, term, strict=True)]
    return result


def basis_state(qubits, index):
    amplitudes = [0j] * 2**qubits
    amplitudes[index] = 1 + 0j
    return amplitudes


def program(family, size):
    found = next(entry for entry in make_circuits.FAMILIES if entry.name == family)
    return Program(make_circuits.qasm_of(found, size))


class BundledFiles(unittest.TestCase):
    def test_files_are_what_the_script_writes(self):
        written = dict(make_circuits.bundled_files())
        bundled = {path.name: path.read_bytes() for path in (ROOT / "circuits").glob("*.qasm")}
        self.assertEqual(sorted(written), sorted(bundled))
        for name, content in written.items():
            self.assertEqual(content.encode(), bundled[name], name)

    def test_every_family_has_a_row_in_the_readme(self):
        rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "circuits/README.md").read_text(), re.M)
        self.assertEqual(rows, [family.name for family in make_circuits.FAMILIES])

    def test_invalid_sizes_are_refused(self):
        for family in make_circuits.FAMILIES:
            with self.assertRaises(ValueError, msg=family.name):
                make_circuits.qasm_of(family, family.least_size - 1)


class Arithmetic(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)

    def assert_maps(self, circuit, before, after):
        state = circuit.run_bits(circuit.load(**before))
        found = {name: circuit.value(state, name) for name in circuit.registers}
        expected = {name: value for name, value in after.items() if name in circuit.registers}
        self.assertEqual(found, expected, f"from {before} (seed {SEED})")

    def test_toffoli_ladder_on_every_input(self):
        for size in range(1, 7):
            circuit = program("tof", size)
            for control in range(2**size):
                for target in (0, 1):
                    flip = control == 2**size - 1
                    self.assert_maps(
                        circuit,
                        {"control": control, "ancilla": 0, "target": target},
                        {"control": control, "ancilla": 0, "target": target ^ flip},
                    )

    def test_barenco_ladder_on_every_input_and_every_ancilla(self):
        for size in range(1, 6):
            circuit = program("barenco_tof", size)
            for state in range(2**circuit.qubits):
                flip = circuit.value(state, "control") == 2**size - 1
                target = circuit.load(target=1)
                self.assertEqual(circuit.run_bits(state), state ^ target if flip else state)

    def test_ladders_have_the_published_number_of_toffolis(self):
        for size in range(3, 12):
            self.assertEqual(len(program("tof", size).gates), 2 * size - 3)
            self.assertEqual(len(program("barenco_tof", size).gates), 4 * (size - 2))

    def test_cuccaro_adds(self):
        for size in (1, 2, 3, 8, 16):
            circuit = program("cuccaro_adder", size)
            for _ in range(200):
                a, b = (self.random.randrange(2**size) for _ in range(2))
                carry_in, carry_out = (self.random.randrange(2) for _ in range(2))
                total = a + b + carry_in
                self.assert_maps(
                    circuit,
                    {"a": a, "b": b, "carry_in": carry_in, "carry_out": carry_out},
                    {
                        "a": a,
                        "b": total % 2**size,
                        "carry_in": carry_in,
                        "carry_out": carry_out ^ total >> size,
                    },
                )

    def test_vbe_adds(self):
        for size in (1, 2, 3, 8, 16):
            circuit = program("vbe_adder", size)
            for _ in range(200):
                a, b = (self.random.randrange(2**size) for _ in range(2))
                self.assert_maps(
                    circuit, {"a": a, "b": b, "carry": 0}, {"a": a, "b": a + b, "carry": 0}
                )

    def test_multiplier_multiplies(self):
        for size in (2, 3, 4, 5, 8, 13, 16):
            circuit = program("gf2_mult", size)
            modulus = 1 << size | 1 | sum(1 << k for k in make_circuits.middle_exponents(size))
            for _ in range(100):
                a, b = (self.random.randrange(2**size) for _ in range(2))
                product, shifted = 0, a  # Russian peasant multiplication, in another order
                for i in range(size):
                    if b >> i & 1:
                        product ^= shifted
                    shifted <<= 1
                    if shifted >> size:
                        shifted ^= modulus
                self.assert_maps(circuit, {"a": a, "b": b, "c": 0}, {"a": a, "b": b, "c": product})

    def test_matrices_are_multiplied(self):
        for size in (1, 2, 3):
            circuit = program("matrix_mult", size)
            places = range(size * size)
            for _ in range(100):
                a, b, c = (self.random.randrange(2 ** (size * size)) for _ in range(3))
                columns = [[b >> (size * k + j) & 1 for k in range(size)] for j in range(size)]
                rows = [[a >> (size * i + k) & 1 for k in range(size)] for i in range(size)]
                product = sum(
                    sum(map(int.__mul__, rows[place // size], columns[place % size])) % 2 << place
                    for place in places
                )
                self.assert_maps(circuit, {"a": a, "b": b, "c": c}, {"a": a, "b": b, "c": c ^ product})

    def test_polynomials_are_multiplied(self):
        for size in (1, 2, 5, 9):
            circuit = program("polynomial_mult", size)
            for _ in range(100):
                a, b = (self.random.randrange(2**size) for _ in range(2))
                c = self.random.randrange(2 ** (2 * size - 1))
                product = 0
                for i in range(size):
                    product ^= (a << i) * (b >> i & 1)
                self.assert_maps(circuit, {"a": a, "b": b, "c": c}, {"a": a, "b": b, "c": c ^ product})

    def test_field_polynomials_are_the_known_ones(self):
        known = {2: [1], 4: [1], 5: [2], 8: [1, 3, 4], 10: [3], 16: [1, 3, 5], 32: [2, 3, 7],
                 64: [1, 3, 4], 128: [1, 2, 7], 163: [3, 6, 7]}  # fmt: skip
        for degree, exponents in known.items():
            self.assertEqual(make_circuits.middle_exponents(degree), exponents)

    def test_a_wrong_circuit_is_noticed(self):
        circuit = program("gf2_mult", 5)
        circuit.gates.pop(len(circuit.gates) // 2)
        with self.assertRaises(AssertionError):
            for a in range(32):
                self.assertEqual(circuit.value(circuit.run_bits(circuit.load(a=a, b=1)), "c"), a)
                self.assertEqual(circuit.value(circuit.run_bits(circuit.load(a=1, b=a)), "c"), a)


class Amplitudes(unittest.TestCase):
    def assert_close(self, found, expected, tolerance=1e-9):
        for index, (left, right) in enumerate(zip(found, expected, strict=True)):
            self.assertLess(abs(left - right), tolerance, f"amplitude {index}: {left}, {right}")

    def test_fourier_transform_of_every_basis_state(self):
        for size in (1, 2, 3, 4, 5):
            circuit = program("qft", size)
            dimension = 2**size
            for x in range(dimension):
                expected = [
                    cmath.exp(2j * math.pi * x * y / dimension) / math.sqrt(dimension)
                    for y in range(dimension)
                ]
                found = circuit.run_amplitudes(basis_state(size, x))
                self.assert_close(found, expected)

    def test_grover_finds_the_item_with_the_known_probability(self):
        for size in (2, 3, 4, 5):
            circuit = program("grover", size)
            found = circuit.run_amplitudes(basis_state(circuit.qubits, 0))
            rounds = make_circuits.grover_iterations(size)
            angle = math.asin(math.sqrt(1 / 2**size))
            wanted = sum(1 << i for i in range(0, size, 2))
            self.assertAlmostEqual(
                abs(found[wanted]) ** 2, math.sin((2 * rounds + 1) * angle) ** 2, places=9
            )
            self.assertGreater(abs(found[wanted]) ** 2, 0.9)

    def test_hidden_shift_ends_in_the_shift(self):
        for size in (2, 4, 6, 8, 10):
            circuit = program("hidden_shift", size)
            found = circuit.run_amplitudes(basis_state(size, 0))
            self.assertAlmostEqual(abs(found[sum(1 << i for i in range(0, size, 2))]), 1, places=9)

    def test_trotter_steps_follow_the_hamiltonian(self):
        size = 4
        circuit = program("ising", size)
        time = make_circuits.ISING_STEPS * make_circuits.ISING_TIME_STEP

        def hamiltonian(amplitudes):
            result = []
            for index, amplitude in enumerate(amplitudes):
                spins = [1 - 2 * (index >> i & 1) for i in range(size)]
                bonds = sum(spins[i] * spins[i + 1] for i in range(size - 1))
                flips = sum(amplitudes[index ^ 1 << i] for i in range(size))
                result.append(
                    -make_circuits.ISING_COUPLING * bonds * amplitude
                    - make_circuits.ISING_FIELD * flips
                )
            return result

        for start in range(2**size):
            exact = evolved(basis_state(size, start), hamiltonian, time)
            found = circuit.run_amplitudes(basis_state(size, start))
            # The first-order error is t^2 / (2 steps) times the norm of the commutator, which has 3
            # bonds of 2 ends each, and every end is at most 2 J h.
            commutator = 12 * make_circuits.ISING_COUPLING * make_circuits.ISING_FIELD
            bound = time**2 / (2 * make_circuits.ISING_STEPS) * commutator
            self.assert_close(found, exact, bound)

    def test_a_heisenberg_step_follows_the_hamiltonian(self):
        size = 4
        circuit = program("heisenberg", size)
        time = make_circuits.HEISENBERG_TIME_STEP
        fields = make_circuits.heisenberg_fields(size)
        self.assertTrue(all(-1 <= field <= 1 for field in fields))
        self.assertEqual(len(set(fields)), size)

        def hamiltonian(amplitudes):
            result = []
            for index, amplitude in enumerate(amplitudes):
                spins = [1 - 2 * (index >> i & 1) for i in range(size)]
                value = sum(map(operator.mul, fields, spins)) * amplitude
                for i in range(size - 1):
                    product = spins[i] * spins[i + 1]
                    # X X flips both spins; Y Y does, too, with the sign of minus their product.
                    flipped = amplitudes[index ^ 3 << i]
                    value += make_circuits.HEISENBERG_COUPLING * (
                        product * amplitude + (1 - product) * flipped
                    )
                result.append(value)
            return result

        for start in range(2**size):
            exact = evolved(basis_state(size, start), hamiltonian, time)
            found = circuit.run_amplitudes(basis_state(size, start))
            # The first-order error is t^2 / 2 times the norms of the commutators: of two bonds that
            # meet, each at most 3 in norm, and of a bond and the fields at its ends (the part of XX + YY).
            commutators = 2 * 3 * 3 * (size - 2) + 2 * 2 * 2 * (size - 1)
            self.assert_close(found, exact, time**2 / 2 * commutators)

    def test_phase_estimation_finds_the_phase(self):
        for size in (1, 3, 6):
            circuit = program("phase_estimation", size)
            found = circuit.run_amplitudes(basis_state(circuit.qubits, 0))
            phase = make_circuits.ESTIMATED_PHASE
            for outcome in range(2**size):
                turns = phase - outcome / 2**size
                expected = sum(cmath.exp(2j * math.pi * turns * k) for k in range(2**size))
                amplitude = found[outcome | 1 << size]  # the target stays in |1>
                self.assertAlmostEqual(abs(amplitude), abs(expected) / 2**size, places=9)

    def test_an_ansatz_has_layers_of_rotations_between_chains_of_cnots(self):
        size = 3
        text = make_circuits.qasm_of(
            next(family for family in make_circuits.FAMILIES if family.name == "ansatz"), size
        )
        names = re.findall(r"^(ry|rz|cx)\b", text, re.M)
        layer, chain = ["ry", "rz"] * size, ["cx"] * (size - 1)
        self.assertEqual(names, (layer + chain) * make_circuits.ANSATZ_LAYERS + layer)
        angles = re.findall(r"\((-?[0-9.]+)\)", text)
        self.assertEqual(len(set(angles)), 2 * size * (make_circuits.ANSATZ_LAYERS + 1))


if __name__ == "__main__":
    unittest.main()

"""Random circuits in Qiskit's transpiler at the levels that permute qubits, and as complete programs."""

import random
import unittest

import quartz

try:
    import quartz.qiskit
    from qiskit import QuantumCircuit, transpile
    from qiskit.quantum_info import Statevector, partial_trace, state_fidelity
    from test_qiskit import line_target, places_of
except ImportError as error:
    raise unittest.SkipTest(f"Qiskit is not installed: {error}")

STEPS = {"steps": 2000, "threads": 1}
QUBITS = 4


def random_circuit(seed):
    """Returns a circuit with SWAP gates, of which some are hidden in CNOTs."""
    draw = random.Random(seed)
    circuit = QuantumCircuit(QUBITS, QUBITS)
    for _ in range(14):
        first, second = draw.sample(range(QUBITS), 2)
        kind = draw.choice(["cx", "cz", "swap", "hidden swap", "t", "h", "rx"])
        if kind == "hidden swap":
            circuit.cx(first, second)
            circuit.t(second)
            for control, target in ((first, second), (second, first), (first, second)):
                circuit.cx(control, target)
        elif kind == "rx":
            circuit.rx(0.3 + seed, first)
        else:
            getattr(circuit, kind)(*((first, second) if kind in ("cx", "cz", "swap") else (first,)))
    return circuit


def compilations(circuit, seed, **settings):
    """Yields results of Qiskit alone, and with Quartz and these settings, for several targets."""
    for options in (
        {"basis_gates": ["cz", "rz", "sx", "x"]},
        {"target": line_target(QUBITS, "cz")},
        {"target": line_target(QUBITS + 2, "ecr", directed=True)},
    ):
        options |= {"seed_transpiler": seed, "optimization_level": 2 + seed % 2}
        own = transpile(circuit, **options)
        with quartz.qiskit.settings(**STEPS, **settings):
            yield own, transpile(circuit, optimization_method="quartz", **options)


def gates_of(circuit):
    """Returns a circuit without what is no gate."""
    gates = circuit.copy_empty_like()
    for each in circuit.data:
        if each.operation.name not in ("barrier", "measure"):
            gates.append(each)
    return gates


def places_of_bits(circuit):
    """Returns the qubit that each bit is read from."""
    measures = [each for each in circuit.data if each.operation.name == "measure"]
    found = {circuit.find_bit(each.clbits[0]).index: circuit.find_bit(each.qubits[0]).index for each in measures}
    return [found[bit] for bit in sorted(found)]


class Edges(unittest.TestCase):
    def test_final_layouts_say_where_qubits_end(self):
        permuted = 0
        for seed in range(10):
            circuit = random_circuit(seed)
            for own, better in compilations(circuit, seed):
                places = places_of(better)[:QUBITS]
                permuted += places != places_of(own)[:QUBITS]
                others = [place for place in range(better.num_qubits) if place not in places]
                expected = QuantumCircuit(QUBITS)
                expected.compose(gates_of(circuit), [sorted(places).index(place) for place in places], inplace=True)
                state = partial_trace(Statevector(gates_of(better)), others)
                self.assertAlmostEqual(state_fidelity(Statevector(expected), state), 1, places=7, msg=f"seed {seed}")
        self.assertGreater(permuted, 0)

    def test_programs_keep_the_distribution_of_their_bits(self):
        fewer = 0
        for seed in range(10, 20):
            circuit = random_circuit(seed)
            if seed % 3 == 0:
                circuit.barrier()
            bits = random.Random(seed).sample(range(QUBITS), QUBITS)
            circuit.measure(range(QUBITS), bits)
            expected = Statevector(gates_of(circuit)).probabilities(places_of_bits(circuit))
            for own, better in compilations(circuit, seed, program=True):
                found = Statevector(gates_of(better)).probabilities(places_of_bits(better))
                self.assertLess(abs(found - expected).max(), 1e-9, f"seed {seed}")
                self.assertLessEqual(better.num_nonlocal_gates(), own.num_nonlocal_gates())
                fewer += better.num_nonlocal_gates() < own.num_nonlocal_gates()
                read = places_of_bits(better)
                self.assertEqual([read[bit] for bit in bits], places_of(better)[:QUBITS], f"seed {seed}")
        self.assertGreater(fewer, 0)


if __name__ == "__main__":
    unittest.main()

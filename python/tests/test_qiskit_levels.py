"""What the optimization levels of Qiskit's transpiler know of states, and that the stage knows no more."""

import unittest

import quartz

try:
    import quartz.qiskit
    from qiskit import QuantumCircuit, transpile
    from qiskit.transpiler import PassManager
    from test_qiskit import line_target
except ImportError as error:
    raise unittest.SkipTest(f"Qiskit is not installed: {error}")

STEPS = {"steps": 300, "threads": 1}


def circuit_of(qubits, bits, *operations):
    """Returns a circuit: each operation is a method of QuantumCircuit and its arguments."""
    circuit = QuantumCircuit(qubits, bits)
    for name, *arguments in operations:
        getattr(circuit, name)(*arguments)
    return circuit


def conditional(before, body):
    """Returns a circuit with gates before a measurement and gates under a condition on its outcome."""
    circuit = circuit_of(2, 2, *before, ("measure", 0, 0))
    with circuit.if_test((0, 1)):
        for name, *arguments in body:
            getattr(circuit, name)(*arguments)
    circuit.measure(1, 1)
    return circuit


def repetition_code(rounds, with_barriers):
    """Returns rounds of syndrome measurements of a repetition code on two qubits in |0>."""
    circuit = QuantumCircuit(3, rounds + 2)
    for index in range(rounds):
        if with_barriers:
            circuit.barrier()
        circuit.cx(0, 1)
        circuit.cx(2, 1)
        circuit.measure(1, index)
        circuit.reset(1)
    if with_barriers:
        circuit.barrier()
    circuit.measure([0, 2], [rounds, rounds + 1])
    return circuit


ENDS = ("measure", [0, 1], [0, 1])

#: Circuits, and how many gates on two qubits Qiskit leaves of them at each level.
TABLE = {
    # |0> at the start: no level uses it.
    "a control in |0>": (circuit_of(2, 2, ("cx", 0, 1), ("h", 0), ("h", 1), ENDS), (1, 1, 1, 1)),
    "a control in |0> alone": (circuit_of(2, 2, ("cx", 0, 1), ENDS), (1, 1, 1, 1)),
    "a target in |+>": (circuit_of(2, 2, ("h", 1), ("cx", 0, 1), ENDS), (1, 1, 1, 1)),
    "CNOTs between barriers": (
        circuit_of(2, 2, ("cx", 0, 1), ("barrier",), ("cx", 0, 1), ("barrier",), ENDS),
        (2, 2, 2, 2),
    ),
    "a flip and a reset": (circuit_of(1, 1, ("x", 0), ("reset", 0), ("measure", 0, 0)), (0, 0, 0, 0)),
    "a flip, measured before and after a reset": (
        circuit_of(1, 2, ("x", 0), ("measure", 0, 0), ("reset", 0), ("measure", 0, 1)),
        (0, 0, 0, 0),
    ),
    # Resets: no level uses them, or removes one.
    "a control after a reset": (
        circuit_of(2, 2, ("h", 0), ("cx", 0, 1), ("reset", 0), ("cx", 0, 1), ENDS),
        (2, 2, 2, 2),
    ),
    "a target before a reset": (circuit_of(2, 1, ("h", 0), ("cx", 0, 1), ("reset", 1), ("measure", 0, 0)), (1, 1, 1, 1)),
    "resets at both ends": (
        circuit_of(2, 2, ("reset", 0), ("h", 0), ("cx", 0, 1), ENDS, ("reset", 0), ("reset", 1)),
        (1, 1, 1, 1),
    ),
    # Qubits that nobody measures: no level uses that.
    "a target that is not measured": (circuit_of(2, 1, ("h", 0), ("cx", 0, 1), ("measure", 0, 0)), (1, 1, 1, 1)),
    "gates after a measurement": (
        circuit_of(2, 1, ("h", 0), ("cx", 0, 1), ("measure", 0, 0), ("h", 1), ("cx", 1, 0)),
        (2, 2, 2, 2),
    ),
    # Diagonal gates right before measurements of all their qubits: levels 2 and 3 remove them.
    "a cz before measurements": (circuit_of(2, 2, ("h", 0), ("h", 1), ("cz", 0, 1), ENDS), (1, 1, 0, 0)),
    "a cz before measurements in the middle": (
        circuit_of(2, 2, ("h", 0), ("h", 1), ("cz", 0, 1), ENDS, ("h", 0)),
        (1, 1, 0, 0),
    ),
    "a cz before one measurement": (circuit_of(2, 1, ("h", 0), ("h", 1), ("cz", 0, 1), ("measure", 0, 0)), (1, 1, 1, 1)),
    "a cz before a barrier": (circuit_of(2, 2, ("h", 0), ("h", 1), ("cz", 0, 1), ("barrier",), ENDS), (1, 1, 1, 1)),
    # Conditions on outcomes.
    "a cx on a condition": (conditional([("h", 0), ("t", 0)], [("cx", 1, 0), ("s", 1)]), (1, 1, 1, 1)),
    "a cx before a condition": (conditional([("cx", 0, 1)], [("x", 1)]), (1, 1, 1, 1)),
    # Pairs that cancel whatever the state is, and SWAP gates, which levels 2 and 3 make part of the layout.
    "a pair of CNOTs": (circuit_of(2, 2, ("cx", 0, 1), ("cx", 0, 1), ENDS), (2, 0, 0, 0)),
    "a SWAP gate": (circuit_of(2, 2, ("h", 0), ("swap", 0, 1), ENDS), (3, 3, 0, 0)),
    # Experiments whose outcome is known in advance.
    "rounds of a repetition code": (repetition_code(2, with_barriers=False), (4, 4, 4, 4)),
    "rounds of a repetition code between barriers": (repetition_code(2, with_barriers=True), (4, 4, 4, 4)),
}


def counts_of(circuit):
    """Returns the numbers of operations by name, with those of the bodies of control flow."""
    counts = {}
    for instruction in circuit.data:
        for block in getattr(instruction.operation, "blocks", ()):
            for name, number in counts_of(block).items():
                counts[name] = counts.get(name, 0) + number
        counts[instruction.operation.name] = counts.get(instruction.operation.name, 0) + 1
    return counts


class Levels(unittest.TestCase):
    def compiled(self, circuit, level, **options):
        target = line_target(circuit.num_qubits, "cz")
        layout = list(range(circuit.num_qubits))
        return counts_of(
            transpile(
                circuit, target=target, initial_layout=layout, optimization_level=level, seed_transpiler=1, **options
            )
        )

    def test_the_stage_knows_what_qiskit_knows_at_each_level(self):
        for name, (circuit, expected) in TABLE.items():
            for level, left in enumerate(expected):
                with self.subTest(name, level=level):
                    own = self.compiled(circuit, level)
                    self.assertEqual(own.get("cz", 0), left)
                    limit = STEPS if level else {}  # Quartz does not search at level 0
                    for chosen in (limit, {**limit, "barriers": "keep"}):
                        with quartz.qiskit.settings(**chosen):
                            better = self.compiled(circuit, level, optimization_method="quartz")
                        for kind in ("cz", "reset", "measure", "barrier", "if_else"):
                            self.assertEqual(better.get(kind, 0), own.get(kind, 0), kind)

    def test_flips_before_resets_and_measurements_stay(self):
        for name in ("a flip and a reset", "a flip, measured before and after a reset"):
            for level in range(4):
                with quartz.qiskit.settings(**STEPS):
                    self.assertEqual(self.compiled(TABLE[name][0], level, optimization_method="quartz")["x"], 1)

    def test_complete_programs_are_a_setting(self):
        def left(name, level=3, **options):
            with quartz.qiskit.settings(**STEPS, program=True, **options.pop("settings", {})):
                return self.compiled(TABLE[name][0], level, optimization_method="quartz", **options).get("cz", 0)

        for level in (1, 2, 3):
            self.assertEqual(left("a control in |0>", level), 0)
        self.assertEqual(left("a control in |0>", qubits_initially_zero=False), 1)
        self.assertEqual(left("a control after a reset"), 1)
        self.assertEqual(left("a target before a reset"), 0)
        self.assertEqual(left("rounds of a repetition code"), 0)
        self.assertEqual(left("CNOTs between barriers"), 1)  # the first one is before all barriers
        self.assertEqual(left("CNOTs between barriers", settings={"barriers": "ignore"}), 0)
        # The first barrier is before the first round.
        self.assertEqual(left("rounds of a repetition code between barriers"), 4)
        self.assertEqual(left("rounds of a repetition code between barriers", settings={"barriers": "ignore"}), 0)

    def test_a_pass_knows_nothing_of_resets_unless_it_is_told(self):
        circuit = circuit_of(2, 2, ("reset", 0), ("cz", 0, 1), ("sx", 1), ENDS)
        for program, left in ((False, 1), (True, 0)):
            manager = PassManager([quartz.qiskit.QuartzOptimization(line_target(2, "cz"), program=program, **STEPS)])
            counts = manager.run(circuit).count_ops()
            self.assertEqual((counts.get("cz", 0), counts["reset"]), (left, 1))


if __name__ == "__main__":
    unittest.main()

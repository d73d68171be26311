"""quartz.qiskit, compared with Qiskit's own unitaries."""

import cmath
import itertools
import math
import pathlib
import random
import unittest

import quartz

try:
    import qiskit
    import quartz.qiskit
    from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
    from qiskit.circuit import Parameter, ParameterVector
    from qiskit.circuit.library import RXGate, RXXGate, RZGate, RZZGate, XGate, get_standard_gate_name_mapping
    from qiskit.converters import circuit_to_dag
    from qiskit.quantum_info import Operator, Statevector, partial_trace, state_fidelity
    from qiskit.transpiler import InstructionProperties, PassManager, Target
    from qiskit.transpiler.preset_passmanagers.plugin import list_stage_plugins
    from quartz.qiskit.conversion import Conversion, placed_operations
    from quartz.qiskit.expressions import Symbols
    from quartz.qiskit.gates import standard_form, standard_gate
    from quartz.qiskit.target import NativeTarget
except ImportError as error:
    raise unittest.SkipTest(f"Qiskit is not installed: {error}")

STEPS = {"steps": 20000, "threads": 1}


def distance(left, right):
    """The greatest difference between the unitaries of two circuits, global phase included."""
    return abs(Operator(left).data - Operator(right).data).max()


def random_circuit(gates, qubits, seed):
    draw = random.Random(seed)
    circuit = QuantumCircuit(qubits, global_phase=0.7)
    for _ in range(gates):
        first, second = draw.sample(range(qubits), 2)
        kind = draw.choice(["h", "t", "cx", "cx", "rz", "rx", "cp", "swap", "u", "y"])
        if kind in ("cx", "swap"):
            getattr(circuit, kind)(first, second)
        elif kind == "cp":
            circuit.cp(draw.choice([math.pi / 4, 0.3]), first, second)
        elif kind == "u":
            circuit.u(0.1, 0.2, 0.3, first)
        elif kind in ("rz", "rx"):
            getattr(circuit, kind)(draw.choice([math.pi / 2, 1.25]), first)
        else:
            getattr(circuit, kind)(first)
    return circuit


def line_target(qubits, two_qubit, directed=False, errors=True):
    """A target {rz, sx, x, two-qubit gate} on a line; the error rates grow along it."""
    target = Target(num_qubits=qubits)
    gates = get_standard_gate_name_mapping()
    ones = {(qubit,): InstructionProperties(error=1e-4 if errors else None) for qubit in range(qubits)}
    pairs = [(qubit, qubit + 1) for qubit in range(qubits - 1)]
    if not directed:
        pairs += [(second, first) for first, second in pairs]
    twos = {pair: InstructionProperties(error=1e-3 * (1 + min(pair)) if errors else None) for pair in pairs}
    target.add_instruction(RZGate(Parameter("a")), {(qubit,): InstructionProperties(error=0) for qubit in range(qubits)})
    for name in ("sx", "x", "measure", "reset", "id"):
        target.add_instruction(gates[name], ones)
    target.add_instruction(gates[two_qubit], twos)
    target.add_instruction(qiskit.circuit.IfElseOp, name="if_else")
    return target


def add_hidden_swaps(circuit):
    """Adds a SWAP gate in CNOTs on two pairs, which no pass of Qiskit removes."""
    for pair in ((0, 1), (2, 3)):
        circuit.cx(*pair)
        circuit.t(pair[1])
        for control, other in (pair, pair[::-1], pair):
            circuit.cx(control, other)


def phaseless_distance(circuit, compiled):
    """How far the overlap of two unitaries is from 1; the layout of the compiled circuit is undone."""
    left, right = Operator(circuit).data, Operator.from_circuit(compiled).data
    return 1 - abs((left.conj() * right).sum()) / len(left)


def places_of(circuit):
    """Returns the qubit on which each qubit of the uncompiled circuit ends."""
    return list(range(circuit.num_qubits)) if circuit.layout is None else circuit.layout.final_index_layout()


def is_valid(circuit, target):
    """Whether a target supports every operation of a circuit, by Qiskit's own rules."""
    for instruction in circuit.data:
        places = tuple(circuit.find_bit(qubit).index for qubit in instruction.qubits)
        operation = instruction.operation
        if operation.name != "barrier" and not target.instruction_supported(
            operation.name, places, parameters=list(operation.params) if isinstance(operation, qiskit.circuit.Gate) else None
        ):
            return False
    return True


class FrontDoor(unittest.TestCase):
    def test_results_are_equal_and_cheaper(self):
        for seed in range(3):
            circuit = random_circuit(40, 4, seed)
            better, result = quartz.qiskit.optimize(circuit, with_result=True, **STEPS)
            self.assertLess(distance(circuit, better), 1e-9)
            self.assertLessEqual(set(better.count_ops()), {"h", "x", "rz", "cx"})
            self.assertEqual(result.checked.verdict, "equal")
            self.assertEqual(better.size(), result.circuit.gate_count)

    def test_other_gate_sets_and_costs(self):
        circuit = random_circuit(30, 3, 5)
        for name in ("ibm_heron", "iqm", "quantinuum", "ion_trap"):
            better = quartz.qiskit.optimize(circuit, name, cost="two-qubit,total", **STEPS)
            self.assertLess(distance(circuit, better), 1e-9, name)

    def test_gate_sets_with_gates_that_the_standard_library_lacks(self):
        circuit = random_circuit(20, 3, 1)
        circuit.iswap(0, 1)
        circuit.iswap(1, 2)
        for name, gates in (
            ("google", {"xx_plus_yy"}),
            ("ionq_forte", {"gpi", "gpi2"}),
            ("ionq_aria_full", {"gpi", "gpi2", "ms"}),
        ):
            better = quartz.qiskit.optimize(circuit, name, **STEPS)
            self.assertLess(distance(circuit, better), 1e-9, name)
            self.assertTrue(gates & set(better.count_ops()), name)
            again = quartz.qiskit.optimize(better, "nam", **STEPS)
            self.assertLess(distance(circuit, again), 1e-9, name)

    def test_a_gate_set_without_gates_of_qiskit_is_refused(self):
        gate_set = quartz.GateSet.load(str(pathlib.Path(__file__).resolve().parents[2] / "gatesets/examples/xy.json"))
        circuit = QuantumCircuit(2)
        circuit.iswap(0, 1)
        with self.assertRaisesRegex(quartz.UsageError, "Qiskit has no gate for the gate xy"):
            quartz.qiskit.optimize(circuit, gate_set, rules=quartz.RuleSet.empty(gate_set), **STEPS)

    def test_composite_gates_are_expanded(self):
        inner = QuantumCircuit(2, name="inner", global_phase=0.3)
        inner.h(0)
        inner.cx(0, 1)
        circuit = QuantumCircuit(3)
        circuit.append(inner.to_gate(), [2, 0])
        circuit.append(inner.to_gate().control(1), [1, 2, 0])
        circuit.append(XGate().control(2, ctrl_state=1), [0, 1, 2])
        self.assertLess(distance(circuit, quartz.qiskit.optimize(circuit, **STEPS)), 1e-9)

    def test_every_gate_in_common_has_the_same_matrix(self):
        for name, gate in get_standard_gate_name_mapping().items():
            if standard_form(gate) is None or name == "id":
                continue
            circuit = QuantumCircuit(gate.num_qubits)
            circuit.append(gate.base_class(*[0.1 * (index + 1) for index in range(len(gate.params))]), range(gate.num_qubits))
            converted = quartz.qiskit.from_qiskit(circuit)
            self.assertEqual(len(converted), 1, name)
            self.assertLess(abs(converted.unitary() - Operator(circuit).data).max(), 1e-9, name)

    def test_names_registers_metadata_and_measurements_are_kept(self):
        circuit = QuantumCircuit(
            QuantumRegister(2, "left"), QuantumRegister(2, "idle"), ClassicalRegister(3, "bits"), name="mine", metadata={"a": 1}
        )
        circuit.h(0)
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.barrier(label="wall")
        circuit.delay(100, 3, unit="ns")
        circuit.reset(2)
        circuit.measure([1, 3], [2, 0])
        circuit.x(0)
        better = quartz.qiskit.optimize(circuit, **STEPS)
        self.assertEqual((better.qregs, better.cregs), (circuit.qregs, circuit.cregs))
        self.assertEqual((better.name, better.metadata), ("mine", {"a": 1}))
        self.assertEqual(better.count_ops(), {"cx": 1, "barrier": 1, "delay": 1, "reset": 1, "measure": 2, "x": 1})
        self.assertEqual([each.operation.label for each in better.data if each.name == "barrier"], ["wall"])
        kept = [(each.name, each.qubits, each.clbits) for each in circuit.data if each.name in ("delay", "reset", "measure")]
        self.assertEqual([(each.name, each.qubits, each.clbits) for each in better.data if each.name in ("delay", "reset", "measure")], kept)

    def test_control_flow_is_kept(self):
        circuit = QuantumCircuit(2, 2)
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((0, 1)):
            circuit.x(1)
        with circuit.for_loop(range(3)):
            circuit.h(1)
        circuit.h(0)
        circuit.h(0)
        better = quartz.qiskit.optimize(circuit, **STEPS)
        self.assertEqual([each.name for each in better.data], ["h", "measure", "if_else", "for_loop"])
        self.assertEqual(better.data[2].operation, circuit.data[2].operation)


    def test_barriers_can_be_ignored(self):
        circuit = QuantumCircuit(2)
        circuit.h(0)
        circuit.barrier()
        circuit.h(0)
        circuit.cx(0, 1)
        self.assertEqual(quartz.qiskit.optimize(circuit, **STEPS).count_ops(), {"h": 2, "barrier": 1, "cx": 1})
        self.assertEqual(quartz.qiskit.optimize(circuit, barriers="ignore", **STEPS).count_ops(), {"cx": 1})

    def test_complete_programs(self):
        circuit = QuantumCircuit(3, 2)
        circuit.cx(2, 0)
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.measure([0, 1], [0, 1])
        circuit.h(0)
        better = quartz.qiskit.optimize(circuit, program=True, **STEPS)
        self.assertEqual([each.name for each in better.data], ["h", "cx", "measure", "measure"])
        # Without a measurement the state counts; a delay and an unknown operation are none.
        circuit = QuantumCircuit(2)
        circuit.cx(0, 1)
        circuit.h(0)
        circuit.append(qiskit.circuit.Instruction("unknown", 1, 0, []), [0])
        circuit.h(0)
        better = quartz.qiskit.optimize(circuit, program=True, **STEPS)
        self.assertEqual([each.name for each in better.data], ["h", "unknown", "h"])

    def test_permutations_reach_the_layout(self):
        circuit = QuantumCircuit(4, 2)
        circuit.h(0)
        circuit.swap(0, 1)
        circuit.cx(1, 2)
        circuit.swap(1, 3)
        circuit.t(3)
        circuit.swap(0, 2)
        better = quartz.qiskit.optimize(circuit, permutation="free", **STEPS)
        self.assertEqual(better.count_ops(), {"h": 1, "cx": 1, "rz": 1})
        self.assertNotEqual(better.layout.final_index_layout(), [0, 1, 2, 3])
        self.assertLess(abs(Operator.from_circuit(better).data - Operator(circuit).data).max(), 1e-9)
        again = quartz.qiskit.optimize(better, permutation="free", **STEPS)  # a layout is kept
        self.assertLess(abs(Operator.from_circuit(again).data - Operator(circuit).data).max(), 1e-9)
        measured = circuit.copy()
        measured.barrier()
        measured.reset(2)
        measured.measure([3, 1], [0, 1])
        better = quartz.qiskit.optimize(measured, permutation="free", **STEPS)
        places = better.layout.final_index_layout()
        moved = [(each.qubits, each.clbits) for each in better.data if each.name in ("reset", "measure")]
        qubits, bits = better.qubits, better.clbits
        expected = [((qubits[places[2]],), ()), ((qubits[places[3]],), (bits[0],)), ((qubits[places[1]],), (bits[1],))]
        self.assertCountEqual(moved, expected)

    def test_a_circuit_of_qiskit_is_refused_by_the_core(self):
        with self.assertRaisesRegex(TypeError, "quartz.qiskit.optimize"):
            quartz.optimize(QuantumCircuit(1))


class Boundaries(unittest.TestCase):
    def circuit(self):
        circuit = QuantumCircuit(3, 2)
        circuit.h(0)
        circuit.measure(2, 1)  # on a qubit without gates
        circuit.measure(0, 0)
        with circuit.if_test((1, 1)):
            circuit.x(0)
        circuit.h(1)
        circuit.reset(0)
        circuit.barrier(0, 1)
        return circuit

    def names(self, placed):
        return [operation.name for operation, _, _ in placed if operation.name not in ("h", "reset", "barrier")]

    def test_those_with_classical_bits_keep_their_order(self):
        circuit = self.circuit()
        conversion = Conversion(placed_operations(circuit), 0)
        self.assertEqual(self.names(conversion.placed(conversion.circuit)), ["measure", "measure", "if_else"])
        better = quartz.qiskit.optimize(circuit, **STEPS)
        order = [(each.name, each.clbits) for each in better.data if each.clbits]
        self.assertEqual(order, [(each.name, each.clbits) for each in circuit.data if each.clbits])

    def test_another_order_is_refused(self):
        conversion = Conversion(placed_operations(self.circuit()), 0)
        lines = conversion.circuit.to_qasm().splitlines()
        measured = next(line for line in lines if "= measure q" in line)
        moved = [line for line in lines if line != measured] + [measured]
        with self.assertRaisesRegex(quartz.UsageError, "order"):
            list(conversion.placed(quartz.Circuit.from_qasm("\n".join(moved))))
        without = quartz.Circuit.from_qasm("\n".join(line for line in lines if line != measured))
        with self.assertRaises(quartz.UsageError):
            list(conversion.placed(without))

    def test_others_may_change_their_order(self):
        circuit = QuantumCircuit(2)
        for qubit in (0, 1):
            circuit.h(qubit)
            circuit.reset(qubit)
        conversion = Conversion(placed_operations(circuit), 0)
        lines = conversion.circuit.to_qasm().splitlines()
        (first,) = (index for index, line in enumerate(lines) if line.startswith("reset q[0]"))
        moved = lines[:first] + lines[first + 1 :] + [lines[first]]
        placed = list(conversion.placed(quartz.Circuit.from_qasm("\n".join(moved))))
        self.assertEqual([operation.name for operation, _, _ in placed], ["h", "h", "reset", "reset"])
        self.assertEqual(placed[-1][1], (circuit.qubits[0],))


class StandardGates(unittest.TestCase):
    def test_those_without_parameters_are_made_once(self):
        self.assertIs(standard_gate("cx", []), standard_gate("cx", []))
        self.assertIsNot(standard_gate("rz", [0.5]), standard_gate("rz", [0.5]))
        self.assertIsNone(standard_gate("no_such_gate", []))

    def test_open_controls_have_no_form(self):
        self.assertEqual(standard_form(XGate().control(1)).name, "cx")
        self.assertIsNone(standard_form(XGate().control(1, ctrl_state=0)))
        self.assertEqual(standard_form(XGate().control(1)).name, "cx")


class PlainConversion(unittest.TestCase):
    def test_there_and_back(self):
        circuit = random_circuit(30, 4, 6)
        circuit.add_register(QuantumRegister(1, "idle"))
        converted = quartz.qiskit.from_qiskit(circuit)
        self.assertEqual(converted.num_qubits, 5)
        self.assertLess(distance(circuit, quartz.qiskit.to_qiskit(converted)), 1e-9)

    def test_registers_parameters_and_conditions(self):
        text = """OPENQASM 3.0;
        include "stdgates.inc";
        input float[64] theta;
        qubit[2] a;
        bit[2] c;
        gphase(theta/2);
        rz(2*theta+pi/4) a[0];
        c[0] = measure a[0];
        reset a[0];
        barrier a[0], a[1];
        if (c == 1) { x a[1]; }
        if (c[1]) { if (c != 2) { h a[1]; } }
        """
        converted = quartz.qiskit.to_qiskit(quartz.Circuit.from_qasm(text))
        self.assertEqual([each.name for each in converted.data], ["rz", "measure", "reset", "barrier", "if_else", "if_else"])
        self.assertEqual(([each.name for each in converted.qregs], [each.name for each in converted.cregs]), (["a"], ["c"]))
        (theta,) = converted.parameters
        (angle,) = converted.data[0].operation.params
        self.assertAlmostEqual(angle.bind({theta: 0.5}).numeric(), 1 + math.pi / 4)
        self.assertAlmostEqual(converted.global_phase.bind({theta: 0.5}).numeric(), 0.25)
        self.assertEqual(converted.data[4].operation.condition, (converted.cregs[0], 1))
        outer = converted.data[5].operation
        self.assertEqual(outer.condition, (converted.clbits[1], 1))
        self.assertEqual(outer.blocks[0].data[0].name, "if_else")


class Parameters(unittest.TestCase):
    def test_linear_expressions_are_merged(self):
        a, b = Parameter("α"), ParameterVector("v[2]", 2)[1]
        circuit = QuantumCircuit(2)
        circuit.rz(2 * a - b / 3, 0)
        circuit.cx(0, 1)
        circuit.cx(0, 1)
        circuit.rz(0.5 + a, 0)
        better = quartz.qiskit.optimize(circuit, **STEPS)
        self.assertEqual(better.count_ops(), {"rz": 1})
        self.assertEqual(set(better.parameters), {a, b})
        values = {a: 0.3, b: -1.1}
        self.assertLess(distance(circuit.assign_parameters(values), better.assign_parameters(values)), 1e-9)

    def test_messages_name_them(self):
        circuit = QuantumCircuit(1)
        circuit.rx(2 * Parameter("theta") + 0.5, 0)
        circuit.rx(Parameter("phi").sin(), 0)
        with self.assertRaisesRegex(quartz.InputError, r"rx\(2\*theta\+1/2\) cannot|rx\(2\*theta\+0\.5\) cannot"):
            quartz.qiskit.optimize(circuit, "clifford_t", time=0.1)

    def test_other_expressions_become_symbols_of_their_own(self):
        a, b = Parameter("a"), Parameter("b")
        circuit = QuantumCircuit(1)
        circuit.rz(a.sin() * b, 0)
        circuit.rz(a * b, 0)
        circuit.rz(-(a.sin() * b), 0)
        circuit.rz(1 / a, 0)
        better = quartz.qiskit.optimize(circuit, **STEPS)
        self.assertEqual(better.count_ops(), {"rz": 1})
        values = {a: 0.4, b: 1.7}
        self.assertLess(distance(circuit.assign_parameters(values), better.assign_parameters(values)), 1e-9)

    def test_multiples_of_pi(self):
        a, b = Parameter("a"), Parameter("b")
        values = {a: 0.3, b: -1.1}
        for angle in (a * math.pi, a * math.pi / 2, a * math.tau, (a + b) / 2 * math.pi, a * (math.pi / 4), math.pi * a.sin()):
            circuit = QuantumCircuit(1, global_phase=angle)
            circuit.rx(angle, 0)
            circuit.h(0)
            circuit.rz(-angle, 0)
            circuit.h(0)
            circuit.ry(2 * angle + 0.1, 0)
            bound = circuit.assign_parameters({each: values[each] for each in circuit.parameters})
            transpiled = transpile(circuit, basis_gates=["rz", "sx", "x", "cz"], optimization_method="quartz")
            better = quartz.qiskit.optimize(circuit, "nam", **STEPS)
            for each in (better, transpiled):
                each = each.assign_parameters({parameter: values[parameter] for parameter in each.parameters})
                self.assertLess(distance(bound, each), 1e-9, angle)

    def test_the_global_phase_may_have_parameters(self):
        a = Parameter("a")
        circuit = QuantumCircuit(1, global_phase=a / 2)
        circuit.rz(a, 0)
        circuit.p(a, 0)
        better = quartz.qiskit.optimize(circuit, **STEPS)
        self.assertLess(distance(circuit.assign_parameters([0.8]), better.assign_parameters([0.8])), 1e-9)

    def test_numbers_that_are_no_angles_are_refused(self):
        for bad in (float("nan"), float("inf"), 1j):
            with self.assertRaises(quartz.UsageError):
                Symbols().text_of(bad)


class Pass(unittest.TestCase):
    def compiled(self, circuit, target, **options):
        return transpile(circuit, target=target, seed_transpiler=1, optimization_level=3, **options)

    def test_results_are_valid_equal_and_not_worse(self):
        for two_qubit, directed in (("cx", False), ("cx", True), ("ecr", True), ("cz", False), ("cz", True)):
            target = line_target(4, two_qubit, directed)
            given = self.compiled(random_circuit(40, 4, 3), target)
            better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(given)
            self.assertTrue(is_valid(better, target), two_qubit)
            self.assertLess(distance(given, better), 1e-7, two_qubit)
            self.assertLessEqual(better.num_nonlocal_gates(), given.num_nonlocal_gates())

    def test_the_result_is_in_the_property_set(self):
        target = line_target(3, "cz")
        manager = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)])
        manager.run(self.compiled(random_circuit(20, 3, 3), target))
        result = manager.property_set["quartz_result"]
        self.assertEqual(list(result.cost_after), ["two-qubit", "errors", "total"])
        self.assertIn(result.stop_reason, ("step limit", "exhausted"))

    def test_error_rates_decide_between_pairs(self):
        native = NativeTarget(line_target(3, "cz"))
        cost = native.cost("errors", [0, 1, 2])
        circuit = quartz.Circuit.from_qasm('OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; cz q[0],q[1]; cz q[1],q[2];')
        self.assertAlmostEqual(cost.values(circuit)["errors"], -math.log(1 - 1e-3) - math.log(1 - 2e-3), places=9)
        self.assertEqual(NativeTarget(line_target(3, "cz", errors=False)).cost(None, [0, 1]).name, "two-qubit,total")

    def test_gates_stay_on_the_pairs_that_have_them(self):
        gates = get_standard_gate_name_mapping()
        for error in (None, 1e-3):
            target = line_target(4, "cz", errors=error is not None)
            cx = {(0, 1): InstructionProperties(error=error), (1, 0): InstructionProperties(error=error)}
            mixed = Target(num_qubits=4)
            for name in ("rz", "sx", "x"):
                mixed.add_instruction(target.operation_from_name(name), dict(target[name]))
            mixed.add_instruction(gates["cx"], cx)
            mixed.add_instruction(gates["cz"], {pair: each for pair, each in target["cz"].items() if pair not in cx})
            first = NativeTarget(mixed).cost(None, range(4)).name.split(",")[0]
            self.assertEqual(first, "unsupported")
            for seed in range(4):
                given = self.compiled(random_circuit(30, 4, seed), mixed)
                doubled = given.compose(given.inverse()).compose(given)
                doubled = transpile(doubled, target=mixed, optimization_level=0)
                with self.assertNoLogs("quartz", level="WARNING"):
                    better = PassManager([quartz.qiskit.QuartzOptimization(mixed, **STEPS)]).run(doubled)
                self.assertTrue(is_valid(better, mixed))
                self.assertLess(distance(doubled, better), 1e-7)
                self.assertLess(better.num_nonlocal_gates(), doubled.num_nonlocal_gates())
        self.assertEqual(NativeTarget(line_target(3, "cz")).cost(None, [0, 1]).name, "two-qubit,errors,total")

    def test_bodies_of_control_flow_are_optimized(self):
        target = line_target(2, "cz")
        circuit = QuantumCircuit(2, 1)
        circuit.sx(0)
        circuit.measure(0, 0)
        with circuit.if_test((0, 1)):
            circuit.cz(0, 1)
            circuit.cz(0, 1)
            circuit.x(1)
        better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(circuit)
        (body,) = (each.operation.blocks[0] for each in better.data if each.name == "if_else")
        self.assertEqual(body.count_ops(), {"x": 1})

    def test_barriers_and_complete_programs(self):
        target = line_target(3, "cz")
        circuit = QuantumCircuit(3, 2)
        circuit.cz(0, 1)
        circuit.sx(0)
        circuit.cz(0, 1)
        circuit.barrier()
        circuit.cz(0, 1)
        circuit.sx(1)
        circuit.measure(0, 0)
        with circuit.if_test((0, 1)):
            circuit.cz(1, 2)
            circuit.barrier()
        circuit.measure(1, 1)
        circuit.sx(0)
        for options, expected in (
            ({}, (2, 1)),
            ({"barriers": "ignore"}, (1, 0)),
            ({"barriers": "ignore", "program": True}, (0, 0)),
        ):
            better = PassManager([quartz.qiskit.QuartzOptimization(target, **options, **STEPS)]).run(circuit)
            counts = better.count_ops()
            self.assertEqual((counts.get("cz", 0), counts.get("barrier", 0), counts["measure"]), (*expected, 2), options)
            (body,) = (each.operation.blocks[0] for each in better.data if each.name == "if_else")
            self.assertEqual(body.count_ops()["cz"], 1)
        with self.assertRaisesRegex(quartz.UsageError, "barriers"):
            quartz.qiskit.QuartzOptimization(target, barriers="sometimes")

    def test_bounds_of_angles_are_kept(self):
        target = line_target(3, "cz")
        target.add_instruction(RXGate(Parameter("a")), {(qubit,): None for qubit in range(3)})
        pairs = {(0, 1): None, (1, 2): None, (1, 0): None, (2, 1): None}
        target.add_instruction(RZZGate(Parameter("a")), pairs, angle_bounds=[(0, math.pi / 2)])
        self.assertEqual(NativeTarget(target).gate_set.name, "ibm_heron_fractional")
        circuit = QuantumCircuit(3)
        for angle in (0.3, 1.2, 0.4, 0.9, 1.5):
            circuit.rzz(angle, 0, 1)
            circuit.rzz(angle / 2, 1, 2)
            circuit.rx(angle, 1)
            circuit.rzz(math.pi / 2, 0, 1)
        better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(circuit)
        self.assertTrue(is_valid(better, target))
        self.assertLess(distance(circuit, better), 1e-7)
        self.assertLess(better.num_nonlocal_gates(), circuit.num_nonlocal_gates())

    def test_limits_that_are_no_multiples_of_pi_do_not_make_a_circuit_worse(self):
        target = line_target(2, "cz")
        target.add_instruction(RZZGate(Parameter("a")), {(0, 1): None, (1, 0): None}, angle_bounds=[(0, 1.0)])
        circuit = QuantumCircuit(2)
        circuit.rzz(0.999, 0, 1)  # between the greatest multiple of pi/48 that is permitted, and the limit
        better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(circuit)
        self.assertEqual(better, circuit)

    def test_fixed_angles(self):
        target = Target(num_qubits=2)
        target.add_instruction(RZGate(Parameter("a")), {(0,): None, (1,): None})
        target.add_instruction(RXGate(math.pi / 2), {(0,): None, (1,): None}, name="rx_90")
        target.add_instruction(RXXGate(math.pi / 2), {(0, 1): None}, name="rxx_90")
        native = NativeTarget(target)
        self.assertEqual(sorted(native.gate_set.gates), ["rx", "rxx", "rz"])
        self.assertIsNone(native.make_gate("rx", [0.3]))
        self.assertIsNotNone(native.make_gate("rx", [math.pi / 2]))

    def test_a_target_without_known_gates_is_left_alone(self):
        target = Target(num_qubits=1)
        target.add_instruction(get_standard_gate_name_mapping()["measure"], {(0,): None})
        dag = circuit_to_dag(QuantumCircuit(1, 1))
        with self.assertLogs("quartz.qiskit", "WARNING"):
            self.assertIs(quartz.qiskit.QuartzOptimization(target).run(dag), dag)


class TurnsGate(qiskit.circuit.Gate):
    """A gate of IonQ, with its angle in turns, as IonQ's package defines it."""

    def __init__(self, angle, name="gpi"):
        super().__init__(name, 2 if name == "zz" else 1, [angle])

    def _define(self):
        (angle,) = self.params
        self.definition = QuantumCircuit(self.num_qubits)
        if self.name == "zz":
            self.definition.rzz(2 * math.pi * angle, 0, 1)
        else:
            self.definition.rz(-2 * math.pi * angle, 0)
            self.definition.rx(math.pi if self.name == "gpi" else math.pi / 2, 0)
            self.definition.rz(2 * math.pi * angle, 0)
            self.definition.global_phase = math.pi / 2 if self.name == "gpi" else 0


class GPIGate(TurnsGate):
    def __init__(self, angle):
        super().__init__(angle, "gpi")


class GPI2Gate(TurnsGate):
    def __init__(self, angle):
        super().__init__(angle, "gpi2")


class ZZGate(TurnsGate):
    def __init__(self, angle):
        super().__init__(angle, "zz")


class FakeGPIGate(TurnsGate):
    """Another gate with the name of IonQ's."""

    def __init__(self, angle):
        super().__init__(angle, "gpi")

    def _define(self):
        self.definition = QuantumCircuit(1)
        self.definition.ry(self.params[0], 0)


class ForeignGates(unittest.TestCase):
    def target(self, *gates):
        target = Target(num_qubits=3)
        for gate in gates:
            made = gate(Parameter("a"))
            target.add_instruction(made)
        return target

    def test_angles_in_turns(self):
        target = self.target(GPIGate, GPI2Gate, ZZGate)
        self.assertEqual(NativeTarget(target).gate_set.name, "ionq_forte")
        draw = random.Random(2)
        circuit = QuantumCircuit(3)
        for _ in range(40):
            first, second = draw.sample(range(3), 2)
            gate = draw.choice([GPIGate, GPI2Gate, ZZGate, ZZGate])(draw.choice([0.25, 0.125, 0.3]))
            circuit.append(gate, [first, second][: gate.num_qubits])
        better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(circuit)
        self.assertTrue(is_valid(better, target))
        self.assertLess(distance(circuit, better), 1e-7)
        self.assertLess(better.count_ops()["zz"], circuit.count_ops()["zz"])
        self.assertLessEqual({type(each.operation) for each in better.data}, {GPIGate, GPI2Gate, ZZGate})

    def test_another_gate_of_the_same_name_is_kept(self):
        target = self.target(FakeGPIGate, GPI2Gate, ZZGate)
        self.assertEqual(sorted(NativeTarget(target).gate_set.gates), ["gpi2", "rzz"])
        circuit = QuantumCircuit(2)
        for gate in (ZZGate(0.1), FakeGPIGate(0.2), ZZGate(-0.1), ZZGate(0.1)):
            circuit.append(gate, [0, 1][: gate.num_qubits])
        better = PassManager([quartz.qiskit.QuartzOptimization(target, **STEPS)]).run(circuit)
        self.assertEqual(better.count_ops(), {"zz": 1, "gpi": 1})
        self.assertLess(distance(circuit, better), 1e-7)


class Stage(unittest.TestCase):
    def test_is_found_by_its_entry_point(self):
        self.assertIn("quartz", list_stage_plugins("optimization"))

    def test_transpile_is_not_worse_at_any_level(self):
        target = line_target(5, "ecr", directed=True)
        circuit = random_circuit(40, 5, 9)
        for level in range(4):
            own = transpile(circuit, target=target, seed_transpiler=5, optimization_level=level)
            with quartz.qiskit.settings(**STEPS):
                better = transpile(
                    circuit, target=target, seed_transpiler=5, optimization_level=level, optimization_method="quartz"
                )
            self.assertTrue(is_valid(better, target))
            self.assertLessEqual(better.num_nonlocal_gates(), own.num_nonlocal_gates())
            self.assertEqual(better.layout.final_index_layout(), own.layout.final_index_layout())
            order = better.layout.final_index_layout()
            expected = Operator(circuit).data
            moved = Operator.from_circuit(better).data
            overlap = abs((expected.conj() * moved).sum()) / len(expected)
            self.assertAlmostEqual(overlap, 1, places=7, msg=str(order))

    def test_permutations_of_the_layout_stay_right(self):
        target = line_target(5, "cz")
        circuit = random_circuit(30, 4, 6)
        circuit.swap(0, 3)
        circuit.swap(1, 2)  # Qiskit leaves swaps at the end out, and says so in the layout
        for level in (2, 3):
            with quartz.qiskit.settings(**STEPS, barriers="ignore"):
                better = transpile(
                    circuit, target=target, seed_transpiler=3, optimization_level=level, optimization_method="quartz"
                )
            own = transpile(circuit, target=target, seed_transpiler=3, optimization_level=level)
            self.assertNotEqual(better.layout.routing_permutation(), list(range(5)))
            self.assertEqual(better.layout.final_index_layout(), own.layout.final_index_layout())
            places = better.layout.final_index_layout()
            moved = QuantumCircuit(4)
            order = sorted(places)
            moved.compose(circuit, [order.index(place) for place in places], inplace=True)
            state = partial_trace(Statevector(better), [place for place in range(5) if place not in places])
            self.assertAlmostEqual(state_fidelity(Statevector(moved), state), 1, places=7)

    def test_permutations_are_added_to_the_layout(self):
        target = Target(num_qubits=4)
        gates = get_standard_gate_name_mapping()
        for name in ("rz", "sx", "x", "cx", "swap"):
            size = gates[name].num_qubits
            target.add_instruction(gates[name], dict.fromkeys(itertools.permutations(range(4), size)))
        circuit = random_circuit(20, 4, 8)
        for pair in ((0, 1), (1, 3)):
            circuit.swap(*pair)
            circuit.cx(*pair)
        options = {"target": target, "seed_transpiler": 3, "optimization_level": 1, "initial_layout": [2, 0, 3, 1]}
        own = transpile(circuit, **options)
        with quartz.qiskit.settings(**STEPS, permutation="free"):
            better = transpile(circuit, **options, optimization_method="quartz")
        self.assertIn("swap", own.count_ops())
        self.assertNotIn("swap", better.count_ops())
        self.assertNotEqual(better.layout.final_index_layout(), own.layout.final_index_layout())
        overlap = abs((Operator(circuit).data.conj() * Operator.from_circuit(better).data).sum()) / 16
        self.assertAlmostEqual(overlap, 1, places=7)

    def test_levels_2_and_3_permute_qubits_as_qiskit_does(self):
        circuit = random_circuit(12, 4, 5)
        add_hidden_swaps(circuit)
        options = {"seed_transpiler": 3, "initial_layout": [0, 1, 2, 3], "target": line_target(4, "cz")}
        for level, chosen in itertools.product((1, 2, 3), ({}, {"permutation": "keep"})):
            own = transpile(circuit, **options, optimization_level=level)
            with quartz.qiskit.settings(**STEPS, **chosen):
                better = transpile(circuit, **options, optimization_level=level, optimization_method="quartz")
            self.assertLess(better.count_ops()["cz"], own.count_ops()["cz"])
            self.assertEqual(places_of(better) != places_of(own), level > 1 and not chosen, (level, chosen))
            self.assertLess(phaseless_distance(circuit, better), 1e-7)

    def test_permutations_need_no_layout_and_follow_the_routing_method(self):
        circuit = QuantumCircuit(4)
        circuit.h(range(4))
        add_hidden_swaps(circuit)
        everywhere = {"basis_gates": ["cz", "rz", "sx", "x"]}
        unrouted = {"target": line_target(4, "cz"), "initial_layout": [0, 1, 2, 3], "routing_method": "none"}
        for options, is_permuted in ((everywhere, True), (unrouted, False)):
            with quartz.qiskit.settings(**STEPS):
                better = transpile(circuit, **options, optimization_level=3, optimization_method="quartz")
            self.assertEqual(places_of(better) != [0, 1, 2, 3], is_permuted)
            self.assertLess(phaseless_distance(circuit, better), 1e-7)

    def test_only_complete_programs_start_in_zero_and_end_in_their_measurements(self):
        circuit = QuantumCircuit(3, 3)
        circuit.cx(1, 2)  # changes nothing in |0>
        circuit.ry(0.3, [0, 1, 2])
        circuit.cx(0, 1)
        circuit.ry(0.7, [0, 1, 2])
        circuit.cz(1, 2)  # changes no probability
        measured = circuit.copy()
        measured.measure(range(3), range(3))
        walled = circuit.copy()
        walled.barrier()
        walled.measure(range(3), range(3))
        partly = circuit.copy()
        partly.measure(1, 0)
        for given, level, options, chosen, expected in (
            (measured, 3, {}, {}, 2),  # Qiskit itself removes the cz before the measurements
            (measured, 1, {}, {}, 3),
            (measured, 3, {}, {"program": True}, 1),
            (measured, 1, {}, {"program": True}, 1),
            (measured, 1, {"qubits_initially_zero": False}, {"program": True}, 2),
            (walled, 3, {}, {}, 3),
            (walled, 3, {}, {"program": True}, 2),
            (walled, 3, {}, {"program": True, "barriers": "ignore"}, 1),
            (partly, 3, {}, {}, 3),
            (partly, 3, {}, {"program": True}, 1),
            (circuit, 3, {}, {}, 3),
        ):
            options = {"target": line_target(3, "cz"), "initial_layout": [0, 1, 2], "seed_transpiler": 1, **options}
            with quartz.qiskit.settings(**STEPS, **chosen):
                better = transpile(given, optimization_level=level, optimization_method="quartz", **options)
            self.assertEqual(better.count_ops().get("cz", 0), expected, (given.count_ops(), level, options, chosen))
        with self.assertRaisesRegex(TypeError, "program"):
            quartz.qiskit.QuartzOptimization(line_target(3, "cz"), program="some")

    def test_permutations_on_coupled_qubits_are_added_to_the_layout(self):
        target = line_target(4, "cz")
        circuit = random_circuit(12, 4, 5)
        add_hidden_swaps(circuit)
        options = {"target": target, "seed_transpiler": 3, "optimization_level": 3, "initial_layout": [0, 1, 2, 3]}
        own = transpile(circuit, **options)
        with quartz.qiskit.settings(**STEPS, permutation="free"):
            better = transpile(circuit, **options, optimization_method="quartz")
        self.assertLess(better.count_ops()["cz"], own.count_ops()["cz"])
        self.assertNotEqual(better.layout.final_index_layout(), own.layout.final_index_layout())
        self.assertTrue(is_valid(better, target))
        overlap = abs((Operator(circuit).data.conj() * Operator.from_circuit(better).data).sum()) / 16
        self.assertAlmostEqual(overlap, 1, places=7)
        with self.assertRaisesRegex(quartz.UsageError, "permutation"):
            quartz.qiskit.QuartzOptimization(target, permutation="some")

    def test_level_0_without_settings_does_nothing(self):
        target = line_target(3, "cz")
        circuit = random_circuit(20, 3, 2)
        both = [
            transpile(circuit, target=target, seed_transpiler=5, optimization_level=0, **options)
            for options in ({}, {"optimization_method": "quartz"})
        ]
        self.assertEqual(*both)

    def test_settings_end_with_their_block(self):
        from quartz.qiskit.stage_settings import current_settings

        with quartz.qiskit.settings(time=3, cost="errors", seed=4, threads=1) as chosen:
            self.assertIs(current_settings(), chosen)
        self.assertIsNone(current_settings().time)

    def test_basis_gates_and_a_coupling_map_are_a_target(self):
        circuit = random_circuit(40, 4, 4)
        options = {"basis_gates": ["rz", "sx", "x", "cz"], "coupling_map": [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]]}
        own = transpile(circuit, seed_transpiler=3, optimization_level=1, **options)
        with quartz.qiskit.settings(**STEPS):
            better = transpile(circuit, seed_transpiler=3, optimization_level=1, optimization_method="quartz", **options)
        self.assertLess(better.num_nonlocal_gates(), own.num_nonlocal_gates())
        self.assertLessEqual(set(better.count_ops()), {"rz", "sx", "x", "cz"})

    def test_without_a_target_qiskit_optimizes_alone(self):
        circuit = random_circuit(20, 3, 4)
        both = [
            transpile(circuit, seed_transpiler=3, optimization_level=2, **options)
            for options in ({}, {"optimization_method": "quartz"})
        ]
        self.assertEqual(*both)

    def test_parameters_and_dynamic_circuits(self):
        target = line_target(4, "cz")
        angles = ParameterVector("θ", 6)
        circuit = QuantumCircuit(3, 1)
        for layer in range(2):
            for qubit in range(3):
                circuit.ry(angles[3 * layer + qubit], qubit)
            circuit.cx(0, 1)
            circuit.cx(1, 2)
            circuit.cx(0, 2)
        with_test = circuit.copy()
        with_test.measure(0, 0)
        with with_test.if_test((0, 1)):
            with_test.cx(1, 2)
        with quartz.qiskit.settings(**STEPS):
            better, dynamic = (
                transpile(each, target=target, optimization_method="quartz", optimization_level=3, seed_transpiler=2)
                for each in (circuit, with_test)
            )
        self.assertEqual(set(better.parameters), set(angles))
        values = [0.1 + 0.4 * index for index in range(6)]
        bound = better.assign_parameters(values)
        places = bound.layout.final_index_layout()
        # The qubits of the state are those of the target in ascending order.
        moved = QuantumCircuit(3)
        moved.compose(circuit.assign_parameters(values), [sorted(places).index(place) for place in places], inplace=True)
        state = partial_trace(Statevector(bound), [place for place in range(4) if place not in places])
        self.assertAlmostEqual(state_fidelity(Statevector(moved), state), 1, places=7)
        self.assertIn("if_else", dynamic.count_ops())
        self.assertTrue(is_valid(dynamic, target))

    def test_several_circuits_at_once(self):
        target = line_target(3, "cz")
        circuits = [random_circuit(20, 3, seed) for seed in range(3)]
        with quartz.qiskit.settings(**STEPS):
            better = transpile(circuits, target=target, optimization_method="quartz", seed_transpiler=1)
        for before, after in zip(circuits, better):
            overlap = abs((Operator(before).data.conj() * Operator.from_circuit(after).data).sum()) / 8
            self.assertAlmostEqual(overlap, 1, places=7)


if __name__ == "__main__":
    unittest.main()

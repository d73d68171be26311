"""Circuits of Cirq in Quartz, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import cirq
import numpy

from quartz._core import Circuit, Operation
from quartz.cirq.gates import calls_of
from quartz.cirq.writing import GateWriter
from quartz.errors import UsageError
from quartz.interchange.conditions import bit_values
from quartz.interchange.durations import duration_of_delay, text_of_duration
from quartz.interchange.program import Program
from quartz.interchange.steps import Call, Gate
from quartz.interchange.sympy_symbols import SympySymbols

_FLIP = (Call("x", (0,)),)
_PICOSECONDS = {"s": 10**12, "ms": 10**9, "us": 10**6, "ns": 10**3}
#: The greatest number of operations of circuit operations, nested ones included, that are written out.
_MAX_OPERATIONS = 1_000_000


def from_cirq(circuit: cirq.AbstractCircuit, qubit_order: cirq.QubitOrderOrList = cirq.QubitOrder.DEFAULT) -> Circuit:
    """Returns a circuit of Cirq as a quartz.Circuit with its qubits in this order.

    ``LineQubit.range(n)`` are a register ``q``; any other qubits are registers of one qubit with similar names. A
    measurement key is a register of bits, in the order of the keys. Symbols keep their names. Gates without a name in
    OpenQASM are decomposed, circuit operations are written out, and tags are lost.

    Raises UsageError for an operation that Quartz cannot express, such as a matrix gate, a noise channel, a condition
    on an expression, or a circuit operation that measures.
    """
    reader = _Reader(circuit, cirq.QubitOrder.as_qubit_order(qubit_order).order_for(circuit.all_qubits()))
    for operation in circuit.all_operations():
        reader.add(operation)
    return reader.program.circuit(reader.symbols.expressions, "the circuit of Cirq")


class _Reader:
    """Writes operations of Cirq into a program."""

    def __init__(self, circuit: cirq.AbstractCircuit, qubits: Sequence[cirq.Qid]) -> None:
        self.program = Program()
        self.symbols = SympySymbols(self.program.names)
        self.symbols.declare(cirq.parameter_symbols(circuit))
        if list(qubits) == cirq.LineQubit.range(len(qubits)):
            self.program.add_register("qubit", "q", qubits)
        else:
            for qubit in qubits:
                self.program.add_register("qubit", str(qubit), [qubit])
        self._operations = 0  # in circuit operations
        self._sizes: dict[cirq.MeasurementKey, int] = {}
        for operation in circuit.all_operations():
            gate = operation.without_classical_controls().untagged.gate
            if isinstance(gate, cirq.MeasurementGate):
                self._sizes[gate.mkey] = gate.num_qubits()
        for key, size in sorted(self._sizes.items(), key=lambda item: str(item[0])):
            self.program.add_register("bit", str(key), [(key, index) for index in range(size)])

    def add(self, operation: cirq.Operation) -> None:
        controls = operation.classical_controls
        bits: dict[Any, bool] = {}
        for condition in controls:
            for bit, value in self._tested_bits(condition, operation):
                if bits.setdefault(bit, value) != value:
                    raise UsageError(f"the conditions of {operation} contradict each other")
        with self.program.on_values(list(bits), list(bits.values())):
            self._add_unconditional(operation.without_classical_controls().untagged)

    def _add_unconditional(self, operation: cirq.Operation) -> None:
        gate = operation.gate
        if isinstance(gate, cirq.MeasurementGate) and not gate.confusion_map:
            self._add_measurement(gate, operation.qubits)
        elif isinstance(gate, cirq.ResetChannel) and gate.dimension == 2:
            self.program.add_statement("reset", operation.qubits)
        elif isinstance(operation, cirq.CircuitOperation) and not cirq.is_measurement(operation):
            self._add_circuit(operation)
        elif isinstance(gate, cirq.WaitGate) and set(cirq.qid_shape(gate)) == {2}:
            self._add_wait(operation, gate)
        else:
            calls = calls_of(operation, self.symbols)
            if calls is None:
                raise UsageError(f"Quartz has no operation for {operation!r} of Cirq")
            self.program.add_gates(calls, operation.qubits)

    def _add_circuit(self, operation: cirq.CircuitOperation) -> None:
        """Adds a circuit that measures nothing as often as it is repeated, from its inverse if that number is negative."""
        repetitions: Any = operation.repetitions
        if not isinstance(repetitions, (int, numpy.integer)):
            raise UsageError(f"Quartz has no operation for {operation!r} of Cirq: its repetitions are not a number")
        self._operations += abs(int(repetitions)) * sum(1 for _ in operation.circuit.all_operations())
        if self._operations > _MAX_OPERATIONS:
            raise UsageError(f"the circuit operations have more than {_MAX_OPERATIONS} operations")
        for inner in operation.mapped_circuit().all_operations():
            self.add(inner)

    def _add_wait(self, operation: cirq.Operation, gate: cirq.WaitGate) -> None:
        duration = text_of_duration(gate.duration.total_picos(), "ps")
        if duration is None:
            raise UsageError(f"Quartz has no operation for {operation!r} of Cirq: its duration is not a number")
        self.program.add_statement(f"delay[{duration}]", operation.qubits)

    def _add_measurement(self, gate: cirq.MeasurementGate, qubits: Sequence[cirq.Qid]) -> None:
        inverted = [qubit for qubit, is_inverted in zip(qubits, gate.full_invert_mask()) if is_inverted]
        for qubit in inverted:
            self.program.add_gates(_FLIP, [qubit])
        for index, qubit in enumerate(qubits):
            self.program.add_measurement(qubit, (gate.mkey, index))
        for qubit in inverted:
            self.program.add_gates(_FLIP, [qubit])

    def _tested_bits(self, condition: cirq.Condition, operation: cirq.Operation) -> Iterator[tuple[Any, bool]]:
        """Yields the bits that a condition tests, with the values that they must have."""
        mask, target, equal = None, 0, False
        if isinstance(condition, cirq.BitMaskKeyCondition):
            mask, target, equal = condition.bitmask, condition.target_value, condition.equal_target
        if isinstance(condition, (cirq.KeyCondition, cirq.BitMaskKeyCondition)) and condition.index == -1:
            size = self._sizes[condition.key]
            places = [place for place in range(size) if mask is None or mask >> place & 1]
            is_in_places = target == sum(target & 1 << place for place in places)
            if is_in_places and (equal or len(places) == 1):
                for place in places:  # the first bit is the most significant one
                    yield (condition.key, size - 1 - place), bool(target >> place & 1) == equal
                return
        raise UsageError(f"Quartz has no operation for {operation!r} of Cirq: its condition is not a value of bits")


def to_cirq(circuit: Circuit, qubits: Sequence[cirq.Qid] | None = None) -> cirq.Circuit:
    """Returns a circuit of Quartz as a circuit of Cirq on these qubits.

    Without them, a register ``q`` alone is ``LineQubit.range(n)``; otherwise qubits are named by their registers: ``a``
    if the register has one qubit, and else ``a_0``, ``a_1`` and so on, as in Cirq's reader of OpenQASM. Measurements of
    a whole register in order are one with its name as key; otherwise each bit has a key. Parameters become symbols, and
    the global phase an operation at the end. Barriers are left out: Cirq has none.

    Raises UsageError for an opaque operation or a statement that is kept, for a delay in samples (``dt``), for a
    measurement whose outcome is discarded, and for a condition that is not on the values of bits.
    """
    given = _default_qubits(circuit) if qubits is None else list(qubits)
    if len(given) != circuit.num_qubits:
        raise UsageError(f"the circuit has {circuit.num_qubits} qubits, and {len(given)} are given")
    symbols = SympySymbols.of_parameters(circuit.parameters)
    return cirq.Circuit(_Writer(circuit, given, GateWriter(symbols, circuit.parameters)).operations())


def _default_qubits(circuit: Circuit) -> list[cirq.Qid]:
    if list(circuit.qubit_registers) == ["q"]:
        return list(cirq.LineQubit.range(circuit.num_qubits))
    return [
        cirq.NamedQubit(name if size == 1 else f"{name}_{index}")
        for name, size in circuit.qubit_registers.items()
        for index in range(size)
    ]


class _Writer:
    """Writes the operations of a circuit of Quartz."""

    def __init__(self, circuit: Circuit, qubits: Sequence[cirq.Qid], gates: GateWriter) -> None:
        self._circuit = circuit
        self._qubits = qubits
        self._gates = gates
        self._registers: list[tuple[str, int, int]] = []  # name, index, and size for each bit
        for name, size in circuit.bit_registers.items():
            self._registers += [(name, index, size) for index in range(size)]
        self._keys: dict[int, tuple[str, int, int]] = {}  # key, place and size for each bit that has a value

    def operations(self) -> Iterator[cirq.Operation]:
        self._gates.add_phase(self._circuit.global_phase)
        everything = list(self._circuit)
        position = 0
        while position < len(everything):
            count = self._joint_measurements(everything[position:])
            yield from self._conditional(everything[position : position + count])
            position += count
        yield from self._gates.phase_operations()

    def _joint_measurements(self, operations: Sequence[Operation]) -> int:
        """Returns how many operations the next one of Cirq has: a whole register that is measured in order, or 1."""
        first = operations[0]
        if first.kind != "measure" or not first.bits or first.conditions or self._registers[first.bits[0]][1] != 0:
            return 1
        size = self._registers[first.bits[0]][2]
        expected = [first.bits[0] + index for index in range(size)]
        block = operations[:size]
        is_joint = all(each.kind == "measure" and not each.conditions for each in block)
        is_joint = is_joint and [bit for each in block for bit in each.bits] == expected
        is_joint = is_joint and len({each.qubits for each in block}) == size
        return size if is_joint else 1

    def _conditional(self, operations: Sequence[Operation]) -> Iterator[cirq.Operation]:
        conditions = []
        for condition in operations[0].conditions:
            for bit, value in bit_values(condition, self._circuit).items():
                if bit in self._keys:
                    conditions.append(self._condition(bit, value))
                elif value:
                    return  # a bit that has not been measured is 0
        if conditions and operations[0].kind == "measure":
            raise UsageError("Cirq has no conditional measurement")
        written = list(self._unconditional(operations, bool(conditions)))
        yield from (each.with_classical_controls(*conditions) for each in written) if conditions else written

    def _condition(self, bit: int, value: bool) -> cirq.Condition:
        key, place, size = self._keys[bit]
        mask = 1 << (size - 1 - place)  # the first bit is the most significant one
        return cirq.BitMaskKeyCondition(key, bitmask=mask, target_value=mask * value, equal_target=True)

    def _unconditional(self, operations: Sequence[Operation], is_conditional: bool) -> Iterator[cirq.Operation]:
        first = operations[0]
        qubits = tuple(self._qubits[number] for number in first.qubits)
        if first.kind == "gate":
            gate = Gate(first.name, tuple(first.parameters), qubits)
            yield from self._gates.operations(gate, is_conditional=is_conditional)
        elif first.kind == "measure":
            yield self._measurement(operations)
        elif first.kind == "reset":
            yield cirq.reset(*qubits)
        elif (delay := duration_of_delay(first.name)) is not None and delay[1] in _PICOSECONDS:
            number, unit = delay
            picos = number * _PICOSECONDS[unit]
            yield cirq.wait(*qubits, picos=int(picos) if picos == int(picos) else float(picos))
        elif first.kind != "barrier":
            raise UsageError(f"Cirq has no operation for {first.name}")

    def _measurement(self, operations: Sequence[Operation]) -> cirq.Operation:
        bits: Iterable[int] = [bit for each in operations for bit in each.bits]
        if not bits:
            raise UsageError("Cirq has no measurement whose outcome is discarded")
        name, index, size = self._registers[operations[0].bits[0]]
        key = name if len(operations) == size else f"{name}_{index}"
        for place, bit in enumerate(bits):
            self._keys[bit] = (key, place, len(operations))
        return cirq.measure(*(self._qubits[each.qubits[0]] for each in operations), key=key)

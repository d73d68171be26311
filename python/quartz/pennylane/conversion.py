"""Tapes of PennyLane in Quartz, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pennylane as qml

from quartz._core import Circuit, Operation
from quartz.errors import UsageError
from quartz.interchange.conditions import bit_values
from quartz.interchange.program import Program
from quartz.interchange.steps import Gate
from quartz.pennylane.gates import calls_of, is_barrier, ordered_wires
from quartz.pennylane.symbols import TensorSymbols
from quartz.pennylane.writing import GateWriter


def from_pennylane(tape: qml.tape.QuantumScript, wire_order: Sequence[Any] | None = None) -> Circuit:
    """Returns the operations of a tape as a quartz.Circuit with its wires in this order.

    The wires 0, 1, ... are a register ``q``; any other wires are registers of one qubit with similar names. Without an
    order, numbers are sorted, and other wires are in the order of the tape. The outcomes of mid-circuit measurements
    are the bits of a register ``m``, in the order of the tape; the measurements at the end of the tape are not part of
    the circuit. Each trainable parameter becomes a free parameter s0, s1, ..., and templates become their gates.

    Raises UsageError for an operation that Quartz cannot express, such as a matrix, a channel, a preparation of a state
    or a postselection.
    """
    reader = _Reader(tape, ordered_wires(tape) if wire_order is None else list(wire_order))
    with qml.QueuingManager.stop_recording():
        for operation in tape.operations:
            reader.add(operation)
    return reader.program.circuit(reader.symbols.tensors, "the tape of PennyLane")


class _Reader:
    """Writes operations of PennyLane into a program."""

    def __init__(self, tape: qml.tape.QuantumScript, wires: Sequence[Any]) -> None:
        self.program = Program()
        self.symbols = TensorSymbols()
        self._wires = wires
        if wires == list(range(len(wires))):
            self.program.add_register("qubit", "q", wires)
        else:
            for wire in wires:
                self.program.add_register("qubit", str(wire), [wire])
        measured = [each for each in tape.operations if isinstance(each, qml.ops.MidMeasure)]
        if measured:
            self.program.add_register("bit", "m", [_bit_of(each) for each in measured])

    def add(self, operation: Any) -> None:
        if isinstance(operation, qml.ops.Conditional):
            measured = operation.hyperparameters["meas_val"]
            bits = [_bit_of(each) for each in measured.measurements]
            for outcomes, value in measured.branches.items():
                if value:
                    with self.program.on_values(bits, [bool(each) for each in outcomes]):
                        self.add(operation.base)
        elif isinstance(operation, qml.ops.MidMeasure) and operation.postselect is None:
            self.program.add_measurement(operation.wires[0], _bit_of(operation))
            if operation.reset:
                self.program.add_statement("reset", operation.wires)
        elif is_barrier(operation):
            self.program.add_statement("barrier", operation.wires or self._wires)
        else:
            calls = calls_of(operation, self.symbols)
            if calls is None:
                raise UsageError(f"Quartz has no operation for {operation!r} of PennyLane")
            self.program.add_gates(calls, operation.wires)


def _bit_of(measurement: Any) -> tuple[str, Any]:
    return "outcome of", measurement.meas_uid


def to_pennylane(
    circuit: Circuit, wires: Sequence[Any] | None = None, parameters: Mapping[str, Any] | None = None
) -> qml.tape.QuantumScript:
    """Returns a circuit of Quartz as a tape on these wires, by default 0, 1, ...

    ``parameters`` has a value for each free parameter, which may be a trainable tensor. Measurements are mid-circuit
    measurements, whose ``meas_uid`` is the bit, such as ``c[0]``; the tape has no measurements at its end.

    Raises UsageError for an opaque operation or a statement that is kept, for a condition that is not on the values of
    bits, and for a free parameter without a value.
    """
    labels = list(range(circuit.num_qubits)) if wires is None else list(wires)
    if len(labels) != circuit.num_qubits:
        raise UsageError(f"the circuit has {circuit.num_qubits} qubits, and {len(labels)} wires are given")
    writer = _Writer(circuit, labels, GateWriter(TensorSymbols(parameters), circuit.parameters))
    with qml.QueuingManager.stop_recording():
        return qml.tape.QuantumScript(list(writer.operations()))


class _Writer:
    """Writes the operations of a circuit of Quartz."""

    def __init__(self, circuit: Circuit, wires: Sequence[Any], gates: GateWriter) -> None:
        self._circuit = circuit
        self._wires = wires
        self._gates = gates
        self._bit_names = [f"{name}[{i}]" for name, size in circuit.bit_registers.items() for i in range(size)]
        self._outcomes: dict[int, Any] = {}  # the last measurement into each bit
        self._measurements = 0

    def operations(self) -> Iterator[Any]:
        self._gates.add_phase(self._circuit.global_phase)
        everything = list(self._circuit)
        position = 0
        while position < len(everything):
            count = 2 if _is_measured_and_reset(everything[position : position + 2]) else 1
            yield from self._conditional(everything[position], with_reset=count == 2)
            position += count
        yield from self._gates.phase_operations()

    def _conditional(self, operation: Operation, with_reset: bool) -> Iterator[Any]:
        tested: list[tuple[Any, bool]] = []
        for condition in operation.conditions:
            for bit, value in bit_values(condition, self._circuit).items():
                if bit in self._outcomes:
                    tested.append((self._outcomes[bit], value))
                elif value:
                    return  # a bit that has not been measured is 0
        written = self._unconditional(operation, bool(tested), with_reset)
        if not tested:
            yield from written
            return
        if operation.kind in ("measure", "reset"):
            raise UsageError(f"PennyLane has no conditional {operation.kind}")
        value = all_of(tested)
        for each in written:
            yield qml.ops.Conditional(value, each)

    def _unconditional(self, operation: Operation, is_conditional: bool, with_reset: bool) -> Iterator[Any]:
        wires = [self._wires[number] for number in operation.qubits]
        if operation.kind == "gate":
            gate = Gate(operation.name, tuple(operation.parameters), tuple(wires))
            yield from self._gates.operations(gate, is_conditional=is_conditional)
        elif operation.kind == "barrier":
            yield qml.Barrier(wires)
        elif operation.kind in ("measure", "reset"):
            yield self._measurement(operation, wires, with_reset or operation.kind == "reset")
        else:
            raise UsageError(f"PennyLane has no operation for {operation.name}")

    def _measurement(self, operation: Operation, wires: Sequence[Any], is_reset: bool) -> Any:
        """Returns a measurement, or a reset, which is a measurement in PennyLane."""
        self._measurements += 1
        name = f"{operation.kind} {self._measurements}"
        if operation.bits and operation.bits[0] not in self._outcomes:
            name = self._bit_names[operation.bits[0]]
        measurement = qml.ops.MidMeasure(wires, reset=is_reset, meas_uid=name)
        for bit in operation.bits:
            self._outcomes[bit] = measurement
        return measurement


def _is_measured_and_reset(operations: Sequence[Operation]) -> bool:
    """Returns whether two operations are a measurement and a reset of the same qubit, on no condition."""
    kinds = [each.kind for each in operations]
    is_conditional = any(each.conditions for each in operations)
    return kinds == ["measure", "reset"] and not is_conditional and operations[0].qubits == operations[1].qubits


def all_of(tested: Sequence[tuple[Any, bool]]) -> Any:
    """Returns the value that is true if all measurements have these outcomes."""
    values = dict(tested)
    is_possible = all(values[measurement] == value for measurement, value in tested)
    expected = list(values.values())
    return qml.ops.MeasurementValue(
        list(values), lambda *outcomes: is_possible and [bool(each) for each in outcomes] == expected
    )

"""Circuits of Quartz, as they were read from a file, in Qiskit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qiskit.circuit import (
    Barrier,
    CircuitInstruction,
    ClassicalRegister,
    Delay,
    Gate,
    Measure,
    Parameter,
    QuantumCircuit,
    QuantumRegister,
    Reset,
)
from qiskit.circuit.classical import expr

from quartz._core import Circuit, Condition, Operation
from quartz.errors import UsageError
from quartz.interchange.durations import duration_of_delay
from quartz.qiskit.expressions import value_of_angle
from quartz.qiskit.gates import standard_gate


def to_qiskit(circuit: Circuit) -> QuantumCircuit:
    """Returns a circuit of Quartz as a circuit of Qiskit: registers, parameters, measurements, conditions, and the global
    phase. An opaque operation becomes a gate without a definition.

    Raises UsageError for a gate that Qiskit does not have, for a statement that is kept, such as a loop, for a
    measurement whose outcome is discarded, and for a condition with operators.
    """
    converted = QuantumCircuit(
        *(QuantumRegister(size, name) for name, size in circuit.qubit_registers.items()),
        *(ClassicalRegister(size, name) for name, size in circuit.bit_registers.items()),
    )
    parameters = {name: Parameter(name) for name in circuit.parameters}
    converted.global_phase = value_of_angle(circuit.global_phase, parameters)
    qubits = converted.qubits
    for operation in circuit:
        if operation.kind == "gate" and not operation.conditions:
            # The gate is valid, and checking it takes longer than everything else here.
            places = [qubits[number] for number in operation.qubits]
            converted._append(CircuitInstruction(_operation(operation, parameters), places, ()))
        else:
            _append(converted, converted, operation, operation.conditions, parameters)
    return converted


def _append(
    whole: QuantumCircuit,
    body: QuantumCircuit,
    operation: Operation,
    conditions: Sequence[Condition],
    parameters: dict[str, Parameter],
) -> None:
    """Appends an operation to a body, within its conditions."""
    if conditions:
        with body.if_test(_test_of(whole, conditions[0])):
            _append(whole, body, operation, conditions[1:], parameters)
        return
    qubits = [whole.qubits[number] for number in operation.qubits]
    if (delay := duration_of_delay(operation.name)) is not None:
        number, unit = delay
        duration = float(number) if number.as_tuple().exponent else int(number)
        for qubit in qubits:
            body.append(Delay(duration, unit), [qubit])
        return
    bits = [whole.clbits[number] for number in operation.bits]
    body.append(_operation(operation, parameters), qubits, bits)


def _test_of(circuit: QuantumCircuit, condition: Condition) -> Any:
    if condition.register is None:
        raise UsageError(f"the condition {condition.expression} is not a comparison with a number")
    register = next(each for each in circuit.cregs if each.name == condition.register)
    if condition.element is not None:
        return (register[condition.element], int(condition.value != 0) ^ int(condition.negated))
    return expr.not_equal(register, condition.value) if condition.negated else (register, condition.value)


def _operation(operation: Operation, parameters: dict[str, Parameter]) -> Any:
    kind = operation.kind
    if kind == "measure":
        if not operation.bits:
            raise UsageError("Qiskit has no measurement whose outcome is discarded")
        return Measure()
    if kind == "reset":
        return Reset()
    if kind == "barrier":
        return Barrier(len(operation.qubits))
    values = [value_of_angle(angle, parameters) for angle in operation.parameters]
    if kind == "opaque":
        if not operation.name.isidentifier():  # a statement that is kept, such as a loop
            raise UsageError(f"Qiskit has no operation for the statement {operation.name} of Quartz")
        return Gate(operation.name, len(operation.qubits), values)
    gate = standard_gate(operation.name, values)
    if gate is None:
        raise UsageError(f"Qiskit has no gate for the gate {operation.name} of Quartz")
    return gate

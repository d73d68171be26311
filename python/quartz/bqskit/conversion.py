"""Circuits of BQSKit in Quartz, and back."""

from __future__ import annotations

from bqskit import Circuit as BqskitCircuit
from bqskit.ir import gates

from quartz._core import Circuit, Operation
from quartz.bqskit.gates import calls_of, native_gate
from quartz.errors import UsageError
from quartz.interchange.common_gates import with_native_gates
from quartz.interchange.program import Program
from quartz.interchange.steps import Gate


def from_bqskit(circuit: BqskitCircuit) -> Circuit:
    """Returns a circuit of BQSKit as a quartz.Circuit with one register ``q`` and the classical registers of its
    measurements. Blocks and composed gates become their gates.

    Raises UsageError for a qudit that is no qubit, and for a gate that Quartz does not know, such as a unitary.
    """
    if not circuit.is_qubit_only():
        raise UsageError("the circuit of BQSKit has qudits that are not qubits")
    program = Program()
    program.add_register("qubit", "q", range(circuit.num_qudits))
    registers: dict[str, int] = {}
    for operation in circuit:
        if isinstance(operation.gate, gates.MeasurementPlaceholder):
            registers.update(operation.gate.classical_regs)
    for name, size in registers.items():
        program.add_register("bit", name, [(name, index) for index in range(size)])
    for operation in circuit:
        location = list(operation.location)
        if isinstance(operation.gate, gates.MeasurementPlaceholder):
            for qubit, bit in operation.gate.measurements.items():
                program.add_measurement(qubit, bit)
        elif isinstance(operation.gate, gates.Reset):
            program.add_statement("reset", location)
        elif isinstance(operation.gate, gates.BarrierPlaceholder):
            program.add_statement("barrier", location)
        else:
            calls = calls_of(operation.gate, operation.params)
            if calls is None:
                raise UsageError(f"Quartz has no operation for {operation.gate.name} of BQSKit")
            program.add_gates(calls, location)
    return program.circuit((), "the circuit of BQSKit")


def to_bqskit(circuit: Circuit) -> BqskitCircuit:
    """Returns a circuit of Quartz as a circuit of BQSKit: qubits by their numbers, measurements with the names of their
    registers. Gates that BQSKit does not have are written in those that it has. BQSKit has no global phases: that of
    the circuit is lost.

    Raises UsageError for free parameters, conditions, opaque operations and statements that are kept, and for a
    measurement whose outcome is discarded.
    """
    if circuit.parameters:
        raise UsageError(f"BQSKit has no free parameters, and the circuit has {', '.join(circuit.parameters)}")
    converted = BqskitCircuit(circuit.num_qubits)
    bits = [(name, index) for name, size in circuit.bit_registers.items() for index in range(size)]
    measured: dict[int, tuple[str, int]] = {}
    for operation in circuit:
        if operation.conditions:
            raise UsageError(f"BQSKit has no conditions, and {operation.name} has one")
        if operation.kind == "measure":
            if not operation.bits:
                raise UsageError("BQSKit has no measurement whose outcome is discarded")
            if operation.qubits[0] in measured:
                _append_measurements(converted, circuit, measured)
            measured[operation.qubits[0]] = bits[operation.bits[0]]
            continue
        _append_measurements(converted, circuit, measured)
        _append(converted, operation)
    _append_measurements(converted, circuit, measured)
    return converted


def _append_measurements(converted: BqskitCircuit, circuit: Circuit, measured: dict[int, tuple[str, int]]) -> None:
    """Appends measurements that follow one another, as one operation, and forgets them."""
    if measured:
        gate = gates.MeasurementPlaceholder(list(circuit.bit_registers.items()), dict(measured))
        converted.append_gate(gate, list(measured))
        measured.clear()


def _append(converted: BqskitCircuit, operation: Operation) -> None:
    qubits = list(operation.qubits)
    if operation.kind == "gate":
        append_gate(converted, Gate(operation.name, tuple(operation.parameters), tuple(qubits)))
    elif operation.kind == "reset":
        converted.append_gate(gates.Reset(), qubits)
    elif operation.kind == "barrier":
        converted.append_gate(gates.BarrierPlaceholder(len(qubits)), qubits)
    else:
        raise UsageError(f"BQSKit has no operation for {operation.name}")


def append_gate(converted: BqskitCircuit, gate: Gate) -> None:
    """Appends a gate of Quartz, whose qubits are numbers, up to a global phase."""
    for each in with_native_gates(gate, _is_native)[0]:
        native = gates.IdentityGate(len(each.qubits)) if each.name == "id" else native_gate(each.name)
        assert native is not None
        converted.append_gate(native, list(each.qubits), [float(angle) for angle in each.parameters])


def _is_native(name: str) -> bool:
    return name == "id" or native_gate(name) is not None

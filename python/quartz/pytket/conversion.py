"""Circuits of pytket in Quartz, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytket import Circuit as PytketCircuit
from pytket.circuit import OpType

from quartz._core import Angle, Circuit, Condition, Operation
from quartz.errors import UsageError
from quartz.interchange.common_gates import with_native_gates
from quartz.interchange.conditions import bit_values
from quartz.interchange.program import Program
from quartz.interchange.steps import Gate
from quartz.interchange.sympy_symbols import SympySymbols
from quartz.pytket.gates import calls_of, is_native, native_gate

_NAME = "the circuit of pytket"


def explicit_circuit(circuit: PytketCircuit) -> PytketCircuit:
    """Returns a circuit with swaps in place of the permutation of its wires."""
    if not circuit.has_implicit_wireswaps:
        return circuit
    explicit = circuit.copy()
    explicit.replace_implicit_wire_swaps()
    return explicit


def from_pytket(circuit: PytketCircuit) -> Circuit:
    """Returns a circuit of pytket as a quartz.Circuit with the same registers, symbols, measurements, conditions and
    global phase.

    Boxes become their gates. An implicit permutation of the wires becomes swaps. A symbol keeps its name, and its value
    is what it is in pytket: ``Rz(a)`` becomes ``rz(pi*a)``. The qubits of a register whose indices are not 0, 1, ...
    are numbered in their order.

    Raises UsageError for an operation that Quartz cannot express, such as a unitary box or a classical operation.
    """
    explicit = explicit_circuit(circuit)
    program = Program()
    symbols = SympySymbols(program.names)
    symbols.declare(explicit.free_symbols())
    for kind, units in (("qubit", explicit.qubits), ("bit", explicit.bits)):
        registers: dict[str, list[Any]] = {}
        for unit in units:
            registers.setdefault(unit.reg_name, []).append(unit)
        for name, members in registers.items():
            program.add_register(kind, name, members)
    text_of = _half_turn_text(symbols)
    program.add_phase(text_of(explicit.phase))
    for command in explicit.get_commands():
        _add(program, command.op, command.args, text_of)
    return program.circuit(symbols.expressions, _NAME)


def _half_turn_text(symbols: SympySymbols) -> Any:
    return lambda value: symbols.text_of(value, in_half_turns=True)


def _add(program: Program, op: Any, args: Sequence[Any], text_of: Any) -> None:
    if op.type == OpType.Conditional:
        bits = args[: op.width]
        with program.on_values(bits, [bool(op.value >> place & 1) for place in range(op.width)]):
            _add(program, op.op, args[op.width :], text_of)
    elif op.type == OpType.Measure:
        program.add_measurement(*args)
    elif op.type == OpType.Reset:
        program.add_statement("reset", args)
    elif op.type == OpType.Barrier:
        program.add_statement("barrier", [unit for unit in args if unit.type.name == "qubit"])
    else:
        calls = calls_of(op, len(args), text_of)
        if calls is None:
            raise UsageError(f"Quartz has no operation for {op} of pytket")
        program.add_gates(calls, args)


def to_pytket(circuit: Circuit) -> PytketCircuit:
    """Returns a circuit of Quartz as a circuit of pytket: registers, parameters as symbols, measurements, conditions
    and the global phase. Gates that pytket does not have are written in those that it has.

    Raises UsageError for an opaque operation or a statement that is kept, for a measurement whose outcome is discarded,
    and for a condition that is not on the values of bits.
    """
    converted = PytketCircuit()
    qubits = [unit for name, size in circuit.qubit_registers.items() for unit in converted.add_q_register(name, size)]
    bits = [unit for name, size in circuit.bit_registers.items() for unit in converted.add_c_register(name, size)]
    writer = GateWriter(converted, SympySymbols.of_parameters(circuit.parameters), circuit.parameters)
    writer.add_phase(circuit.global_phase)
    for operation in circuit:
        places = [qubits[number] for number in operation.qubits]
        tested = _tested_bits(operation.conditions, circuit, bits)
        condition = condition_of(tested)
        if operation.kind == "gate":
            writer.add(Gate(operation.name, tuple(operation.parameters), tuple(places)), condition)
        elif operation.kind == "barrier":
            converted.add_barrier(places)
        else:
            targets = places + [bits[number] for number in operation.bits]
            converted.add_gate(_boundary_type(operation), targets, **condition)
    return converted


def condition_of(tested: Mapping[Any, bool]) -> dict[str, Any]:
    """Returns the arguments of pytket for the condition that bits have these values."""
    return {"condition_bits": list(tested), "condition_value": _number(tested.values())} if tested else {}


def _boundary_type(operation: Operation) -> OpType:
    if operation.kind == "measure" and not operation.bits:
        raise UsageError("pytket has no measurement whose outcome is discarded")
    if operation.kind not in ("measure", "reset"):
        raise UsageError(f"pytket has no operation for {operation.name}")
    return OpType.Measure if operation.kind == "measure" else OpType.Reset


def _number(values: Any) -> int:
    """Returns the number whose bits are given, the least significant one first."""
    return sum(int(value) << place for place, value in enumerate(values))


def _tested_bits(conditions: Sequence[Condition], circuit: Circuit, bits: Sequence[Any]) -> dict[Any, bool]:
    """Returns the bits that conditions test, with the values that they must have."""
    tested: dict[Any, bool] = {}
    for condition in conditions:
        for number, value in bit_values(condition, circuit).items():
            if tested.setdefault(bits[number], value) != value:
                raise UsageError("the conditions of an operation contradict each other")
    return tested


class GateWriter:
    """Appends gates of Quartz to a circuit of pytket."""

    def __init__(self, circuit: PytketCircuit, symbols: SympySymbols, parameters: Sequence[str]) -> None:
        self._circuit = circuit
        self._symbols = symbols
        self._parameters = list(parameters)

    def add(self, gate: Gate, condition: dict[str, Any]) -> None:
        gates, phase = with_native_gates(gate, is_native, self._parameters)
        for each in gates:
            values = [self._symbols.value_of(angle, in_half_turns=True) for angle in each.parameters]
            self._circuit.add_gate(*native_gate(each.name, values), list(each.qubits), **condition)
        if not condition:  # a phase that depends on classical bits is not observable
            self.add_phase(phase)

    def add_phase(self, angle: Angle) -> None:
        self._circuit.add_phase(self._symbols.value_of(angle, in_half_turns=True))

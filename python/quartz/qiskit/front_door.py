"""Optimizing a circuit of Qiskit with one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from qiskit.circuit import (
    AncillaRegister,
    Barrier,
    CircuitInstruction,
    ClassicalRegister,
    Clbit,
    ControlFlowOp,
    QuantumCircuit,
    Qubit,
)
from qiskit.providers import Backend
from qiskit.transpiler import Target

from quartz._core import Circuit, GateSet
from quartz.arguments import GateSetLike, with_article
from quartz.caller import warn_caller
from quartz.errors import InputError, UsageError
from quartz.interchange.optimization import Options
from quartz.optimization import OptimizeResult
from quartz.optimization import optimize as optimize_circuit
from quartz.options import SearchOptions
from quartz.qiskit.conversion import Conversion, placed_operations
from quartz.qiskit.layout import set_layout

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = ..., *, with_result: Literal[False] = ..., **options: Unpack[SearchOptions]
) -> QuantumCircuit: ...


@overload
def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = ..., *, with_result: Literal[True], **options: Unpack[SearchOptions]
) -> tuple[QuantumCircuit, OptimizeResult]: ...


def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = "nam", *, with_result: bool = False, **options: Unpack[SearchOptions]
) -> QuantumCircuit | tuple[QuantumCircuit, OptimizeResult]:
    """Returns a cheaper circuit in gates of the set that is equal to the given one, global phase included.

    ``options`` are those of ``quartz.optimize``: ``cost``, ``time``, ``threads``, ``seed`` and so on. With
    ``with_result``, the quartz.OptimizeResult is returned as well; its circuits contain only the qubits that gates act
    on.

    Registers, names, parameters, measurements and control flow are kept. Composite gates are expanded. An operation
    that is not a gate stays as it is; no gate moves across it. The bodies of control flow are optimized as circuits of
    their own, in a part of the time; a RuntimeWarning names an operation whose body stays as it is. With
    ``permutation="free"``, the layout of the result says where each qubit ends (``layout.final_index_layout()``). With
    ``ancillas``, the result has further registers: an AncillaRegister, and a ClassicalRegister for each outcome.
    Circuits for a device are compiled by ``transpile(circuit, backend, optimization_method="quartz")``.

    Raises UsageError for a gate set with gates that Qiskit does not have, and as ``quartz.optimize`` does.
    """
    _require_types(circuit, gate_set)
    chosen = Options(gate_set, options)
    if chosen.ancillas and circuit.layout is not None:
        raise UsageError("ancillas are more qubits, and the layout of the circuit says that it is for a device")
    notes: list[str] = []
    optimized, result = _optimized(circuit, chosen, _size(circuit), notes)
    for note in dict.fromkeys(notes):
        warn_caller(note)
    return (optimized, result) if with_result else optimized


def _require_types(circuit: object, gate_set: object) -> None:
    if not isinstance(circuit, QuantumCircuit):
        hint = "; call it for each circuit" if isinstance(circuit, (list, tuple)) else ""
        raise TypeError(f"optimize(): circuit is {with_article(circuit)}, expected a QuantumCircuit of Qiskit{hint}")
    if gate_set is not None and not isinstance(gate_set, (GateSet, str, os.PathLike)):
        hint = ""
        if isinstance(gate_set, (Target, Backend)):
            hint = "; transpile(circuit, backend, optimization_method='quartz') of Qiskit takes a backend or a target"
        elif isinstance(gate_set, (list, tuple, set)):
            hint = "; transpile(circuit, basis_gates=[...], optimization_method='quartz') of Qiskit takes names of gates"
        expected = "a quartz.GateSet, the name of a bundled one, or the path of a file"
        raise TypeError(f"optimize(): gate_set is {with_article(gate_set)}, expected {expected}{hint}")


def _size(circuit: QuantumCircuit) -> int:
    """Returns the number of operations, those in bodies of control flow included."""
    return sum(1 + sum(_size(block) for block in _blocks_of(each.operation)) for each in circuit.data)


def _blocks_of(operation: Any) -> Sequence[QuantumCircuit]:
    return operation.blocks if isinstance(operation, ControlFlowOp) else ()


def _optimized(
    circuit: QuantumCircuit, options: Options, size: int, notes: list[str]
) -> tuple[QuantumCircuit, OptimizeResult]:
    """Returns a cheaper circuit and the result for it without bodies of control flow. The time is that of a circuit of
    this size, of which the given one may be a part. Adds to ``notes`` which bodies stay as they are, and why."""
    ignores_barriers = options.others.get("barriers") == "ignore"
    placed = [each for each in placed_operations(circuit) if not (ignores_barriers and isinstance(each[0], Barrier))]
    qubits = circuit.qubits if options.numbers_qubits else None
    conversion = Conversion(placed, circuit.global_phase, qubits=qubits, may_permute=options.may_permute)
    chosen = options.for_circuit(conversion.measures)
    share = len(circuit.data) / size if size > 0 else 1
    others = {**chosen.others, "time": options.time * share} if share < 1 else chosen.others
    with conversion.messages_of_package():
        result = optimize_circuit(conversion.circuit, options.gate_set, **others)
    optimized = circuit.copy_empty_like()
    ancillas, outcomes = _add_ancillas(optimized, conversion, result.circuit)
    for operation, places, clbits in conversion.placed(result.circuit, ancillas=ancillas, outcomes=outcomes):
        if isinstance(operation, ControlFlowOp) and not any(bit in outcomes for bit in clbits):
            bodies = [_optimized_body(operation.name, each, options, size, notes) for each in operation.blocks]
            operation = operation.replace_blocks(bodies)
        # The operations are valid, and checking them takes longer than everything else here.
        optimized._append(CircuitInstruction(operation, places, clbits))
    optimized.global_phase = conversion.global_phase(result.circuit)
    set_layout(optimized, circuit.layout, conversion.final_places(result.permutation))
    return optimized, result


def _add_ancillas(optimized: QuantumCircuit, conversion: Conversion, circuit: Circuit) -> tuple[list[Qubit], list[Clbit]]:
    """Adds the registers that a circuit has besides those of the conversion, and returns their qubits and bits."""
    qubits: list[Qubit] = []
    clbits: list[Clbit] = []
    taken = {register.name for register in [*optimized.qregs, *optimized.cregs]}
    for name, size in _last_registers(circuit.qubit_registers, conversion.ancillas_of(circuit)):
        ancillas = AncillaRegister(size, _free_name(name, taken))
        optimized.add_register(ancillas)
        qubits += ancillas
    for name, size in _last_registers(circuit.bit_registers, conversion.outcomes_of(circuit)):
        outcomes = ClassicalRegister(size, _free_name(name, taken))
        optimized.add_register(outcomes)
        clbits += outcomes
    return qubits, clbits


def _last_registers(registers: Mapping[str, int], members: int) -> list[tuple[str, int]]:
    """Returns the last registers, which have this many members."""
    last: list[tuple[str, int]] = []
    for name, size in reversed(list(registers.items())):
        if members == 0:
            break
        last.insert(0, (name, size))
        members -= size
    return last


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free)
    return free


def _optimized_body(
    name: str, body: QuantumCircuit, options: Options, size: int, notes: list[str]
) -> QuantumCircuit:
    """Returns the body of an operation optimized; the body itself, with a note, if that cannot be done."""
    reason = "the check of the result could not decide"
    if options.numbers_qubits:
        reason = "the pairs of the coupling map are about the qubits of the whole circuit"
    else:
        try:
            optimized, result = _optimized(body, options.for_body(), size, notes)
            if result.checked or options.others.get("check") == "off":
                return optimized
        except (InputError, UsageError) as error:
            reason = f"{error}{'; epsilon does not apply to bodies' if options.others.get('epsilon') else ''}"
    notes.append(f"a body of the operation {name} is left as it is, in the gates that it has: {reason}")
    return body

"""The transform of PennyLane that runs Quartz."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pennylane as qml

from quartz._core import Circuit
from quartz.arguments import GateSetLike
from quartz.errors import UsageError
from quartz.interchange.conversion import Conversion
from quartz.interchange.optimization import AUTO, Options
from quartz.interchange.steps import AncillaStep, BoundaryKind, Gate, Step
from quartz.optimization import OptimizeResult
from quartz.options import SearchOptions
from quartz.pennylane.conversion import all_of
from quartz.pennylane.gates import calls_of, is_barrier, ordered_wires
from quartz.pennylane.symbols import TensorSymbols
from quartz.pennylane.writing import GateWriter

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Tapes = Sequence[qml.tape.QuantumScript]


@qml.transform
def optimize(
    tape: qml.tape.QuantumScript, gate_set: GateSetLike = AUTO, **options: Unpack[SearchOptions]
) -> tuple[_Tapes, Callable[[Sequence[Any]], Any]]:
    """Replaces the operations of a circuit by cheaper ones that are equal to them, global phase included.

    A transform: it takes a QNode, a quantum function or a tape. ``gate_set`` is the one of the result, or ``auto`` for
    the gates that the circuit has. ``options`` are those of ``quartz.optimize``: ``cost``, ``time``, ``threads``,
    ``seed``, ``barriers`` and so on. With ``auto``, the cost is by default ``two-qubit,two-qubit-depth,total``, and
    ``t,two-qubit,total`` for Clifford+T circuits.

    Trainable parameters stay trainable: each is a symbol, and what holds for all its values is used. A circuit is
    searched once, and not again for other values of them. Mid-circuit measurements, conditional operations, channels,
    matrices, preparations of states, gates with batches of parameters, fractional powers that are another root than
    their decomposition, and everything else that Quartz does not know are kept; no gate moves across them. Templates
    become their gates. The measurements at the end are the same; ``program`` therefore only assumes that wires start in
    state zero, unless they are all of mid-circuit measurements.
    With ``ancillas``, the result has further wires, which start in state zero: the next numbers if all wires are numbers,
    and otherwise ``ancilla_0`` and so on. The device must have them, and measurements at the end must name their wires.
    Raises as ``quartz.optimize`` does.
    """
    chosen = Options(gate_set, options)
    chosen.require_order("the measurements at the end of a tape are on its wires")
    with qml.QueuingManager.stop_recording():
        return [_optimized(tape, chosen)], _only_result


def _only_result(results: Sequence[Any]) -> Any:
    return results[0]


def _optimized(tape: qml.tape.QuantumScript, options: Options) -> qml.tape.QuantumScript:
    if options.others.get("final_state") == "discarded" and not _discards_wires(tape):
        raise UsageError("the wires of the tape are measured at its end, and not discarded")
    if options.ancillas and not all(measurement.wires for measurement in tape.measurements):
        raise UsageError("ancillas are more wires, and a measurement of the tape is one of all wires; name its wires")
    symbols = TensorSymbols()
    steps = options.kept_steps(_steps(tape, symbols))
    conversion = Conversion(steps, symbols.tensors, ordered_wires(tape), "the tape of PennyLane")
    with conversion.messages_of_package():
        result = _result_of(conversion.circuit, options.for_circuit(_discards_wires(tape)))
    if result is None:
        return tape
    writer = GateWriter(symbols, list(symbols.tensors))
    writer.add_phase(result.circuit.global_phase)
    operations: list[Any] = []
    measured: dict[int, Any] = {}  # the last measurement of each outcome
    ancillas = _free_wires(tape, conversion.ancillas_of(result.circuit))
    for each in conversion.restored(result.circuit, ancillas, range(conversion.outcomes_of(result.circuit))):
        if isinstance(each, Step):
            operations.append(each.operation)
        elif isinstance(each, Gate):
            tests = [(measured[outcome], value) for outcome, value in each.conditions]
            gates = writer.operations(each, is_conditional=bool(tests))
            operations += (qml.ops.Conditional(all_of(tests), own) if tests else own for own in gates)
        else:
            operations.append(_measurement(each, len(operations)))
            if each.outcome is not None:
                measured[each.outcome] = operations[-1]
    operations += writer.phase_operations()
    optimized = tape.copy(operations=operations)
    if optimized.wires != tape.wires and not all(measurement.wires for measurement in tape.measurements):
        # A measurement without wires is one of all wires of the tape, in their order.
        optimized = tape.copy(operations=[qml.Identity(tape.wires), *operations])
    return optimized


def _free_wires(tape: qml.tape.QuantumScript, number: int) -> list[Any]:
    """Returns wires that a tape does not have: the next numbers, or names."""
    if all(isinstance(each, int) for each in tape.wires):
        first = max(tape.wires, default=-1) + 1
        return list(range(first, first + number))
    names = (f"ancilla_{index}" for index in itertools.count())
    return list(itertools.islice((name for name in names if name not in tape.wires), number))


def _measurement(step: AncillaStep, place: int) -> Any:
    """Returns a measurement of an ancilla, or a reset, which is a measurement in PennyLane."""
    return qml.ops.MidMeasure([step.qubit], reset=step.outcome is None, meas_uid=f"quartz ancilla {place}")


def _discards_wires(tape: qml.tape.QuantumScript) -> bool:
    """Returns whether only the outcomes of mid-circuit measurements count in the end."""
    return bool(tape.measurements) and all(each.mv is not None for each in tape.measurements)


def _result_of(circuit: Circuit, options: Options) -> OptimizeResult | None:
    """Returns the result for a circuit. A QNode is transformed at each call, with other values of its trainable
    parameters; the circuit is then the same, and so is the result."""
    try:
        return _search(circuit.to_qasm(), options.gate_set, tuple(sorted(options.others.items())))
    except TypeError:  # an argument that has no hash
        return options.run(circuit)


@lru_cache(maxsize=64)
def _search(text: str, gate_set: Any, others: tuple[tuple[str, Any], ...]) -> OptimizeResult | None:
    return Options(gate_set, dict(others)).run(Circuit.from_qasm(text, name="the tape of PennyLane"))


def _steps(tape: qml.tape.QuantumScript, symbols: TensorSymbols) -> Iterator[Step]:
    for operation in tape.operations:
        calls = calls_of(operation, symbols)
        kind: BoundaryKind = "kept"
        is_known = calls is not None or _is_unitary(operation)
        if is_barrier(operation):
            kind, is_known = "barrier", True
        elif isinstance(operation, qml.ops.MidMeasure) and not operation.reset and operation.postselect is None:
            kind = "measure"
        has_all = is_barrier(operation) or isinstance(operation, qml.Snapshot)
        wires = tuple(operation.wires) or (tuple(tape.wires) if has_all else ())
        yield Step(operation, wires, calls, kind, is_ordered=not is_known, name=operation.name)


def _is_unitary(operation: Any) -> bool:
    is_other = isinstance(operation, (qml.ops.Conditional, qml.operation.StatePrepBase, qml.operation.Channel))
    return not is_other and bool(operation.has_matrix)

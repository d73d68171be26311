"""The transformer of Cirq that runs Quartz."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import cirq

from quartz.arguments import GateSetLike
from quartz.cirq.gates import calls_of
from quartz.cirq.writing import GateWriter
from quartz.interchange.conversion import Conversion
from quartz.interchange.optimization import AUTO, Options
from quartz.interchange.steps import BoundaryKind, Gate, Step
from quartz.interchange.sympy_symbols import SympySymbols
from quartz.options import SearchOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Options that are about a circuit with certain qubits, which have certain states before and after it, or that add
#: qubits to it.
_OF_WHOLE_CIRCUITS = frozenset({"program", "initial_state", "final_state", "coupling", "ancillas"})


@cirq.transformer
def optimize(
    circuit: cirq.AbstractCircuit,
    *,
    context: cirq.TransformerContext | None = None,
    gate_set: GateSetLike = AUTO,
    **options: Unpack[SearchOptions],
) -> cirq.Circuit:
    """Returns a cheaper circuit that is equal to the given one, global phase included.

    A transformer. ``gate_set`` is the one of the result, or ``auto`` for the gates that the circuit has. ``options``
    are those of ``quartz.optimize``: ``cost``, ``time``, ``threads``, ``seed`` and so on. With ``auto``, the cost is by
    default ``two-qubit,two-qubit-depth,total``, and ``t,two-qubit,total`` for Clifford+T circuits.

    Symbols, measurements, classically controlled operations, noise and circuit operations are kept, and so are
    operations with a tag of ``context.tags_to_ignore``, matrix gates, and everything else that Quartz does not know; no
    gate moves across them. With ``context.deep``, the circuits of circuit operations are optimized too. The global
    phase is an operation at the end. With ``ancillas``, the result has further qubits, which start in state zero: the
    next ones on the line if all qubits are on it, and otherwise named ones, which are sorted after the others. Their measurements have the keys
    ``outcome_0`` and so on, and the circuits of circuit operations get none. Raises as ``quartz.optimize`` does.
    """
    chosen = Options(gate_set, options)
    chosen.require_order("a circuit of Cirq does not say where its qubits end")
    return _optimized(circuit, chosen, context or cirq.TransformerContext())


def _optimized(circuit: cirq.AbstractCircuit, options: Options, context: cirq.TransformerContext) -> cirq.Circuit:
    ignored = set(context.tags_to_ignore)
    operations = list(circuit.all_operations())
    if context.deep:
        operations = [_with_optimized_circuit(each, options, context) for each in operations]
    symbols = SympySymbols()
    steps = options.kept_steps(_steps(operations, symbols, ignored))
    conversion = Conversion(steps, symbols.expressions, sorted(circuit.all_qubits()), "the circuit of Cirq")
    with conversion.messages_of_package():
        result = options.for_circuit(conversion.measures).run(conversion.circuit)
    if result is None:
        return cirq.Circuit(operations) if context.deep else circuit.unfreeze()
    writer = GateWriter(symbols, symbols.expressions)
    writer.add_phase(result.circuit.global_phase)
    ancillas = _free_qubits(circuit, conversion.ancillas_of(result.circuit))
    optimized: list[cirq.Operation] = []
    keys = _free_keys(circuit)
    key_of: dict[int, str] = {}  # by outcome; each measurement has a key of its own
    for each in conversion.restored(result.circuit, ancillas, range(conversion.outcomes_of(result.circuit))):
        if isinstance(each, Step):
            optimized.append(each.operation)
        elif isinstance(each, Gate):
            tests = [_test_of(key_of[outcome], value) for outcome, value in each.conditions]
            written = writer.operations(each, is_conditional=bool(tests))
            optimized += (own.with_classical_controls(*tests) if tests else own for own in written)
        elif each.outcome is None:
            optimized.append(cirq.reset(each.qubit))
        else:
            key_of[each.outcome] = next(keys)
            optimized.append(cirq.measure(each.qubit, key=key_of[each.outcome]))
    return cirq.Circuit(optimized, writer.phase_operations())


def _free_qubits(circuit: cirq.AbstractCircuit, number: int) -> list[cirq.Qid]:
    """Returns qubits that come after those of a circuit: the next ones on its line, or named ones."""
    taken = circuit.all_qubits()
    if all(isinstance(each, cirq.LineQubit) for each in taken):
        first = max((each.x for each in taken if isinstance(each, cirq.LineQubit)), default=-1) + 1
        return list(cirq.LineQubit.range(first, first + number))
    last = max((each for each in taken if isinstance(each, cirq.NamedQubit)), default=None)
    is_behind = last is None or cirq.NamedQubit("ancilla_0") > last
    prefix = "ancilla" if is_behind or last is None else f"{last.name}_ancilla"
    return [cirq.NamedQubit(f"{prefix}_{index}") for index in range(number)]


def _free_keys(circuit: cirq.AbstractCircuit) -> Iterator[str]:
    """Yields measurement keys that a circuit does not have."""
    taken = {key.name for key in circuit.all_measurement_key_objs()} | {str(key) for key in cirq.control_keys(circuit)}
    return (f"outcome_{index}" for index in itertools.count() if f"outcome_{index}" not in taken)


def _test_of(key: str, value: bool) -> cirq.Condition:
    return cirq.BitMaskKeyCondition(key, bitmask=1, target_value=int(value), equal_target=True)


def _with_optimized_circuit(
    operation: cirq.Operation, options: Options, context: cirq.TransformerContext
) -> cirq.Operation:
    """Returns an operation with its circuit optimized, if it has one: any state may come into it, and go on."""
    inner = operation.untagged
    if not isinstance(inner, cirq.CircuitOperation) or not set(context.tags_to_ignore).isdisjoint(operation.tags):
        return operation
    others = {name: value for name, value in options.others.items() if name not in _OF_WHOLE_CIRCUITS}
    optimized = _optimized(inner.circuit, Options(options.gate_set, others), context)
    return inner.replace(circuit=optimized.freeze()).with_tags(*operation.tags)


def _steps(operations: Iterable[cirq.Operation], symbols: SympySymbols, ignored: set[Any]) -> Iterator[Step]:
    for operation in operations:
        is_ignored = not ignored.isdisjoint(operation.tags)
        has_bits = bool(cirq.measurement_key_objs(operation) or cirq.control_keys(operation))
        calls = None if is_ignored or has_bits else calls_of(operation, symbols)
        gate = operation.untagged.gate
        kind: BoundaryKind = "kept"
        if isinstance(gate, cirq.MeasurementGate) and gate.num_qubits() == 1 and not is_ignored:
            kind = "measure"
        elif isinstance(gate, cirq.ResetChannel) and gate.dimension == 2 and not is_ignored:
            kind = "reset"
        is_known = calls is not None or kind == "reset" or cirq.has_unitary(operation)
        is_ordered = has_bits or not is_known
        measures = isinstance(gate, cirq.MeasurementGate)
        name = type(operation.untagged if gate is None else gate).__name__
        yield Step(operation, operation.qubits, calls, kind, is_ordered=is_ordered, measures=measures, name=name)

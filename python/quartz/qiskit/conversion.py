"""Circuits of Qiskit in the form of Quartz, and back."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from qiskit.circuit import Barrier, Clbit, Delay, Gate, IfElseOp, Measure, QuantumCircuit, Qubit, Reset
from qiskit.circuit.library import GlobalPhaseGate

from quartz._core import Circuit
from quartz.errors import UsageError
from quartz.interchange import conversion as interchange
from quartz.interchange.steps import AncillaStep, BoundaryKind, Call, Step, call, phase_call
from quartz.interchange.steps import Gate as QuartzGate
from quartz.qiskit.expressions import Symbols
from quartz.qiskit.gates import GateForm, definition_of, standard_form, standard_gate

#: An operation of Qiskit with its qubits and classical bits.
Placed = tuple[Any, Sequence[Qubit], Sequence[Clbit]]
#: Returns how a gate is written in Quartz, or None for an operation that is kept as it is.
FormOf = Callable[[Any], "GateForm | None"]
#: Returns a gate of Qiskit for a gate of Quartz with these parameters, or None if there is none.
MakeGate = Callable[[str, Sequence[Any]], "Gate | None"]


class Conversion(interchange.Conversion):
    """A circuit of Qiskit as a circuit of Quartz, with what is needed to write an equal circuit in its place.

    Gates with a form are gates of Quartz. All other operations are boundaries: measurements, resets and barriers are
    those of Quartz; everything else, control flow included, is kept as it is.
    """

    def __init__(
        self,
        operations: Iterable[Placed],
        global_phase: Any,
        form_of: FormOf = standard_form,
        qubits: Sequence[Qubit] | None = None,
        may_permute: bool = False,
        knows_resets: bool = True,
    ) -> None:
        """Converts operations; ``qubits`` are those of the circuit of Quartz, if they are not those of the gates, and
        ``may_permute`` is whether boundaries may come back on other qubits. Unless it ``knows_resets``, Quartz does not
        learn from a reset that its qubit is in ``|0>``, and that nothing sees what it was before."""
        self._symbols = Symbols()
        self._knows_resets = knows_resets
        steps = [self._step(each, form_of) for each in operations]
        if global_phase != 0:
            steps.insert(0, self._phase_step(GlobalPhaseGate(global_phase)))
        super().__init__(steps, self._symbols.expressions, qubits, "the circuit of Qiskit", may_permute)

    def _step(self, placed: Placed, form_of: FormOf) -> Step:
        operation, qubits, clbits = placed
        form = form_of(operation)
        if form is not None:
            values = operation.params
            if not values:
                return Step(placed, tuple(qubits), (_plain_call(form.name, len(qubits)),))
            unit = form.unit
            parameters = [self._symbols.text_of(each if unit == 1 else each * unit) for each in values]
            return Step(placed, tuple(qubits), (call(form.name, parameters, range(len(qubits))),))
        if isinstance(operation, GlobalPhaseGate):
            return self._phase_step(operation)
        reset_kind: BoundaryKind = "reset" if self._knows_resets else "kept"
        kinds: tuple[tuple[type, BoundaryKind], ...] = ((Measure, "measure"), (Reset, reset_kind), (Barrier, "barrier"))
        kind: BoundaryKind = next((kind for each, kind in kinds if isinstance(operation, each)), "kept")
        is_known = isinstance(operation, (Reset, Barrier, Delay))
        is_ordered = len(clbits) > 0 or not is_known
        return Step(placed, tuple(qubits), None, kind, is_ordered=is_ordered, name=operation.name)

    def _phase_step(self, operation: GlobalPhaseGate) -> Step:
        return Step((operation, (), ()), (), (phase_call(self._symbols.text_of(operation.params[0])),))

    def placed(
        self,
        circuit: Circuit,
        make_gate: MakeGate = standard_gate,
        ancillas: Sequence[Qubit] = (),
        outcomes: Sequence[Clbit] = (),
    ) -> Iterator[Placed]:
        """Yields the operations of Qiskit for a circuit that Quartz made from ``self.circuit``, with these qubits and
        bits as its ancillas and their outcomes. Raises UsageError for a gate that Qiskit does not have."""
        steps = self.restored(circuit, ancillas, outcomes)
        if not outcomes:
            for each in steps:
                yield self._placed_step(each, make_gate)
            return
        for conditions, group in itertools.groupby(steps, lambda each: getattr(each, "conditions", ())):
            placed = [self._placed_step(each, make_gate) for each in group]
            yield from [_under_conditions(placed, conditions)] if conditions else placed

    def _placed_step(self, step: QuartzGate | Step | AncillaStep, make_gate: MakeGate) -> Placed:
        if isinstance(step, QuartzGate):
            value_of = self._symbols.value_of
            gate = make_gate(step.name, [value_of(angle) for angle in step.parameters])
            if gate is None:
                raise UsageError(f"Qiskit has no gate for the gate {step.name} of Quartz")
            return gate, step.qubits, ()
        if isinstance(step, Step):
            operation, _, clbits = step.operation
            return operation, step.qubits, clbits
        return (Reset(), [step.qubit], []) if step.outcome is None else (Measure(), [step.qubit], [step.outcome])

    def global_phase(self, circuit: Circuit) -> Any:
        """Returns the global phase of a circuit of Quartz, as one of a circuit of Qiskit."""
        return self._symbols.value_of(circuit.global_phase)


@functools.cache
def _plain_call(name: str, qubits: int) -> Call:
    return call(name, (), range(qubits))


def _under_conditions(placed: Sequence[Placed], conditions: Sequence[tuple[Clbit, bool]]) -> Placed:
    """Returns operations under conditions as one operation."""
    inner = list(placed)
    for bit, value in reversed(conditions):
        qubits = list(dict.fromkeys(qubit for _, own, _ in inner for qubit in own))
        clbits = list(dict.fromkeys([bit, *(clbit for _, _, own in inner for clbit in own)]))
        body = QuantumCircuit(qubits, clbits)
        for operation, own_qubits, own_clbits in inner:
            body.append(operation, own_qubits, own_clbits)
        inner = [(IfElseOp((bit, int(value)), body), qubits, clbits)]
    return inner[0]


def placed_operations(circuit: QuantumCircuit, form_of: FormOf = standard_form) -> Iterator[Placed]:
    """Yields the operations of a circuit. Gates without a form are replaced by their definitions, if they have any,
    and the phases of these by global phases."""
    for instruction in circuit.data:
        operation = instruction.operation
        if form_of(operation) is not None:
            yield operation, instruction.qubits, instruction.clbits
        else:
            yield from _expanded(operation, instruction.qubits, instruction.clbits, form_of)


def _expanded(operation: Any, qubits: Sequence[Qubit], clbits: Sequence[Clbit], form_of: FormOf) -> Iterator[Placed]:
    is_expandable = isinstance(operation, Gate) and form_of(operation) is None and not isinstance(operation, GlobalPhaseGate)
    definition = definition_of(operation) if is_expandable else None
    if definition is None:
        yield operation, qubits, clbits
        return
    if definition.global_phase != 0:
        yield GlobalPhaseGate(definition.global_phase), (), ()
    places = dict(zip(definition.qubits, qubits))
    for inner in definition.data:
        yield from _expanded(inner.operation, [places[qubit] for qubit in inner.qubits], (), form_of)

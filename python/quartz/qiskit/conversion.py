"""Circuits of Qiskit in the form of Quartz, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from qiskit.circuit import Barrier, Clbit, Delay, Gate, Measure, QuantumCircuit, Qubit, Reset
from qiskit.circuit.library import GlobalPhaseGate

from quartz._core import Circuit, Operation
from quartz.errors import UsageError
from quartz.qiskit.expressions import Symbols
from quartz.qiskit.gates import GateForm, standard_form, standard_gate

#: An operation of Qiskit with its qubits and classical bits.
Placed = tuple[Any, Sequence[Qubit], Sequence[Clbit]]
#: Returns how a gate is written in Quartz, or None for an operation that is kept as it is.
FormOf = Callable[[Any], "GateForm | None"]
#: Returns a gate of Qiskit for a gate of Quartz with these parameters, or None if there is none.
MakeGate = Callable[[str, Sequence[Any]], "Gate | None"]


@dataclasses.dataclass
class Boundary:
    """An operation that no rewrite crosses on its qubits."""

    operation: Placed
    #: Whether it keeps its place among all others of this kind: it has classical bits, or it is not known what it does.
    is_ordered: bool
    #: Operations on no qubit of a gate that come before it; only if it is ordered.
    before: list[Placed]


class Conversion:
    """A circuit of Qiskit as a circuit of Quartz, with what is needed to write an equal circuit in its place.

    Only the qubits that gates act on are part of the circuit of Quartz; ``qubits`` lists them in the order of their
    numbers there. Gates with a form are gates there. All other operations are boundaries: measurements, resets and
    barriers are those of Quartz; everything else, control flow included, is an opaque operation, and is kept as it is.

    Quartz does not see the classical bits of an opaque operation. Those that are ordered are therefore executed on a
    condition: a bit that measures an additional qubit about which nothing is known. Quartz keeps the order of
    operations with classical bits, and what holds for an unknown operation on an unknown condition holds for the
    operation itself.
    """

    def __init__(
        self,
        operations: Iterable[Placed],
        global_phase: Any,
        form_of: FormOf = standard_form,
        qubits: Sequence[Qubit] | None = None,
    ) -> None:
        """Converts operations; ``qubits`` are those of the circuit of Quartz, if they are not those of the gates."""
        placed = list(operations)
        self._form_of = form_of
        self._symbols = Symbols()
        self._boundaries: list[Boundary] = []
        self._after: list[Placed] = []  # operations on no qubit of a gate behind the last ordered boundary
        self.qubits: list[Qubit] = _qubits_of_gates(placed, form_of) if qubits is None else list(qubits)
        self._numbers = {qubit: number for number, qubit in enumerate(self.qubits)}
        lines = list(self._lines(placed))
        if global_phase != 0:
            lines.insert(0, f"gphase({self._symbols.text_of(global_phase)});")
        self.circuit: Circuit = Circuit.from_qasm("\n".join([*self._header(), *lines]), name="the circuit of Qiskit")

    def _header(self) -> Iterator[str]:
        yield 'OPENQASM 3.0;\ninclude "stdgates.inc";'
        for name in self._symbols.expressions:
            yield f"input float[64] {name};"
        yield f"qubit[{max(len(self.qubits), 1)}] q;\nbit[{len(self._boundaries) + 1}] c;"
        for number, boundary in enumerate(self._boundaries):
            if _has_kept_form(boundary):
                names = ", ".join(f"a{index}" for index in range(len(self._qubits_in(boundary.operation))))
                yield f"opaque kept_{number} {names};"
        if any(boundary.is_ordered and _has_kept_form(boundary) for boundary in self._boundaries):
            yield "opaque unknown a;\nqubit[1] additional;\nbit[1] condition;"
            yield "unknown additional[0];\ncondition[0] = measure additional[0];"

    def _lines(self, placed: Sequence[Placed]) -> Iterator[str]:
        waiting: list[Placed] = []
        for each in placed:
            operation, qubits, _ = each
            form = self._form_of(operation)
            if isinstance(operation, GlobalPhaseGate):
                yield f"gphase({self._symbols.text_of(operation.params[0])});"
            elif form is not None:
                yield self._gate_line(form, operation, qubits)
            elif not self._qubits_in(each):
                waiting.append(each)
            else:
                boundary = Boundary(each, self._is_ordered(each), [])
                if boundary.is_ordered:
                    boundary.before, waiting = waiting, []
                yield self._boundary_line(boundary)
                self._boundaries.append(boundary)
        self._after = waiting

    def _is_ordered(self, placed: Placed) -> bool:
        operation, qubits, clbits = placed
        is_known = isinstance(operation, (Reset, Barrier, Delay))
        return len(clbits) > 0 or not is_known or len(self._qubits_in(placed)) < len(qubits)

    def _qubits_in(self, placed: Placed) -> list[int]:
        return [self._numbers[qubit] for qubit in placed[1] if qubit in self._numbers]

    def _gate_line(self, form: GateForm, operation: Gate, qubits: Sequence[Qubit]) -> str:
        parameters = [self._symbols.text_of(each if form.unit == 1 else each * form.unit) for each in operation.params]
        arguments = f"({', '.join(parameters)})" if parameters else ""
        return f"{form.name}{arguments} {self._operands([self._numbers[qubit] for qubit in qubits])};"

    def _boundary_line(self, boundary: Boundary) -> str:
        number = len(self._boundaries)
        operands = self._operands(self._qubits_in(boundary.operation))
        if _has_kept_form(boundary):
            line = f"kept_{number} {operands};"
            return f"if (condition == 1) {{ {line} }}" if boundary.is_ordered else line
        if isinstance(boundary.operation[0], Measure):
            return f"c[{number}] = measure {operands};"
        return f"{boundary.operation[0].name} {operands};"

    @staticmethod
    def _operands(numbers: Iterable[int]) -> str:
        return ", ".join(f"q[{number}]" for number in numbers)

    def placed(self, circuit: Circuit, make_gate: MakeGate = standard_gate) -> Iterator[Placed]:
        """Yields the operations of Qiskit for a circuit that Quartz made from ``self.circuit``. Raises UsageError for
        a gate that Qiskit does not have."""
        left = _Boundaries(self._boundaries, self._qubits_in)
        for operation in circuit:
            if operation.kind == "gate":
                qubits = [self.qubits[number] for number in operation.qubits]
                yield self._gate(operation, make_gate), qubits, ()
            elif (boundary := left.take(operation)) is not None:
                yield from boundary.before
                yield boundary.operation
        left.require_none()
        yield from self._after

    def _gate(self, operation: Operation, make_gate: MakeGate) -> Gate:
        parameters = [self._symbols.value_of(angle) for angle in operation.parameters]
        gate = make_gate(operation.name, parameters)
        if gate is None:
            raise UsageError(f"Qiskit has no gate for the gate {operation.name} of Quartz")
        return gate

    def global_phase(self, circuit: Circuit) -> Any:
        """Returns the global phase of a circuit of Quartz, as one of a circuit of Qiskit."""
        return self._symbols.value_of(circuit.global_phase)


class _Boundaries:
    """The boundaries of a circuit that a result has not had yet."""

    def __init__(self, boundaries: Sequence[Boundary], qubits_in: Callable[[Placed], list[int]]) -> None:
        self._boundaries = boundaries
        self._ordered = [number for number, each in enumerate(boundaries) if each.is_ordered]
        self._left = set(range(len(boundaries)))
        self._by_place: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        for number, each in enumerate(boundaries):
            if not _has_kept_form(each) and not isinstance(each.operation[0], Measure):
                place = (each.operation[0].name, tuple(sorted(qubits_in(each.operation))))
                self._by_place.setdefault(place, []).append(number)

    def take(self, operation: Operation) -> Boundary | None:
        """Returns the boundary for an operation of the result; None for those of the condition. Raises UsageError for
        an operation that is not left, or whose order has changed."""
        number = self._number_of(operation)
        if number is None:
            return None
        if number not in self._left or (number in self._ordered and number != self._ordered[0]):
            raise UsageError("the optimization boundaries have changed their order")
        boundary = self._boundaries[number]
        self._left.remove(number)
        if boundary.is_ordered:
            del self._ordered[0]
        return boundary

    def _number_of(self, operation: Operation) -> int | None:
        if operation.kind == "opaque":
            return None if operation.name == "unknown" else int(operation.name.removeprefix("kept_"))
        if operation.kind == "measure":
            (bit,) = operation.bits
            return bit if bit <= len(self._boundaries) else None
        numbers = self._by_place.get((operation.kind, tuple(sorted(operation.qubits))), [])
        return numbers.pop(0) if numbers else -1

    def require_none(self) -> None:
        """Raises UsageError if there are some left."""
        if self._left:
            raise UsageError("the result lacks an optimization boundary")


def _has_kept_form(boundary: Boundary) -> bool:
    """Returns whether a boundary is an opaque operation in Quartz."""
    operation = boundary.operation[0]
    return not isinstance(operation, Measure) and (
        boundary.is_ordered or not isinstance(operation, (Reset, Barrier))
    )


def _qubits_of_gates(placed: Iterable[Placed], form_of: FormOf) -> list[Qubit]:
    """Returns the qubits that gates act on, in the order of their first use."""
    used: dict[Qubit, None] = {}
    for operation, qubits, _ in placed:
        if form_of(operation) is not None:
            used.update(dict.fromkeys(qubits))
    return list(used)


def placed_operations(circuit: QuantumCircuit, form_of: FormOf = standard_form) -> Iterator[Placed]:
    """Yields the operations of a circuit. Gates without a form are replaced by their definitions, if they have any,
    and the phases of these by global phases."""
    for instruction in circuit.data:
        yield from _expanded(instruction.operation, instruction.qubits, instruction.clbits, form_of)


def _expanded(operation: Any, qubits: Sequence[Qubit], clbits: Sequence[Clbit], form_of: FormOf) -> Iterator[Placed]:
    is_expandable = isinstance(operation, Gate) and form_of(operation) is None and not isinstance(operation, GlobalPhaseGate)
    definition = operation.definition if is_expandable else None
    if definition is None:
        yield operation, qubits, clbits
        return
    if definition.global_phase != 0:
        yield GlobalPhaseGate(definition.global_phase), (), ()
    places = dict(zip(definition.qubits, qubits))
    for inner in definition.data:
        yield from _expanded(inner.operation, [places[qubit] for qubit in inner.qubits], (), form_of)


def from_qiskit(circuit: QuantumCircuit) -> Circuit:
    """Returns a circuit of Qiskit as a quartz.Circuit.

    Qubits keep their numbers; parameters get the names s0, s1, ... Composite gates are expanded. Operations that are not
    gates, measurements, resets or barriers are opaque, and each measurement has a bit of its own.
    """
    return Conversion(placed_operations(circuit), circuit.global_phase, qubits=circuit.qubits).circuit

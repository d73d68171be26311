"""Circuits of other packages in the form of Quartz, and back with everything that Quartz does not know."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from quartz._core import Circuit, Operation
from quartz.errors import Error, UsageError
from quartz.interchange.conditions import bit_values
from quartz.interchange.names import numbered
from quartz.interchange.steps import AncillaStep, Gate, Step, text_of_calls

#: A name that adapters give a free parameter.
_SYMBOL = re.compile(r"(?<![\w.])s\d+(?!\w)")
#: Number of characters of a parameter in a message.
_LONGEST_MEANING = 80

#: What tells a reset or a barrier from others: the kind, and qubits or their number.
Place = tuple[str, tuple[int, ...]]


@dataclasses.dataclass
class Boundary:
    """A step that no rewrite crosses on its qubits."""

    step: Step
    #: The numbers of its qubits in the circuit of Quartz.
    numbers: list[int]
    #: Whether it keeps its place among all others of this kind.
    is_ordered: bool
    #: Its name as an opaque operation in Quartz; None if it is none there.
    opaque_name: str | None
    #: Steps on no qubit of a gate that come before it; only if it is ordered.
    before: list[Step]


class Conversion:
    """A circuit of a package as a circuit of Quartz, with what is needed to write an equal circuit in its place.

    Only the qubits that gates act on are part of the circuit of Quartz; ``qubits`` lists them in the order of their
    numbers there. Measurements, resets and barriers are those of Quartz; every other boundary, control flow included,
    is an opaque operation, and is kept as it is.

    Quartz does not see the classical bits of an opaque operation. Those that are ordered are therefore executed on a
    condition: a bit that measures an additional qubit about which nothing is known. Quartz keeps the order of
    operations with classical bits, and what holds for an unknown operation on an unknown condition holds for the
    operation itself.
    """

    def __init__(
        self,
        steps: Iterable[Step],
        symbols: Iterable[str] | Mapping[str, object] = (),
        qubits: Sequence[Hashable] | None = None,
        name: str = "the circuit",
        may_permute: bool = False,
    ) -> None:
        """Converts steps.

        ``symbols`` are the names of the free parameters, perhaps with what they stand for, ``name`` is what messages call the circuit, and ``qubits`` are
        those of the circuit of Quartz, if they are not those of the gates. ``may_permute`` is whether boundaries may
        come back on other qubits (the option ``permutation`` of quartz.optimize).
        """
        self._may_permute = may_permute
        self._meanings = symbols if isinstance(symbols, Mapping) else {}
        all_steps = list(steps)
        self._boundaries: list[Boundary] = []
        self._after: list[Step] = []  # steps on no qubit of a gate behind the last ordered boundary
        self.qubits: list[Hashable] = _qubits_of_gates(all_steps) if qubits is None else list(qubits)
        self._numbers = {qubit: number for number, qubit in enumerate(self.qubits)}
        self._operands = {qubit: f"q[{number}]" for qubit, number in self._numbers.items()}
        lines = list(self._lines(all_steps))
        self.circuit: Circuit = Circuit.from_qasm("\n".join([*self._header(symbols), *lines]), name=name)

    @property
    def measures(self) -> bool:
        """Whether the circuit measures qubits that gates act on."""
        return any(each.step.kind == "measure" or each.step.measures for each in self._boundaries)

    @contextlib.contextmanager
    def messages_of_package(self) -> Iterator[None]:
        """Replaces the names of free parameters in the messages of errors by what they stand for."""
        try:
            yield
        except Error as error:
            message, *others = error.args
            error.args = (_SYMBOL.sub(lambda match: self._meaning_of(match[0]), message), *others)
            raise

    def _meaning_of(self, symbol: str) -> str:
        if symbol not in self._meanings:
            return symbol
        text = str(self._meanings[symbol])
        # Tensors that are traced have texts of many lines.
        return text if len(text) <= _LONGEST_MEANING and "\n" not in text else f"parameter {symbol[1:]}"

    def _header(self, symbols: Iterable[str]) -> Iterator[str]:
        yield 'OPENQASM 3.0;\ninclude "stdgates.inc";'
        for symbol in symbols:
            yield f"input float[64] {symbol};"
        yield f"qubit[{max(len(self.qubits), 1)}] q;\nbit[{len(self._boundaries) + 1}] c;"
        for boundary in self._boundaries:
            if boundary.opaque_name is not None:
                names = ", ".join(f"a{index}" for index in range(len(boundary.numbers)))
                yield f"opaque {boundary.opaque_name} {names};"
        if any(boundary.is_ordered and boundary.opaque_name is not None for boundary in self._boundaries):
            yield "opaque unknown a;\nqubit[1] additional;\nbit[1] condition;"
            yield "unknown additional[0];\ncondition[0] = measure additional[0];"

    def _lines(self, steps: Iterable[Step]) -> Iterator[str]:
        waiting: list[Step] = []
        for step in steps:
            if step.calls is not None:
                yield from text_of_calls(step.calls, [self._operands[qubit] for qubit in step.qubits])
            elif not (numbers := self._qubits_in(step)):
                waiting.append(step)
            else:
                is_partial = len(numbers) < len(step.qubits)
                is_ordered = step.is_ordered or is_partial
                # A reset or a barrier without a name of its own is known by its qubits, or by their number.
                is_named = step.kind == "kept" or (step.kind != "measure" and is_ordered)
                name = numbered(step.name, len(self._boundaries)) if is_named else None
                boundary = Boundary(step, numbers, is_ordered, name, [])
                if boundary.is_ordered:
                    boundary.before, waiting = waiting, []
                yield self._boundary_line(boundary)
                self._boundaries.append(boundary)
        self._after = waiting

    def _qubits_in(self, step: Step) -> list[int]:
        return [self._numbers[qubit] for qubit in step.qubits if qubit in self._numbers]

    def _boundary_line(self, boundary: Boundary) -> str:
        number = len(self._boundaries)
        operands = ", ".join(f"q[{each}]" for each in boundary.numbers)
        if boundary.opaque_name is not None:
            line = f"{boundary.opaque_name} {operands};"
            return f"if (condition == 1) {{ {line} }}" if boundary.is_ordered else line
        if boundary.step.kind == "measure":
            return f"c[{number}] = measure {operands};"
        return f"{boundary.step.kind} {operands};"

    def ancillas_of(self, circuit: Circuit) -> int:
        """Returns how many ancillas a circuit has that Quartz made from ``self.circuit``."""
        return circuit.num_qubits - self.circuit.num_qubits

    def outcomes_of(self, circuit: Circuit) -> int:
        """Returns how many bits for outcomes of ancillas a circuit has that Quartz made from ``self.circuit``."""
        return circuit.num_bits - self.circuit.num_bits

    def restored(
        self, circuit: Circuit, ancillas: Sequence[Any] = (), outcomes: Sequence[Any] = ()
    ) -> Iterator[Union[Gate, Step, AncillaStep]]:
        """Yields the gates of a circuit that Quartz made from ``self.circuit``, with the boundaries in their places, on
        the qubits on which they are there.

        ``ancillas`` and ``outcomes`` are its further qubits and bits in the package, as many as ``ancillas_of`` and
        ``outcomes_of`` say. Only then are there conditions and ancilla steps.
        """
        left = _Boundaries(self._boundaries, self._place)
        qubits = dict(enumerate([*self.qubits, *[None] * (self.circuit.num_qubits - len(self.qubits)), *ancillas]))
        bits = dict(enumerate(outcomes, self.circuit.num_bits))
        for operation in circuit:
            kind = operation.kind
            if kind == "gate":
                places = tuple([qubits[number] for number in operation.qubits])
                conditions = _conditions_of(operation, circuit, bits) if bits else ()
                yield Gate(operation.name, tuple(operation.parameters), places, conditions)
            elif kind == "measure" and operation.bits[0] in bits:
                yield AncillaStep(qubits[operation.qubits[0]], bits[operation.bits[0]])
            elif kind == "reset" and operation.qubits[0] >= self.circuit.num_qubits:
                yield AncillaStep(qubits[operation.qubits[0]])
            elif (boundary := left.take(operation)) is not None:
                yield from boundary.before
                yield self._moved(boundary, operation)
        left.require_none()
        yield from self._after

    def _place(self, kind: str, numbers: Sequence[int]) -> Place:
        """Returns what tells a reset or a barrier from others: they are all alike on the same qubits, and those on any
        others as well if qubits may be permuted."""
        return kind, (len(numbers),) if self._may_permute else tuple(sorted(numbers))

    def _moved(self, boundary: Boundary, operation: Operation) -> Step:
        """Returns a boundary on the qubits of an operation of the result."""
        if not self._may_permute:
            return boundary.step
        places = {self.qubits[old]: self.qubits[new] for old, new in zip(boundary.numbers, operation.qubits)}
        return boundary.step._replace(qubits=tuple(places.get(each, each) for each in boundary.step.qubits))

    def final_places(self, permutation: Sequence[int]) -> dict[Any, Any]:
        """Returns where each qubit is at the end of a result with an output permutation, which may be empty."""
        return {self.qubits[i]: self.qubits[place] for i, place in enumerate(permutation[: len(self.qubits)])}


class _Boundaries:
    """The boundaries of a circuit that a result has not had yet."""

    def __init__(self, boundaries: Sequence[Boundary], place: Callable[[str, Sequence[int]], Place]) -> None:
        self._boundaries = boundaries
        self._place = place
        self._ordered = [number for number, each in enumerate(boundaries) if each.is_ordered]
        self._next_ordered = 0
        self._left = set(range(len(boundaries)))
        self._by_name = {each.opaque_name: number for number, each in enumerate(boundaries)}
        self._by_place: dict[Place, list[int]] = {}
        for number, each in enumerate(boundaries):
            if each.opaque_name is None and each.step.kind != "measure":
                self._by_place.setdefault(place(each.step.kind, each.numbers), []).append(number)

    def take(self, operation: Operation) -> Boundary | None:
        """Returns the boundary for an operation of the result; None for those of the condition. Raises UsageError for
        an operation that is not left, or whose order has changed."""
        number = self._number_of(operation)
        if number is None:
            return None
        boundary = self._boundaries[number] if number in self._left else None
        if boundary is None or (boundary.is_ordered and number != self._ordered[self._next_ordered]):
            raise UsageError("the optimization boundaries have changed their order")
        self._left.remove(number)
        self._next_ordered += int(boundary.is_ordered)
        return boundary

    def _number_of(self, operation: Operation) -> int | None:
        if operation.kind == "opaque":
            return None if operation.name == "unknown" else self._by_name[operation.name]
        if operation.kind == "measure":
            (bit,) = operation.bits
            return bit if bit <= len(self._boundaries) else None
        numbers = self._by_place.get(self._place(operation.kind, operation.qubits), [])
        return numbers.pop(0) if numbers else -1

    def require_none(self) -> None:
        """Raises UsageError if there are some left."""
        if self._left:
            raise UsageError("the result lacks an optimization boundary")


def _conditions_of(
    operation: Operation, circuit: Circuit, outcomes: Mapping[int, Any]
) -> tuple[tuple[Any, bool], ...]:
    """Returns the outcomes that the conditions of an operation test, with the values that they must have."""
    return tuple(
        (outcomes[number], value)
        for condition in operation.conditions
        for number, value in bit_values(condition, circuit).items()
    )


def _qubits_of_gates(steps: Iterable[Step]) -> list[Hashable]:
    """Returns the qubits that gates act on, in the order of their first use."""
    used: dict[Hashable, None] = {}
    for step in steps:
        if step.calls is not None:
            for qubit in step.qubits:
                used[qubit] = None
    return list(used)

"""The operations of a circuit of any package, as Quartz sees them.

They are named tuples, because circuits have many of them, and frozen dataclasses take several times longer to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from quartz._core import Angle

#: Operations that are no gates. Quartz knows a measurement of one qubit, a reset of one qubit, and a barrier; all
#: others are kept as they are.
BoundaryKind = Literal["measure", "reset", "barrier", "kept"]


class Call(NamedTuple):
    """A call of a gate in OpenQASM."""

    #: Modifiers, name and arguments, such as ``ctrl @ rz(pi/4)``.
    gate: str
    #: Indices of the qubits it acts on, among those of its step; none for ``gphase``.
    operands: tuple[int, ...] = ()


class Step(NamedTuple):
    """An operation of a package: gates, or a boundary that no rewrite crosses on its qubits."""

    #: What the package calls it. It comes back as it is, unless it is a gate.
    operation: Any
    qubits: tuple[Any, ...]
    #: The gates that it consists of; None for a boundary.
    calls: tuple[Call, ...] | None = None
    kind: BoundaryKind = "kept"
    #: Whether a boundary keeps its place among all others of this kind: it has classical bits, or it is not known
    #: what it does.
    is_ordered: bool = True
    #: Whether it is a measurement that is kept as it is.
    measures: bool = False
    #: What messages call a boundary.
    name: str = "operation"


class Gate(NamedTuple):
    """A gate of Quartz on qubits of a package."""

    name: str
    parameters: tuple[Angle, ...]
    qubits: tuple[Any, ...]
    #: Outcomes of ancillas, and the values that they must have.
    conditions: tuple[tuple[Any, bool], ...] = ()


class AncillaStep(NamedTuple):
    """An operation that is there because of ancillas: a measurement whose outcome conditions read, or a reset."""

    qubit: Any
    #: Where the outcome of a measurement goes; None for a reset.
    outcome: Any = None


def call(name: str, parameters: Iterable[str] = (), operands: Sequence[int] = (0,)) -> Call:
    """Returns the call of a gate with these arguments."""
    arguments = ", ".join(parameters)
    return Call(f"{name}({arguments})" if arguments else name, tuple(operands))


def phase_call(text: str) -> Call:
    """Returns the call that adds a global phase."""
    return call("gphase", [text], ())


def controlled(calls: Iterable[Call], values: Sequence[bool]) -> tuple[Call, ...]:
    """Returns gates with controls before their own qubits; each control is on its value, true for 1."""
    modifiers = "".join("ctrl @ " if value else "negctrl @ " for value in values)
    controls = tuple(range(len(values)))
    return tuple(
        Call(modifiers + each.gate, controls + tuple(operand + len(values) for operand in each.operands))
        for each in calls
    )


def inverse(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Returns the inverse of gates that follow one another."""
    return tuple(Call(f"inv @ {each.gate}", each.operands) for each in reversed(list(calls)))


def moved(calls: Iterable[Call], places: Sequence[int]) -> tuple[Call, ...]:
    """Returns gates on other operands: operand i becomes ``places[i]``."""
    return tuple(Call(each.gate, tuple(places[operand] for operand in each.operands)) for each in calls)


def text_of_calls(calls: Iterable[Call], names: Sequence[str]) -> list[str]:
    """Returns calls as statements, where ``names`` are the operands."""
    statements = []
    for gate, numbers in calls:
        operands = ", ".join([names[number] for number in numbers])
        statements.append(f"{gate} {operands};" if operands else f"{gate};")
    return statements

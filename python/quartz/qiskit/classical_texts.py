"""Conditions of Qiskit on classical bits in OpenQASM."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from qiskit.circuit import ClassicalRegister, Clbit
from qiskit.circuit.classical import expr, types

from quartz.errors import UsageError

#: The bits of a block, or of a definition, as bits of the whole circuit.
Places = Mapping[Any, Any]

_BINARY = {
    expr.Binary.Op.LOGIC_AND: "&&",
    expr.Binary.Op.LOGIC_OR: "||",
    expr.Binary.Op.BIT_AND: "&",
    expr.Binary.Op.BIT_OR: "|",
    expr.Binary.Op.BIT_XOR: "^",
    expr.Binary.Op.EQUAL: "==",
    expr.Binary.Op.NOT_EQUAL: "!=",
    expr.Binary.Op.LESS: "<",
    expr.Binary.Op.LESS_EQUAL: "<=",
    expr.Binary.Op.GREATER: ">",
    expr.Binary.Op.GREATER_EQUAL: ">=",
}


class PlacedInstruction(Protocol):
    """What is asked of the instruction that has an expression."""

    @property
    def places(self) -> Places: ...

    def refusal(self, reason: str = "") -> UsageError: ...


def no_operation(name: str, reason: str = "") -> UsageError:
    """Returns the exception for an instruction of Qiskit that Quartz cannot express, with a reason if one is known."""
    return UsageError(f"Quartz has no operation for {name} of Qiskit" + (f": {reason}" if reason else ""))


class ClassicalTexts:
    """Writes bits, registers and expressions of them."""

    def __init__(self, registers: Mapping[tuple[Any, ...], str], name_of: Callable[[Any], str]) -> None:
        """``registers`` are the names of registers by their bits, and ``name_of`` returns that of a bit."""
        self._registers = registers
        self._name_of = name_of

    def text_of_comparison(self, tested: Any, value: int, placed: PlacedInstruction) -> str:
        """Returns the condition that a bit or a register has a value."""
        if isinstance(tested, Clbit):
            return f"{self._name_of(placed.places[tested])} == {int(value)}"
        bits = tuple(placed.places[bit] for bit in tested)
        if bits in self._registers:
            return f"{self._registers[bits]} == {int(value)}"
        if int(value) >> len(bits):
            raise placed.refusal(f"its condition compares {len(bits)} bits with {int(value)}")
        return " && ".join(f"{self._name_of(bit)} == {int(value) >> place & 1}" for place, bit in enumerate(bits))

    def text_of(self, value: Any, placed: PlacedInstruction) -> str:
        """Returns a bit, a register or an expression. Raises UsageError for an expression of another form than
        comparisons and logical operations of bits and registers."""
        if isinstance(value, Clbit):
            return self._name_of(placed.places[value])
        if isinstance(value, ClassicalRegister):
            bits = tuple(placed.places[bit] for bit in value)
            return self._registers[bits] if bits in self._registers else self._text_of_bits(bits, value.name, placed)
        if isinstance(value, expr.Var) and isinstance(value.var, (Clbit, ClassicalRegister)):
            return self.text_of(value.var, placed)
        if isinstance(value, expr.Value) and isinstance(value.value, (bool, int)):
            return str(int(value.value))
        if isinstance(value, expr.Unary) and isinstance(value.type, types.Bool) and _is_negation(value):
            return f"!({self.text_of(value.operand, placed)})"
        if isinstance(value, expr.Binary) and value.op in _BINARY:
            left, right = (self.text_of(each, placed) for each in (value.left, value.right))
            return f"(({left}) {_BINARY[value.op]} ({right}))"
        if isinstance(value, expr.Cast) and (text := self._text_of_cast(value, placed)) is not None:
            return text
        raise placed.refusal(f"its condition is {value!r}")

    def _text_of_bits(self, bits: Sequence[Any], name: str, placed: PlacedInstruction) -> str:
        """Returns bits of one register, in any order, as a number whose first bit is the least significant one."""
        names = [self._name_of(bit) for bit in bits]
        registers = {each.partition("[")[0] for each in names}
        if len(registers) != 1:
            raise placed.refusal(f"the bits of the register {name} are in several registers")
        indices = ", ".join(each.partition("[")[2].removesuffix("]") for each in names)
        return names[0] if len(names) == 1 else f"{registers.pop()}[{{{indices}}}]"

    def _text_of_cast(self, value: Any, placed: PlacedInstruction) -> str | None:
        """Returns a cast that does not change a number, or that asks whether it is zero."""
        before, after = value.operand.type, value.type
        if isinstance(before, types.Uint) and isinstance(after, types.Bool):
            return f"(({self.text_of(value.operand, placed)}) != 0)"
        is_number = isinstance(before, (types.Uint, types.Bool)) and isinstance(after, types.Uint)
        if before == after or (is_number and _width(before) <= _width(after)):
            return self.text_of(value.operand, placed)
        return None


def _is_negation(value: Any) -> bool:
    is_negation = value.op in (expr.Unary.Op.LOGIC_NOT, expr.Unary.Op.BIT_NOT)
    return is_negation and isinstance(value.operand.type, types.Bool)


def _width(kind: Any) -> int:
    return 1 if isinstance(kind, types.Bool) else int(kind.width)

"""Expressions of free parameters that are not linear, in a package."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

#: An identifier, but not the exponent of a number.
_IDENTIFIER = re.compile(r"(?<![\w.])[^\W\d]\w*")
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def evaluated(
    text: str,
    values: Mapping[str, Any],
    functions: Mapping[str, Callable[[Any], Any]],
    number: Callable[[int | float], Any] = lambda literal: literal,
    pi: Any = math.pi,
) -> Any:
    """Returns the value of an expression of OpenQASM, whose operators have the precedence that they have in Python.

    ``values`` are what the parameters stand for, of any type with arithmetic, and ``number`` makes one from a literal.
    Raises SyntaxError for anything else than numbers, names with values, operators and these functions.
    """
    names: list[str] = []

    def stand_in(match: re.Match[str]) -> str:  # a parameter may be called like a keyword of Python
        names.append(match[0])
        return f"x{len(names) - 1}"

    def name_of(node: ast.expr) -> str | None:
        return names[int(node.id[1:])] if isinstance(node, ast.Name) else None

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return number(node.value)
        if (name := name_of(node)) is not None and (name in values or name == "pi"):
            return values[name] if name in values else pi
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and len(node.args) == 1:
            function = functions.get(name_of(node.func) or "")
            if function is not None:
                return function(value(node.args[0]))
        raise SyntaxError(f"unexpected {type(node).__name__} in an expression")

    return value(ast.parse(_IDENTIFIER.sub(stand_in, text), mode="eval").body)

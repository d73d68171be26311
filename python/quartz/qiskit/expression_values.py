"""The values of expressions that are written as text, in numbers and in Qiskit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from qiskit.circuit import ParameterExpression

from quartz.errors import UsageError
from quartz.interchange.expressions import evaluated
from quartz.symbol_names import written_out

#: The functions of Qiskit's own texts.
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "exp": math.exp,
    "log": math.log,
}
#: The functions of OpenQASM for expressions of Qiskit.
_FUNCTIONS_OF_EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "sin": lambda each: each.sin(),
    "cos": lambda each: each.cos(),
    "tan": lambda each: each.tan(),
    "arcsin": lambda each: each.arcsin(),
    "arccos": lambda each: each.arccos(),
    "arctan": lambda each: each.arctan(),
    "exp": lambda each: each.exp(),
    "log": lambda each: each.log(),
    "sqrt": lambda each: each**0.5,
}


def value_of_text(text: str, values: Mapping[str, float]) -> float:
    """Returns the value of an expression that Qiskit has written. Raises SyntaxError for anything else than numbers,
    names with values, operators and functions of OpenQASM, and ValueError for a value that is not real."""
    value = evaluated(text, values, _FUNCTIONS)
    if not isinstance(value, (int, float)):
        raise ValueError(f"the value of {text} is not real")
    return float(value)


def expression_of_symbol(name: str, parameters: Mapping[str, ParameterExpression]) -> ParameterExpression:
    """Returns what a symbol of an angle means: a parameter, or an expression of them that is not linear."""
    if name in parameters:
        return parameters[name]
    text = written_out(name)
    try:
        expression: ParameterExpression = evaluated(text, parameters, _FUNCTIONS_OF_EXPRESSIONS)
    except SyntaxError as error:
        raise UsageError(f"Qiskit has no expression for {text}") from error
    return expression

"""Symbols of angles whose names encode expressions.

An expression of free parameters that is not linear, such as ``sin(a)`` or ``pi*a``, is a symbol of its own in an angle.
The name of the symbol is the text of the expression, in which each character c that an identifier cannot have is
U+E000 + c of Unicode's private use area.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

#: The functions of OpenQASM, for numbers.
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
}
_WRITTEN = {0xE000 + code: chr(code) for code in range(0x80)}


def written_out(text: object) -> str:
    """Returns an angle, or any text with names of symbols, with the expressions that the symbols stand for."""
    return str(text).translate(_WRITTEN)


def with_expressions(symbols: Iterable[str], values: Mapping[str, float]) -> dict[str, float]:
    """Returns values of free parameters with those of the expressions that some of the symbols stand for, unless
    these lack a parameter. Raises UsageError for an expression without a real value."""
    from quartz.errors import UsageError  # which uses this module
    from quartz.interchange.expressions import evaluated

    all_values = dict(values)
    for symbol in symbols:
        text = written_out(symbol)
        if text == symbol or symbol in all_values:
            continue
        try:
            value = evaluated(text, values, _FUNCTIONS)
        except SyntaxError:
            continue
        except (ArithmeticError, ValueError):
            value = math.nan
        if isinstance(value, complex) or not math.isfinite(value):
            raise UsageError(f"the expression {text} has no finite real value for these parameters")
        all_values[symbol] = float(value)
    return all_values

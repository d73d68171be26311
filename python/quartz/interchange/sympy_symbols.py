"""Expressions of SymPy as exact angles, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import sympy

from quartz._core import Angle
from quartz.errors import UsageError
from quartz.interchange.exact_numbers import half_turns, text_of_half_turns, text_of_radians
from quartz.interchange.expressions import evaluated
from quartz.interchange.names import Names
from quartz.symbol_names import written_out

#: The functions of OpenQASM in SymPy.
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "arcsin": sympy.asin,
    "arccos": sympy.acos,
    "arctan": sympy.atan,
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
}


class SympySymbols:
    """The free parameters of a circuit.

    An angle is a sum of terms with rational coefficients. What a coefficient multiplies, such as ``a``, ``pi*a`` or
    ``sin(a)*b``, is a symbol of Quartz: what is equal for all values of the symbols is equal for all values of the
    parameters.
    """

    def __init__(self, names: Names | None = None) -> None:
        """With the names of a program, the parameters of the circuit of Quartz are those of the package, with their
        names where they are identifiers of OpenQASM. Otherwise each symbol is a parameter."""
        self._names = names
        self._symbols: dict[Any, Any] = {}  # by symbol of SymPy: the one of Quartz
        #: The meaning of each free parameter of the circuit of Quartz.
        self.expressions: dict[str, Any] = {}

    def declare(self, symbols: Iterable[Any]) -> None:
        """Declares symbols of SymPy by their names. Parameters are compared by name, and registers by number: symbols
        are declared before registers, whose names then differ from theirs. Raises UsageError if two would have one
        name."""
        assert self._names is not None
        for symbol in sorted(symbols, key=str):
            self._symbols[symbol] = self._declare(self._names.parameter(symbol.name), symbol)

    def text_of(self, value: Any, *, in_half_turns: bool) -> str:
        """Returns an angle as an expression of OpenQASM. Raises UsageError for one that is not real and finite."""
        if not isinstance(value, sympy.Basic):
            return text_of_half_turns(value) if in_half_turns else text_of_radians(value)
        expression = sympy.expand(value * sympy.pi if in_half_turns else value)
        texts = [self._text_of_term(*term) for term in _terms_of(expression)]
        return "+".join(texts) or "0"

    def _text_of_term(self, coefficient: Any, factor: Any) -> str:
        if not factor.free_symbols:
            return _text_of_constant(coefficient * factor)
        return f"({_text_of_constant(coefficient)})*({self._text_of_factor(factor)})"

    def _text_of_factor(self, factor: Any) -> str:
        if self._names is not None:
            for symbol in sorted(factor.free_symbols, key=str):
                if symbol not in self._symbols:
                    self._symbols[symbol] = self._declare(self._names.parameter(symbol.name), symbol)
            return str(factor.xreplace(self._symbols))
        if factor not in self._symbols:
            self._symbols[factor] = self._declare(f"s{len(self._symbols)}", factor)
        return str(self._symbols[factor])

    def _declare(self, name: str, expression: Any) -> Any:
        self.expressions[name] = expression
        return sympy.Symbol(name)

    @classmethod
    def of_parameters(cls, names: Iterable[str]) -> SympySymbols:
        """Returns the parameters of a circuit of Quartz as symbols of SymPy with these names."""
        symbols = cls()
        for name in names:
            symbols.expressions[name] = sympy.Symbol(name)
        return symbols

    def value_of(self, angle: Angle, *, in_half_turns: bool) -> Any:
        """Returns an angle as a float, or as an expression if it has free parameters."""
        if angle.is_constant:
            return half_turns(angle) if in_half_turns else float(angle)
        total = _rational(angle.pi_part) * sympy.pi + _rational(angle.radian_part)
        for text, coefficient in angle.terms.items():
            total += _rational(coefficient) * self._expression_of(text)
        return sympy.expand(total / sympy.pi) if in_half_turns else total

    def _expression_of(self, text: str) -> Any:
        if text not in self.expressions:
            self.expressions[text] = _parsed(text, self.expressions)
        return self.expressions[text]


def _parsed(name: str, symbols: dict[str, Any]) -> Any:
    """Returns the expression that a symbol of Quartz means."""
    text = written_out(name)
    try:
        return evaluated(text, symbols, _FUNCTIONS, sympy.sympify, sympy.pi)
    except SyntaxError as error:
        raise UsageError(f"SymPy does not understand the expression {text}") from error


def _rational(number: Fraction) -> Any:
    return sympy.Rational(number.numerator, number.denominator)


def _terms_of(expression: Any) -> list[tuple[Any, Any]]:
    """Returns the terms of a sum as numbers and what they multiply."""
    return [term.as_coeff_Mul() for term in sympy.Add.make_args(expression)]


def _text_of_constant(value: Any) -> str:
    """Returns a number in radians."""
    multiple = value / sympy.pi
    if multiple.is_Rational:
        return f"{multiple.p}*pi/{multiple.q}"
    if multiple.is_Float:
        return text_of_half_turns(multiple)
    # OpenQASM 3 truncates quotients of integers.
    return f"{value.p}.0/{value.q}" if value.is_Rational else text_of_radians(value)

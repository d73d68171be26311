"""Parameters of gates: those of Qiskit as exact angles, and back."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from qiskit.circuit import Parameter, ParameterExpression
from qiskit.circuit.exceptions import CircuitError

from quartz._core import Angle
from quartz.errors import UsageError
from quartz.interchange.names import Names
from quartz.qiskit.expression_values import expression_of_symbol, value_of_text


def _real(value: Any) -> float | None:
    """Returns a number as a float; None if it is not real or not finite."""
    number = complex(value)
    if number.imag != 0 or not math.isfinite(number.real):
        return None
    return number.real


def _slope(expression: ParameterExpression, parameter: Parameter) -> float | None:
    """Returns the derivative by a parameter; None unless it is a real constant."""
    try:
        slope = expression.gradient(parameter)
    except (CircuitError, ArithmeticError):
        return None
    if isinstance(slope, ParameterExpression):
        return None if slope.parameters else _real(slope.numeric())
    return _real(slope)


def _text_of(value: object, text_of_expression: Callable[[ParameterExpression], str]) -> str:
    """Returns a parameter of a gate as an expression of OpenQASM. Raises UsageError for one that is not a finite real
    number or an expression of real parameters."""
    if type(value) is float and math.isfinite(value):
        return repr(value)  # by far the most parameters
    if isinstance(value, ParameterExpression):
        if value.parameters:
            return text_of_expression(value)
        value = value.numeric()
    number = _real(value) if isinstance(value, numbers.Number) else None
    if number is None:
        raise UsageError(f"{value!r} is not a finite real number, and no parameter of a gate that Quartz knows")
    return repr(number)


def _linear_text(expression: ParameterExpression, name_of: Callable[[ParameterExpression], str]) -> str | None:
    """Returns an expression as a sum of multiples of parameters; None if it is not linear."""
    parameters = sorted(expression.parameters, key=lambda each: each.name)
    slopes = {parameter: _slope(expression, parameter) for parameter in parameters}
    if None in slopes.values():
        return None
    try:
        offset = _real(expression.bind(dict.fromkeys(parameters, 0.0)).numeric())
    except (CircuitError, ArithmeticError):
        return None
    if offset is None:
        return None
    terms = [repr(offset)] if offset else []
    terms += [f"{slope!r}*{name_of(parameter)}" for parameter, slope in slopes.items()]
    return "+".join(terms).replace("+-", "-")


class NamedSymbols:
    """The free parameters of a circuit under their own names, where those are identifiers of OpenQASM."""

    def __init__(self, parameters: Iterable[Parameter], names: Names) -> None:
        """Declares the parameters; their names are the first of the program. Raises UsageError if two of them would
        have one name."""
        declared = {each.name: each for each in sorted(parameters, key=lambda each: each.name)}
        #: What each symbol stands for.
        self.expressions: dict[str, Parameter] = {
            names.parameter(name): parameter for name, parameter in declared.items()
        }
        self._names = {parameter: name for name, parameter in self.expressions.items()}

    def text_of(self, value: object) -> str:
        """Returns a parameter of a gate as an expression of OpenQASM. Raises UsageError for one that is not a finite
        real number or an expression of real parameters."""
        return _text_of(value, self._text_of_expression)

    def _text_of_expression(self, expression: ParameterExpression) -> str:
        linear = _linear_text(expression, self._names.__getitem__)
        return self._other_text(expression) if linear is None else linear

    def _other_text(self, expression: ParameterExpression) -> str:
        """Returns Qiskit's own text of an expression. Raises UsageError if that does not have its values."""
        parameters = sorted(expression.parameters, key=lambda each: each.name)
        stand_ins = [Parameter(f"v{place}") for place in range(len(parameters))]
        text = str(expression.subs(dict(zip(parameters, stand_ins))))
        for first, step in ((0.31, 0.17), (0.83, -0.011)):
            values = [first + step * place for place in range(len(parameters))]
            try:
                expected = _real(expression.bind(dict(zip(parameters, values))).numeric())
                found = value_of_text(text, {each.name: value for each, value in zip(stand_ins, values)})
                is_right = expected is not None and math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-9)
            except (CircuitError, ArithmeticError, ValueError, SyntaxError):
                is_right = False
            if not is_right:
                raise UsageError(f"Quartz does not understand the expression {expression} of Qiskit")
        text = re.sub(r"\ba(sin|cos|tan)\(", r"arc\1(", text)
        return re.sub(r"\bv(\d+)\b", lambda match: self._names[parameters[int(match[1])]], text)


class Symbols:
    """The free parameters of a circuit under names that OpenQASM accepts.

    An expression that is linear in its parameters becomes a linear expression in their symbols. Any other one gets a
    symbol of its own, for the whole of it: what is equal for all values of the symbols is equal for all values of the
    parameters.
    """

    def __init__(self) -> None:
        self._names: dict[object, str] = {}
        #: What each symbol stands for.
        self.expressions: dict[str, ParameterExpression] = {}

    def text_of(self, value: object) -> str:
        """Returns a parameter of a gate as an expression of OpenQASM. Raises UsageError for one that is not a finite
        real number or an expression of real parameters."""
        return _text_of(value, self._text_of_expression)

    def _text_of_expression(self, expression: ParameterExpression) -> str:
        linear = _linear_text(expression, self._name_of)
        return self._name_of(expression) if linear is None else linear

    def _name_of(self, expression: ParameterExpression) -> str:
        is_parameter = isinstance(expression, Parameter)
        key = expression if is_parameter else (str(expression), frozenset(expression.parameters))
        if key not in self._names:
            name = f"s{len(self._names)}"
            self._names[key] = name
            self.expressions[name] = expression
        return self._names[key]

    def value_of(self, angle: Angle) -> float | ParameterExpression:
        """Returns an angle as a parameter of a gate of Qiskit."""
        return value_of_angle(angle, self.expressions)


def value_of_angle(angle: Angle, parameters: Mapping[str, ParameterExpression]) -> float | ParameterExpression:
    """Returns the value of an angle for a gate of Qiskit.

    `parameters` has Qiskit's expression for each free parameter of the angle. Raises UsageError if the angle has a
    function that Qiskit's expressions lack.
    """
    if angle.is_constant:
        return float(angle)
    coefficients = angle.terms
    total: Any = angle.value(dict.fromkeys(angle.parameters, 0.0))
    for name in angle.parameters:
        coefficient = float(coefficients[name])
        expression = expression_of_symbol(name, parameters)
        term = expression if coefficient == 1 else coefficient * expression
        total = term if isinstance(total, float) and total == 0 else total + term
    return total

"""Parameters of PennyLane's gates: numbers as exact angles, trainable ones as symbols, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pennylane as qml

from quartz._core import Angle
from quartz.errors import UsageError
from quartz.interchange.exact_numbers import text_of_radians
from quartz.interchange.expressions import evaluated
from quartz.symbol_names import written_out

#: The functions of OpenQASM, for tensors.
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    name: getattr(qml.math, name)
    for name in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "exp", "log", "sqrt")
}


class TensorSymbols:
    """The free parameters of a circuit: tensors that gradients are taken of, or whose values are not known yet.

    A tensor is a symbol of its own: what is equal for all values of the symbols is equal for all values of the tensors.
    Results are expressions of the tensors, so that their gradients are right.
    """

    def __init__(self, tensors: Mapping[str, Any] | None = None) -> None:
        """Begins with tensors under their names in a circuit of Quartz."""
        #: What each free parameter of the circuit of Quartz stands for.
        self.tensors: dict[str, Any] = dict(tensors or {})
        self._names: dict[int, str] = {}  # by identity; self.tensors keeps the tensors alive

    def text_of(self, value: Any) -> str:
        """Returns an angle in radians as an expression of OpenQASM. Raises UsageError for one that is not real and
        finite."""
        if not (qml.math.is_abstract(value) or qml.math.requires_grad(value)):
            return text_of_radians(value)
        if id(value) not in self._names:
            name = f"s{len(self._names)}"
            self._names[id(value)] = name
            self.tensors[name] = value
        return self._names[id(value)]

    def value_of(self, angle: Angle) -> Any:
        """Returns an angle in radians as a number, or as a tensor if it has free parameters. Raises UsageError for one
        without a value."""
        if angle.is_constant:
            return float(angle)
        total: Any = angle.value(dict.fromkeys(angle.parameters, 0.0))
        for name in angle.parameters:
            tensor = self._tensor_of(name, angle)
            coefficient = float(angle.terms[name])
            term = tensor if coefficient == 1 else coefficient * tensor
            total = term if isinstance(total, float) and total == 0 else total + term
        return total

    def _tensor_of(self, name: str, angle: Angle) -> Any:
        """Returns what a symbol of an angle means: a tensor, or an expression of tensors that is not linear."""
        if name in self.tensors:
            return self.tensors[name]
        try:
            return evaluated(written_out(name), self.tensors, _FUNCTIONS)
        except SyntaxError as error:
            text = written_out(angle)
            raise UsageError(f"PennyLane has no free parameters; the angle {text} needs a value for each") from error

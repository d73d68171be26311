"""The values of the settings of the stage and of the pass: what they may be."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Sequence
from typing import Any, Union

from quartz._core import Cost
from quartz.errors import UsageError

#: A cost, a list of names and paths of files in a text, separated by commas, a path, or a list of these.
TargetCost = Union[Cost, str, "os.PathLike[str]", Sequence[Union[Cost, str, "os.PathLike[str]"]]]

#: The costs by their names; ``errors`` is that of the error rates of the target.
COSTS = ("two-qubit", "total", "t", "depth", "two-qubit-depth", "t-depth", "errors")

_MOST_THREADS = 1024


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def parts_of_cost(cost: TargetCost) -> list[Cost | str]:
    """Returns the parts of a cost, most important first: names, paths, and costs."""
    if isinstance(cost, Cost):
        return [cost]
    if isinstance(cost, (str, os.PathLike)):
        return [*os.fspath(cost).split(",")]
    return [part for each in cost for part in parts_of_cost(each)]


def _is_cost(value: Any) -> bool:
    kinds = (Cost, str, os.PathLike)
    is_list = isinstance(value, (list, tuple)) and all(isinstance(part, kinds) for part in value)
    return isinstance(value, kinds) or is_list


def _are_costs(value: TargetCost) -> bool:
    parts = parts_of_cost(value)
    return bool(parts) and all(isinstance(part, Cost) or part in COSTS or os.path.isfile(part) for part in parts)


#: By setting: what it is, whether a value has the right type, and whether it is in the range.
_RULES: dict[str, tuple[str, Callable[[Any], bool], Callable[[Any], bool]]] = {
    "time": ("a number of seconds, 0 or more", _is_real, lambda value: math.isfinite(value) and value >= 0),
    "cost": (
        f"a list of {', '.join(COSTS)} and paths of files, separated by commas, a quartz.Cost, or a list of these",
        _is_cost,
        _are_costs,
    ),
    "seed": ("a whole number of up to 64 bits, 0 or more", _is_whole, lambda value: 0 <= value < 2**64),
    "threads": (
        f"a number of threads from 0 to {_MOST_THREADS}, where 0 means all cores",
        _is_whole,
        lambda value: 0 <= value <= _MOST_THREADS,
    ),
    "steps": ("a whole number, 1 or more", _is_whole, lambda value: 1 <= value < 2**63),
    "barriers": ("'keep' or 'ignore'", _is_text, lambda value: value in ("keep", "ignore")),
    "program": ("True or False", lambda value: isinstance(value, bool), lambda value: True),
    "permutation": ("'keep' or 'free'", _is_text, lambda value: value in ("keep", "free")),
}

#: What may be None: Qiskit or the target then says what is used.
_MAY_BE_NONE = frozenset({"time", "cost", "seed", "threads", "steps", "permutation"})


def require_settings(function: str, **values: Any) -> None:
    """Raises TypeError for a setting of another type, and UsageError for one that is out of range."""
    for name, value in values.items():
        if value is None and name in _MAY_BE_NONE:
            continue
        expected, has_type, is_in_range = _RULES[name]
        message = f"{function}(): {name} is {expected}, not {value!r}"
        if not has_type(value):
            raise TypeError(message)
        if not is_in_range(value):
            raise UsageError(message)

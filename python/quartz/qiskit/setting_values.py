"""The values of the settings of the stage and of the pass: what they may be."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable
from typing import Any

from quartz.errors import UsageError

#: The costs by their names; ``errors`` is that of the error rates of the target.
COSTS = ("two-qubit", "total", "t", "depth", "two-qubit-depth", "t-depth", "errors")

_MOST_THREADS = 1024


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_costs(value: str) -> bool:
    return all(name in COSTS or os.path.isfile(name) for name in value.split(","))


#: By setting: what it is, whether a value has the right type, and whether it is in the range.
_RULES: dict[str, tuple[str, Callable[[Any], bool], Callable[[Any], bool]]] = {
    "time": ("a number of seconds, 0 or more", _is_real, lambda value: math.isfinite(value) and value >= 0),
    "cost": (f"a list of {', '.join(COSTS)} and paths of files, separated by commas", _is_text, _are_costs),
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

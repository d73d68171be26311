"""Durations in OpenQASM."""

from __future__ import annotations

import decimal
import re

_UNITS = ("s", "ms", "us", "ns", "dt")


def text_of_duration(value: object, unit: str) -> str | None:
    """Returns a duration exactly; None if it is not a finite number of seconds, their fractions down to ``ps``, or
    samples (``dt``)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = decimal.Decimal(repr(int(value) if isinstance(value, float) and value.is_integer() else value))
    if unit == "ps":  # OpenQASM has no picoseconds
        number, unit = number.scaleb(-3), "ns"
    return f"{number:f}{unit}" if number.is_finite() and unit in _UNITS else None


def duration_of_delay(name: str) -> tuple[decimal.Decimal, str] | None:
    """Returns the duration of a statement such as ``delay[0.5ns]`` as a number and its unit; None for another
    statement."""
    delay = re.fullmatch(rf"delay\[([\d.]+)({'|'.join(_UNITS)})\]", name)
    return None if delay is None else (decimal.Decimal(delay[1]), delay[2])

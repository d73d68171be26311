"""Durations in OpenQASM."""

from __future__ import annotations

import decimal

_UNITS = ("s", "ms", "us", "ns", "dt")


def text_of_duration(value: object, unit: str) -> str | None:
    """Returns a duration exactly; None if it is not a finite number of seconds, their fractions down to ``ps``, or
    samples (``dt``)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = decimal.Decimal(repr(value))
    if unit == "ps":  # OpenQASM has no picoseconds
        number, unit = number.scaleb(-3), "ns"
    return f"{number:f}{unit}" if number.is_finite() and unit in _UNITS else None

"""Numbers of other packages as exact expressions of OpenQASM, and exact angles as numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from quartz._core import Angle
from quartz.errors import UsageError

#: A double that is the closest one to a fraction with a denominator up to this is taken for that fraction.
_GREATEST_DENOMINATOR = 1000


def finite(value: Any) -> float:
    """Returns a real number as a float. Raises UsageError for one that is not finite, and for everything else."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{value!r} is not a real number, and no angle") from error
    if not math.isfinite(number):
        raise UsageError(f"{value!r} is not finite, and no angle")
    return number


def text_of_radians(value: Any) -> str:
    """Returns the expression of an angle in radians."""
    return repr(finite(value))


def text_of_half_turns(value: Any) -> str:
    """Returns the expression of an angle in half turns: a multiple of pi."""
    number = finite(value)
    fraction = Fraction(number).limit_denominator(_GREATEST_DENOMINATOR)
    if float(fraction) == number:
        return f"{fraction.numerator}*pi/{fraction.denominator}"
    return f"{number!r}*pi"


def half_turns(angle: Angle) -> float:
    """Returns a constant angle in half turns."""
    if angle.radian_part == 0 and not angle.terms:
        return float(angle.pi_part)
    return float(angle) / math.pi

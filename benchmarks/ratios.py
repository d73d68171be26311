"""Statistics of measurements that were made in pairs, an old and a new one in turn.

Paired ratios are used because other work on the machine changes the speed of both measurements of a
pair alike.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence

# If old and new are equally fast, this number of pairs agrees by chance once in 16 times.
FEWEST_PAIRS = 5


@dataclasses.dataclass(frozen=True)
class Ratio:
    """new/old over all pairs."""

    median: float
    least: float
    greatest: float


def paired_ratio(old: Sequence[float], new: Sequence[float]) -> Ratio:
    """Compares two lists of positive numbers of the same length."""
    ratios = [after / before for before, after in zip(old, new, strict=True)]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios))


def change_of(ratio: Ratio, pairs: int) -> str:
    """Returns "faster" or "slower" if all of at least FEWEST_PAIRS pairs agree, "" otherwise."""
    if pairs < FEWEST_PAIRS:
        return ""
    if ratio.least > 1:
        return "faster"
    return "slower" if ratio.greatest < 1 else ""


def geometric_mean(numbers: Iterable[float]) -> float:
    """Returns the geometric mean of positive numbers."""
    return math.exp(statistics.fmean(math.log(number) for number in numbers))


def mean_ratios(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[float, float]:
    """Returns new/old of the sums, and the geometric mean of the ratios by name. Names with a size
    of 0 have no ratio."""
    with_ratio = [name for name in old if old[name] > 0 and new[name] > 0]
    total = sum(old.values())
    return (
        sum(new.values()) / total if total > 0 else 1.0,
        geometric_mean(new[name] / old[name] for name in with_ratio) if with_ratio else 1.0,
    )


def mean_reduction(pairs: Iterable[tuple[float, float | None]], least: float = 1) -> float:
    """Returns 1 - the geometric mean of after/before.

    None as `after` counts as no reduction. An `after` of 0 counts as `least`, because a geometric
    mean has no place for 0. Pairs with 0 before are left out.
    """
    ratios = [
        max(after, least) / before if after is not None else 1.0
        for before, after in pairs
        if before > 0
    ]
    return 1 - geometric_mean(ratios) if ratios else 0.0

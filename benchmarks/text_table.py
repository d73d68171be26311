"""Tables on the terminal, and how numbers are written in them."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Prints rows with aligned columns: the first one to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


def percent(change: float) -> str:
    """Writes a relative change with its sign; never as -0.0%."""
    return f"{100 * change + 0.0:+.1f}%"


def with_unit_prefix(rate: float) -> str:
    """Writes a rate with three digits: 12.3, 1.23 k, 60.6 M."""
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= unit:
            return f"{rate / unit:.3g}{letter}"
    return f"{rate:.3g}"

"""Symbols of angles whose names encode expressions.

An expression of free parameters that is not linear, such as ``sin(a)`` or ``pi*a``, is a symbol of its own in an angle.
The name of the symbol is the text of the expression, in which each character c that an identifier cannot have is
U+E000 + c of Unicode's private use area.
"""

from __future__ import annotations

_WRITTEN = {0xE000 + code: chr(code) for code in range(0x80)}


def written_out(text: object) -> str:
    """Returns an angle, or any text with names of symbols, with the expressions that the symbols stand for."""
    return str(text).translate(_WRITTEN)

"""Names of other packages as identifiers of OpenQASM."""

from __future__ import annotations

import unicodedata

from quartz.errors import UsageError

#: Words of OpenQASM 3 that are no names, and the constants and functions of its expressions.
_RESERVED = frozenset(
    """OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else end return for while in
    switch case default pragma input output const readonly mutable qreg qubit creg bool bit int uint float angle complex
    array void duration stretch gphase inv pow ctrl negctrl dim durationof delay reset measure barrier opaque true false
    pi tau euler im sin cos tan arcsin arccos arctan exp ln log sqrt mod ceiling floor rotl rotr popcount U CX sizeof
    real imag""".split()
)


#: Number of characters of a name with a number.
_LONGEST_NUMBERED = 40


class Names:
    """Identifiers that differ from each other."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def identifier(self, name: str) -> str:
        """Returns the name if it is an identifier that is free, and otherwise one that is similar."""
        base = _similar(name)
        free, number = base, 1
        while free in self._taken:
            number += 1
            free = f"{base}_{number}"
        self._taken.add(free)
        return free

    def parameter(self, name: str) -> str:
        """Returns the identifier of a free parameter, which depends on nothing but its name: parameters of two circuits
        are the same if their names are. Raises UsageError if it is taken."""
        identifier = _similar(name)
        if identifier in self._taken:
            raise UsageError(f"the parameter {name!r} and another one would both be {identifier} in OpenQASM")
        self._taken.add(identifier)
        return identifier


def numbered(name: str, number: int) -> str:
    """Returns an identifier that is similar to a name, and that no other number has."""
    return f"{_similar(name[:_LONGEST_NUMBERED])}_{number}"


def _similar(name: str) -> str:
    base = "".join(each if _is_allowed(each) else "_" for each in name)
    if not base or base[0].isdigit():
        base = f"_{base}"
    return f"{base}_" if base in _RESERVED else base


def _is_allowed(character: str) -> bool:
    """Returns whether identifiers may have a character."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl")

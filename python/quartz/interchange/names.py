"""Names of other packages as identifiers of OpenQASM."""

from __future__ import annotations

import re

#: Words of OpenQASM 3 that are no names, and the constants and functions of its expressions.
_RESERVED = frozenset(
    """OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else end return for while in
    switch case default pragma input output const readonly mutable qreg qubit creg bool bit int uint float angle complex
    array void duration stretch gphase inv pow ctrl negctrl dim durationof delay reset measure barrier opaque true false
    pi tau euler im sin cos tan arcsin arccos arctan exp ln log sqrt mod ceiling floor rotl rotr popcount U CX sizeof
    real imag""".split()
)


class Names:
    """Identifiers that differ from each other."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def identifier(self, name: str) -> str:
        """Returns the name if it is an identifier that is free, and otherwise one that is similar."""
        base = re.sub(r"\W", "_", name, flags=re.ASCII)
        if not base or base[0].isdigit():
            base = f"_{base}"
        if base in _RESERVED:
            base = f"{base}_"
        free, number = base, 1
        while free in self._taken:
            number += 1
            free = f"{base}_{number}"
        self._taken.add(free)
        return free

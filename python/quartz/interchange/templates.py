"""Tables of gates: how a gate of a package is written in OpenQASM."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from quartz.interchange.steps import Call


@cache
def _parsed(template: str) -> tuple[Call, ...]:
    calls = []
    for statement in filter(None, (each.strip() for each in template.split(";"))):
        words = re.fullmatch(r"(.*?)((?: \d+)*)", statement)
        assert words is not None
        calls.append(Call(words[1], tuple(int(word) for word in words[2].split())))
    return tuple(calls)


def instantiate(template: str, parameters: Sequence[str] = ()) -> tuple[Call, ...]:
    """Returns the calls of a template, such as ``cx 0 1; rz(p0/2) 1``: statements with the indices of qubits, and p0,
    p1, ... for the parameters, which are expressions of OpenQASM."""

    def text(match: re.Match[str]) -> str:
        return f"({parameters[int(match[1])]})"

    return tuple(Call(re.sub(r"\bp(\d)\b", text, each.gate), each.operands) for each in _parsed(template))

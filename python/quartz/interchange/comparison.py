"""Comparing the decomposition that a package gives an operation with its unitary."""

from __future__ import annotations

import cmath
import re
from collections.abc import Container, Iterable
from typing import Any

import numpy

from quartz.interchange.exact_numbers import text_of_radians
from quartz.interchange.program import Program
from quartz.interchange.steps import Call, phase_call

#: The greatest number of qubits of an operation whose decomposition is compared with its unitary, and how much they may
#: differ: unitaries are known to about 1e-8 if they are roots that a package has computed.
MOST_COMPARED_QUBITS = 4
_GREATEST_DIFFERENCE = 1e-6


def have_symbols(calls: Iterable[Call], symbols: Container[str]) -> bool:
    """Returns whether arguments of calls have free parameters with these names."""
    arguments = (each.gate.partition("(")[2] for each in calls)
    return any(name in symbols for text in arguments for name in re.findall(r"[^\W\d]\w*", text))


def phase_besides(unitary: Any, calls: Iterable[Call], num_qubits: int) -> float | None:
    """Returns the phase by which a unitary is that of calls without free parameters; None if it is another one.

    The first operand of the calls is the most significant qubit of the unitary.
    """
    qubits = range(num_qubits)
    program = Program()
    program.add_register("qubit", "q", qubits[::-1])
    program.add_gates(calls, qubits)
    expected = program.circuit((), "the decomposition").unitary()
    found = numpy.asarray(unitary)
    phase = cmath.phase(complex(numpy.vdot(expected, found)))
    difference = numpy.linalg.norm(found - cmath.exp(1j * phase) * expected)
    if not difference <= _GREATEST_DIFFERENCE * 2 ** (num_qubits / 2):
        return None
    return phase if abs(phase) > _GREATEST_DIFFERENCE else 0.0


def with_phase(calls: Iterable[Call], phase: float | None) -> tuple[Call, ...] | None:
    """Returns calls and the phase that they lack; None if that is None."""
    if phase is None:
        return None
    return (*calls, phase_call(text_of_radians(phase))) if phase else tuple(calls)

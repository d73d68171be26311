"""Gates that a package does not have, in gates that every package has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from quartz._core import Angle, Circuit
from quartz.interchange.steps import Gate, call, text_of_calls
from quartz.symbol_names import written_out

#: A gate with its parameters, and the numbers of its qubits among those of the gate that it is part of.
_Part = tuple[str, tuple[Angle, ...], tuple[int, ...]]


def with_native_gates(
    gate: Gate, is_native: Callable[[str], bool], parameters: Iterable[str] = ()
) -> tuple[list[Gate], Angle]:
    """Returns an equal sequence of gates that a package has, and the global phase besides them.

    What it has contains x, y, z, h, s, sdg, t, tdg, rx, ry, rz, cx, cz and ccx. ``parameters`` are the free parameters
    of the circuit.
    """
    if is_native(gate.name):
        return [gate], Angle("0")
    angles = tuple(written_out(each) for each in gate.parameters)
    parts, phase = _parts(gate.name, angles, len(gate.qubits), tuple(parameters))
    return [Gate(name, own, tuple(gate.qubits[place] for place in places)) for name, own, places in parts], phase


@lru_cache(maxsize=4096)
def _parts(
    name: str, angles: tuple[str, ...], num_qubits: int, parameters: tuple[str, ...]
) -> tuple[tuple[_Part, ...], Angle]:
    inputs = "".join(f"input float[64] {each}; " for each in parameters)
    (statement,) = text_of_calls([call(name, angles, range(num_qubits))], [f"quartz_q[{i}]" for i in range(num_qubits)])
    text = f'OPENQASM 3.0; include "stdgates.inc"; {inputs}qubit[{num_qubits}] quartz_q; {statement}'
    # The dialect "plain" has the gates of all packages. It has no global phase, which is therefore in a comment.
    plain = Circuit.from_qasm(text).to_qasm(3, dialect="plain")
    stated = re.search(r"^// global phase: (.*)$", plain, flags=re.MULTILINE)
    lowered = Circuit.from_qasm(f"{plain}gphase({stated[1]});" if stated else plain)
    parts = tuple((each.name, tuple(each.parameters), tuple(each.qubits)) for each in lowered)
    return parts, lowered.global_phase

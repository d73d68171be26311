"""All gates of Quartz, for the tests of the adapters."""

import math
import pathlib
import re

import numpy

import quartz

_LIST = pathlib.Path(__file__).resolve().parents[2] / "include/quartz/circuit/gates.inc"
#: Arguments that are no special angles of any gate.
ANGLES = [0.13, 0.37, 0.71, 1.9]


def every_gate():
    """Yields a circuit for each gate, on its qubits in reversed order of their numbers."""
    text = _LIST.read_text(encoding="utf-8")
    for name, qubits, names in re.findall(r"^QUARTZ_GATE\((\w+), \{[^}]*\}, (\d+), \{([^}]*)\}", text, re.M):
        parameters = ANGLES[: names.count('"') // 2]
        arguments = f"({', '.join(map(repr, parameters))})" if parameters else ""
        operands = ", ".join(f"q[{number}]" for number in reversed(range(int(qubits))))
        yield quartz.Circuit.from_qasm(
            f'OPENQASM 3.0; include "stdgates.inc"; qubit[{qubits}] q; gphase(0.3); {name}{arguments} {operands};'
        )


def reversed_bits(matrix):
    """Returns a matrix with the bits of all indices in reversed order: with qubit 0 as the least significant bit if it
    was the most significant one."""
    size = int(math.log2(len(matrix)))
    order = [int(format(index, f"0{size}b")[::-1], 2) if size else 0 for index in range(2**size)]
    return numpy.asarray(matrix)[numpy.ix_(order, order)]


def distance(left, right):
    """The greatest difference between the entries of two matrices."""
    return abs(numpy.asarray(left) - numpy.asarray(right)).max()


def with_values(circuit, values):
    """Returns a circuit whose free parameters have these values."""
    text = circuit.to_qasm(3)
    for name, value in values.items():
        text = re.sub(rf"^input (float.*) {name};$", rf"const \1 {name} = {value!r};", text, flags=re.M)
    return quartz.Circuit.from_qasm(text)

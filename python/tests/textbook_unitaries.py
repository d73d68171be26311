"""Unitaries of circuits, computed by NumPy from textbook matrices and by nothing of Quartz."""

import cmath
import math

import numpy

_H = numpy.array([[1, 1], [1, -1]]) / math.sqrt(2)
_X = numpy.array([[0, 1], [1, 0]])
_SX = numpy.array([[1 + 1j, 1 - 1j], [1 - 1j, 1 + 1j]]) / 2


def _phase(angle):
    return numpy.diag([1, cmath.exp(1j * angle)])


def _rz(angle):
    return numpy.diag([cmath.exp(-1j * angle / 2), cmath.exp(1j * angle / 2)])


def _rx(angle):
    return _H @ _rz(angle) @ _H


def _controlled(matrix, controls=1):
    """The controls are the least significant qubits, as in the calls of the gates."""
    dimension = len(matrix) << controls
    full = numpy.eye(dimension, dtype=complex)
    places = [(row << controls) + (1 << controls) - 1 for row in range(len(matrix))]
    full[numpy.ix_(places, places)] = matrix
    return full


def matrix_of(name, parameters):
    """Returns the matrix of a gate; its first qubit is the least significant bit of an index."""
    angles = [float(each) for each in parameters]
    gates = {
        "h": lambda: _H,
        "x": lambda: _X,
        "sx": lambda: _SX,
        "s": lambda: _phase(math.pi / 2),
        "t": lambda: _phase(math.pi / 4),
        "tdg": lambda: _phase(-math.pi / 4),
        "z": lambda: _phase(math.pi),
        "p": lambda: _phase(*angles),
        "rz": lambda: _rz(*angles),
        "rx": lambda: _rx(*angles),
        "cx": lambda: _controlled(_X),
        "cz": lambda: _controlled(_phase(math.pi)),
        "ccx": lambda: _controlled(_X, 2),
    }
    return gates[name]()


def apply(matrix, qubits, state, num_qubits):
    """Applies a gate to the columns of a matrix of 2**num_qubits rows."""
    columns = state.shape[1]
    tensor = state.reshape([2] * num_qubits + [columns])
    axes = [num_qubits - 1 - qubit for qubit in reversed(qubits)]
    gate = numpy.asarray(matrix, dtype=complex).reshape([2] * (2 * len(qubits)))
    moved = numpy.tensordot(gate, tensor, axes=(range(len(qubits), 2 * len(qubits)), axes))
    return numpy.moveaxis(moved, range(len(qubits)), axes).reshape(state.shape)


def unitary_of(circuit):
    """Returns the unitary of a circuit of the gates above, with its global phase."""
    total = numpy.eye(2**circuit.num_qubits, dtype=complex)
    for gate in circuit:
        total = apply(matrix_of(gate.name, gate.parameters), gate.qubits, total, circuit.num_qubits)
    return cmath.exp(1j * float(circuit.global_phase)) * total

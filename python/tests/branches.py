"""Simulation of circuits of Qiskit with measurements and conditions, outcome by outcome."""

import numpy
from qiskit.quantum_info import Statevector


def states_after(circuit, state):
    """Returns the states after a circuit for all outcomes that are possible; they are not normalized."""
    return [state for _, state in _after(circuit, {bit: bit for bit in circuit.qubits}, [({}, state)], circuit)]


def _after(block, outer, reached, circuit):
    for instruction in block.data:
        qubits = [outer[qubit] for qubit in instruction.qubits]
        places = [circuit.find_bit(qubit).index for qubit in qubits]
        operation = instruction.operation
        if operation.name == "if_else":
            (body,), (bit, value) = operation.blocks, operation.condition
            inside = [each for each in reached if each[0].get(bit, 0) == value]
            reached = [each for each in reached if each[0].get(bit, 0) != value]
            reached += _after(body, dict(zip(body.qubits, qubits)), inside, circuit)
        elif operation.name in ("measure", "reset"):
            reached = [
                ({**bits, instruction.clbits[0]: value} if operation.name == "measure" else bits, after)
                for bits, state in reached
                for value in (0, 1)
                if (after := _projected(state, places[0], value, operation.name == "reset")) is not None
            ]
        else:
            reached = [(bits, state.evolve(operation, places)) for bits, state in reached]
    return reached


def _projected(state, place, value, is_reset):
    """Returns a state after a measurement with this outcome; None if it is impossible."""
    indices = numpy.arange(len(state.data))
    kept = indices[indices >> place & 1 == value]
    data = numpy.zeros_like(state.data)
    data[kept & ~(1 << place) if is_reset else kept] = state.data[kept]
    return Statevector(data) if numpy.linalg.norm(data) > 1e-9 else None


def right_outcomes(circuit, given, state):
    """Returns for how many outcomes a circuit with ancillas does what the given one does to a state of its qubits; 0 if
    it does something else for one of them."""
    expected = state.evolve(given).data
    ancillas = circuit.num_qubits - given.num_qubits
    after = states_after(circuit, Statevector.from_label("0" * ancillas).tensor(state))
    for each in after:
        rows = each.data.reshape(2**ancillas, -1)  # the given qubits are the least significant ones
        overlap = numpy.linalg.norm(rows @ expected.conj()) / numpy.linalg.norm(each.data)
        if abs(overlap - 1) > 1e-9:
            return 0
    return len(after)

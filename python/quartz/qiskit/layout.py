"""Output permutations in the layouts of Qiskit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from qiskit.circuit import QuantumCircuit, Qubit
from qiskit.transpiler import Layout
from qiskit.transpiler.layout import TranspileLayout


def final_layout(qubits: Sequence[Qubit], places: Mapping[Qubit, Qubit], earlier: Layout | None) -> Layout:
    """Returns the final layout of a circuit on these qubits after a permutation that moves qubits to their ``places``.

    ``earlier`` is the final layout before it, if there is one.
    """
    indices = {qubit: index for index, qubit in enumerate(qubits)}
    own = Layout({qubit: indices[places.get(qubit, qubit)] for qubit in qubits})
    return own if earlier is None else earlier.compose(own, list(qubits))


def set_layout(circuit: QuantumCircuit, given: TranspileLayout | None, places: Mapping[Qubit, Qubit]) -> None:
    """Gives a circuit the layout of the one that it replaces, with a permutation after it."""
    if places:
        indices = {qubit: index for index, qubit in enumerate(circuit.qubits)}
        if given is None:
            given = TranspileLayout(Layout(indices), indices, None, circuit.num_qubits, list(circuit.qubits))
        permuted = final_layout(circuit.qubits, places, given.final_layout)
        given = dataclasses.replace(given, final_layout=permuted)
    circuit._layout = given

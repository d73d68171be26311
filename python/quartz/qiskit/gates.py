"""The gates that Quartz and Qiskit have in common."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

from qiskit.circuit import ControlledGate, Gate, QuantumCircuit
from qiskit.circuit.library import (
    C3SXGate,
    C3XGate,
    C4XGate,
    PermutationGate,
    RC3XGate,
    get_standard_gate_name_mapping,
)
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Operator
from qiskit.synthesis import synth_permutation_basic

from quartz._core import Circuit
from quartz.errors import Error
from quartz.qiskit.other_gates import other_gate

#: The gates of the standard library whose names and matrices are the same in Quartz.
_COMMON = frozenset(
    """id x y z h s sdg t tdg sx sxdg rx ry rz p u u1 u2 u3 r cx cy cz ch cs csdg csx crx cry crz cp cu1 cu3 cu
    swap iswap ecr rxx ryy rzz rzx ccx ccz cswap rccx""".split()
)
#: The gates that have other names in Quartz.
_RENAMED = {C3XGate: "c3x", C4XGate: "c4x", C3SXGate: "c3sqrtx", RC3XGate: "rc3x"}


@dataclasses.dataclass(frozen=True)
class GateForm:
    """How a gate of Qiskit is written in Quartz: its name there, and the radians in one unit of its parameters."""

    name: str
    unit: float = 1.0


@functools.cache
def _names_by_class() -> dict[type, str]:
    by_class: dict[type, str] = {
        gate.base_class: name for name, gate in get_standard_gate_name_mapping().items() if name in _COMMON
    }
    return {**by_class, **_RENAMED}


@functools.cache
def _classes_by_name() -> dict[str, type]:
    return {name: each for each, name in _names_by_class().items()}


#: The forms of the gates of a class, if none of their controls is open, and whether they have controls.
_forms_by_class: dict[type, tuple[GateForm | None, bool]] = {}


def standard_form(operation: Any) -> GateForm | None:
    """Returns the form of a gate of Qiskit's standard library; None for all other operations, among them gates with
    controls that are open."""
    own_class = operation.__class__
    found = _forms_by_class.get(own_class)
    if found is None:
        name = _names_by_class().get(operation.base_class) if issubclass(own_class, Gate) else None
        found = (None if name is None else GateForm(name), issubclass(own_class, ControlledGate))
        _forms_by_class[own_class] = found
    form, has_controls = found
    if has_controls and operation.ctrl_state != 2**operation.num_ctrl_qubits - 1:
        return None
    return form


def standard_gate(name: str, parameters: Sequence[Any]) -> Gate | None:
    """Returns the gate of Qiskit for a gate of Quartz: one of the standard library, if it has one, or a gate with a
    definition; None if there is none."""
    gate_class = _classes_by_name().get(name)
    if gate_class is None:
        return other_gate(name, parameters)
    return gate_class(*parameters) if parameters else _gate_without_parameters(gate_class)


#: The gates without parameters that Qiskit does not let change.
_immutable_gates: dict[type, Gate] = {}


def _gate_without_parameters(gate_class: type) -> Gate:
    known = _immutable_gates.get(gate_class)
    if known is not None:
        return known
    gate: Gate = gate_class()
    if not gate.mutable:
        _immutable_gates[gate_class] = gate
    return gate


def definition_of(operation: Any) -> QuantumCircuit | None:
    """Returns the circuit that an operation stands for; None if it has none. Qiskit leaves it to its synthesis to define
    a permutation."""
    if isinstance(operation, PermutationGate):
        return synth_permutation_basic(operation.pattern)
    return operation.definition


#: Gates that hardware providers define in packages of their own. IonQ's angles are in turns.
_FOREIGN = {
    "gpi": GateForm("gpi", 2 * math.pi),
    "gpi2": GateForm("gpi2", 2 * math.pi),
    "ms": GateForm("ms", 2 * math.pi),
    "zz": GateForm("rzz", 2 * math.pi),
}


def foreign_form(operation: Any) -> GateForm | None:
    """Returns the form of a gate of a provider's package; None for all others.

    Such a gate is known by its name, and only if its matrix is that of the gate of Quartz.
    """
    if not isinstance(operation, Gate) or standard_form(operation) is not None:
        return None
    form = _FOREIGN.get(operation.name)
    return form if form is not None and _is_same_gate(operation.base_class, len(operation.params), form) else None


@functools.cache
def _is_same_gate(gate_class: type, parameters: int, form: GateForm) -> bool:
    """Returns whether a class of gates with parameters has the matrix of a gate of Quartz, global phase included."""
    values = [0.11, 0.27, 0.19][:parameters]
    try:
        matrix = Operator(gate_class(*values)).data
        arguments = ", ".join(repr(each * form.unit) for each in values)
        qubits = "q[0]" if len(matrix) == 2 else "q[0], q[1]"
        text = f'OPENQASM 3.0; include "stdgates.inc"; qubit[{len(matrix) // 2}] q; {form.name}({arguments}) {qubits};'
        expected = Circuit.from_qasm(text).unitary()
    except (TypeError, QiskitError, Error):
        return False
    return matrix.shape == expected.shape and bool(abs(matrix - expected).max() < 1e-9)

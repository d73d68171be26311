"""The distance of two circuits on a few qubits, by simulation: independent of the code that is measured."""

from __future__ import annotations

import cmath
import math
from typing import Any

from benchmarks import qasm

# The matrix of 2^10 rows takes 16 MiB, and its eigenvalues seconds.
MOST_QUBITS = 10

ROOT_HALF = math.sqrt(0.5)
# Gates on one qubit without angles, as matrices by rows.
FIXED = {
    "h": ((ROOT_HALF, ROOT_HALF), (ROOT_HALF, -ROOT_HALF)),
    "x": ((0, 1), (1, 0)),
    "y": ((0, -1j), (1j, 0)),
    "sx": ((0.5 + 0.5j, 0.5 - 0.5j), (0.5 - 0.5j, 0.5 + 0.5j)),
    "sxdg": ((0.5 - 0.5j, 0.5 + 0.5j), (0.5 + 0.5j, 0.5 - 0.5j)),
}
# Gates that multiply |1> by a phase, and the angle of the phase in units of pi.
PHASES = {"id": 0, "z": 1, "s": 0.5, "sdg": -0.5, "t": 0.25, "tdg": -0.25}


def one_qubit_matrix(name: str, angles: tuple[float, ...]) -> Any:
    """Returns the matrix of a gate on one qubit. Raises ValueError for an unknown one."""
    if name in FIXED:
        return FIXED[name]
    if name in PHASES:
        return ((1, 0), (0, cmath.exp(1j * math.pi * PHASES[name])))
    if name in ("p", "u1"):
        return ((1, 0), (0, cmath.exp(1j * angles[0])))
    if name not in ("rx", "ry", "rz"):
        raise ValueError(f"the simulation does not know {name}")
    cosine, sine = math.cos(angles[0] / 2), math.sin(angles[0] / 2)
    if name == "rx":
        return ((cosine, -1j * sine), (-1j * sine, cosine))
    if name == "ry":
        return ((cosine, -sine), (sine, cosine))
    return ((cosine - 1j * sine, 0), (0, cosine + 1j * sine))


def two_qubit_matrix(name: str, angles: tuple[float, ...]) -> Any:
    """Returns the matrix of a gate on two qubits, the first operand being the more significant bit."""
    import numpy as np

    if name in ("cx", "swap"):
        columns = {"cx": [0, 1, 3, 2], "swap": [0, 2, 1, 3]}[name]
        return np.eye(4)[columns]
    if name in ("cz", "cp", "cu1"):
        angle = angles[0] if angles else math.pi
        return np.diag([1, 1, 1, np.exp(1j * angle)])
    paulis = {"rxx": FIXED["x"], "ryy": FIXED["y"], "rzz": ((1, 0), (0, -1))}
    if name not in paulis:
        raise ValueError(f"the simulation does not know {name}")
    both = np.kron(paulis[name], paulis[name])
    return math.cos(angles[0] / 2) * np.eye(4) - 1j * math.sin(angles[0] / 2) * both


class Simulation:
    """The unitary of a circuit. Runs of gates on one qubit are multiplied before they are applied."""

    def __init__(self, qubits: int) -> None:
        import numpy as np

        self.qubits = qubits
        self.unitary = np.eye(2**qubits, dtype=complex).reshape([2] * qubits + [2**qubits])
        self.waiting: dict[int, Any] = {}

    def _apply(self, matrix: Any, wires: tuple[int, ...]) -> None:
        import numpy as np

        count = len(wires)
        tensor = np.asarray(matrix, dtype=complex).reshape([2] * (2 * count))
        found = np.tensordot(tensor, self.unitary, (range(count, 2 * count), wires))
        self.unitary = np.moveaxis(found, range(count), wires)

    def _apply_waiting(self, wire: int) -> None:
        if (matrix := self.waiting.pop(wire, None)) is not None:
            self._apply(matrix, (wire,))

    def add(self, statement: qasm.Statement) -> None:
        import numpy as np

        angles = tuple(map(qasm.angle_value, statement.angles))
        if statement.name == "barrier":
            return
        if len(statement.qubits) == 1:
            wire = statement.qubits[0]
            matrix = np.asarray(one_qubit_matrix(statement.name, angles))
            self.waiting[wire] = matrix @ self.waiting.get(wire, np.eye(2))
            return
        for wire in statement.qubits:
            self._apply_waiting(wire)
        self._apply(two_qubit_matrix(statement.name, angles), statement.qubits)

    def finish(self) -> Any:
        for wire in list(self.waiting):
            self._apply_waiting(wire)
        return self.unitary.reshape(2**self.qubits, 2**self.qubits)


def unitary_of(circuit: qasm.FlatCircuit) -> Any:
    """Returns the unitary of a circuit of gates on one and two qubits."""
    simulation = Simulation(circuit.qubits)
    for statement in circuit.statements:
        simulation.add(statement)
    return simulation.finish()


def distance(left: qasm.FlatCircuit, right: qasm.FlatCircuit) -> float:
    """Returns the operator norm of the difference of two circuits, for the global phase for which it
    is the least: the eigenvalues of the one followed by the inverse of the other are on an arc of
    the unit circle, and the best phase is the middle of the arc."""
    import numpy as np

    between = unitary_of(left).conj().T @ unitary_of(right)
    phases = np.sort(np.angle(np.linalg.eigvals(between)))
    gaps = np.diff(phases, append=phases[0] + 2 * math.pi)
    arc = 2 * math.pi - gaps.max()
    return float(2 * math.sin(arc / 4))

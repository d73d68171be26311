"""Large random circuits, the same for the same seed."""

from __future__ import annotations

import dataclasses
import random

FEW_ANGLES = ["pi/4", "-pi/4", "0.25*pi", "3*pi/8", "1.5707963267948966", "-0.3"]

SHARE_OF_TOFFOLIS = 0.1
GATES_OF_TOFFOLI = 15
FEW_KINDS = ["h", "s", "t", "tdg", "x"]


@dataclasses.dataclass(frozen=True)
class RandomCircuit:
    """40% of the gates are cx, 20% h and 40% rz, on random qubits."""

    gates: int
    qubits: int
    distinct_angles: bool  # all angles differ, in place of six that repeat
    seed: int

    def describe(self) -> str:
        return f"{self.gates} gates on {self.qubits} qubits, seed {self.seed}"

    def to_qasm(self) -> str:
        """Returns the circuit as OpenQASM 2.0."""
        source = random.Random(self.seed)
        lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{self.qubits}];"]
        for _ in range(self.gates):
            kind = source.random()
            if kind < 0.4:
                control, target = source.sample(range(self.qubits), 2)
                lines.append(f"cx q[{control}],q[{target}];")
                continue
            qubit = source.randrange(self.qubits)
            if kind < 0.6:
                lines.append(f"h q[{qubit}];")
            elif self.distinct_angles:
                lines.append(f"rz({source.uniform(-6, 6)!r}) q[{qubit}];")
            else:
                lines.append(f"rz({source.choice(FEW_ANGLES)}) q[{qubit}];")
        return "\n".join(lines) + "\n"


@dataclasses.dataclass(frozen=True)
class RandomToffolis:
    """A tenth of the gates are Toffoli gates, 40% cx, and the others h, x, s and t, on random
    qubits."""

    gates: int  # in {h, x, rz, cx}, where a Toffoli gate is fifteen; a few more if it ends with one
    qubits: int
    seed: int

    def describe(self) -> str:
        return f"{self.gates} gates with Toffolis on {self.qubits} qubits, seed {self.seed}"

    def to_qasm(self) -> str:
        """Returns the circuit as OpenQASM 2.0."""
        source = random.Random(self.seed)
        lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{self.qubits}];"]
        left = self.gates
        while left > 0:
            kind = source.random()
            if kind < SHARE_OF_TOFFOLIS:
                a, b, target = source.sample(range(self.qubits), 3)
                lines.append(f"ccx q[{a}],q[{b}],q[{target}];")
                left -= GATES_OF_TOFFOLI
                continue
            left -= 1
            if kind < 0.5:
                control, target = source.sample(range(self.qubits), 2)
                lines.append(f"cx q[{control}],q[{target}];")
            else:
                lines.append(f"{source.choice(FEW_KINDS)} q[{source.randrange(self.qubits)}];")
        return "\n".join(lines) + "\n"

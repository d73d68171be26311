"""The costs of quartz-opt, computed from OpenQASM files independently of it."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib

from benchmarks import qasm

MEASURES = ["total", "two_qubit", "t", "depth"]
# The measure of each cost that --cost knows by name.
NAMED = {"total": "total", "two-qubit": "two_qubit", "t": "t", "depth": "depth"}
# Gates that are symmetric in their first operands, and the number of these operands.
SYMMETRIC_OPERANDS = {
    "cz": 2,
    "swap": 2,
    "iswap": 2,
    "rxx": 2,
    "ryy": 2,
    "rzz": 2,
    "ccx": 2,
    "ccz": 3,
}
# The weight of an error rate of 1, whose logarithm is infinite.
WEIGHT_OF_ERROR_RATE_ONE = 37

Sizes = dict[str, int | float]  # by measure
Place = tuple[str, tuple[int, ...]]  # a gate on its qubits


def place(name: str, qubits: tuple[int, ...]) -> Place:
    """Returns a gate on its qubits, the same for all orders of operands with the same meaning."""
    symmetric = SYMMETRIC_OPERANDS.get(name, 0)
    return name, (*sorted(qubits[:symmetric]), *qubits[symmetric:])


@dataclasses.dataclass(frozen=True)
class Weights:
    """A file of weights or error rates (format: costs/README.md)."""

    name: str
    by_gate: dict[str, float]
    by_place: dict[Place, float]
    default: float | None

    def of(self, circuit: qasm.FlatCircuit) -> float:
        """Returns the weight of a circuit. Raises KeyError for a gate without a weight."""
        return math.fsum(
            self._of_gate(statement)
            for statement in circuit.statements
            if statement.name not in qasm.NOT_GATES
        )

    def _of_gate(self, statement: qasm.Statement) -> float:
        where = place(statement.name, statement.qubits)
        if where in self.by_place:
            return self.by_place[where]
        if statement.name in self.by_gate:
            return self.by_gate[statement.name]
        if self.default is None:
            raise KeyError(f"{statement.name} has no weight in the cost {self.name}")
        return self.default

    def least(self) -> float:
        """Returns the smallest weight above 0."""
        weights = [*self.by_gate.values(), *self.by_place.values(), self.default or 0]
        return min((weight for weight in weights if weight > 0), default=1)


def weight_of_error_rate(rate: float) -> float:
    """Returns -log(1 - rate), the contribution to the logarithm of the fidelity."""
    return WEIGHT_OF_ERROR_RATE_ONE if rate == 1 else -math.log1p(-rate)


def read_weights(path: pathlib.Path | str) -> Weights:
    """Reads a file of weights."""
    document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    by_gate: dict[str, float] = {}
    by_place: dict[Place, float] = {}
    for entry in document["gates"]:
        weight = entry["weight"] if "weight" in entry else weight_of_error_rate(entry["error_rate"])
        if "qubits" not in entry:
            by_gate[entry["gate"]] = weight
            continue
        # A file may list both orders of symmetric operands; the greater weight counts.
        where = place(entry["gate"], tuple(entry["qubits"]))
        by_place[where] = max(weight, by_place.get(where, 0))
    default = document.get("default")
    if default is not None and document.get("errors"):
        default = weight_of_error_rate(default)
    return Weights(document["name"], by_gate, by_place, default)


@dataclasses.dataclass(frozen=True)
class Cost:
    """What --cost of quartz-opt asks for. Results of a list are judged by its first objective."""

    text: str
    measure: str
    weights: Weights | None = None

    def sizes(self, path: pathlib.Path) -> Sizes:
        """Returns every measure of an OpenQASM file, and the weighted sum under its name."""
        circuit = qasm.read(path.read_text(encoding="utf-8"))
        sizes: Sizes = dict(qasm.counts(circuit))
        if self.weights:
            sizes[self.measure] = self.weights.of(circuit)
        return sizes

    def least(self) -> float:
        """Returns what an output of cost 0 counts as in a geometric mean."""
        return self.weights.least() if self.weights else 1


def read(text: str) -> Cost:
    """Returns the cost that `--cost text` means. Raises OSError, ValueError or KeyError."""
    first = text.split(",")[0]
    if first in NAMED:
        return Cost(text, NAMED[first])
    weights = read_weights(first)
    return Cost(text, weights.name, weights)

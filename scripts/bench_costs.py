"""What bench.py counts in a circuit: the named costs of quartz-opt and its files of weights, apart
from the code they measure."""

import dataclasses
import json
import math
import pathlib

import flat_qasm

MEASURES = ["total", "two_qubit", "t", "depth"]
NAMED = {"total": "total", "two-qubit": "two_qubit", "t": "t", "depth": "depth"}
# Gates whose operands, from the first on, can trade places: how many of them.
TRADING_OPERANDS = {
    "cz": 2,
    "swap": 2,
    "iswap": 2,
    "rxx": 2,
    "ryy": 2,
    "rzz": 2,
    "ccx": 2,
    "ccz": 3,
}


# What an error rate of 1 weighs, in place of infinity.
WEIGHT_OF_ERROR_RATE_ONE = 37


def place(name, qubits):
    """A gate on its qubits, the same for all orders that mean the same."""
    trading = TRADING_OPERANDS.get(name, 0)
    return name, (*sorted(qubits[:trading]), *qubits[trading:])


@dataclasses.dataclass(frozen=True)
class Weights:
    """A file of weights or error rates; costs/README.md tells the format."""

    name: str
    anywhere: dict  # weight of a gate by its name
    somewhere: dict  # weight of a gate by its place
    default: float | None

    def of(self, circuit):
        """Raises KeyError for a gate without a weight."""
        return math.fsum(
            self._of_gate(statement)
            for statement in circuit.statements
            if statement.name not in flat_qasm.NO_GATES
        )

    def _of_gate(self, statement):
        where = place(statement.name, statement.qubits)
        if where in self.somewhere:
            return self.somewhere[where]
        if statement.name in self.anywhere:
            return self.anywhere[statement.name]
        if self.default is None:
            raise KeyError(f"{statement.name} has no weight in the cost {self.name}")
        return self.default

    def least(self):
        """The smallest weight above 0."""
        weights = [*self.anywhere.values(), *self.somewhere.values(), self.default or 0]
        return min((weight for weight in weights if weight > 0), default=1)


def weight_of_error_rate(rate):
    return WEIGHT_OF_ERROR_RATE_ONE if rate == 1 else -math.log1p(-rate)


def read_weights(path):
    document = json.loads(pathlib.Path(path).read_text())
    anywhere = {}
    somewhere = {}
    for entry in document["gates"]:
        weight = entry["weight"] if "weight" in entry else weight_of_error_rate(entry["error_rate"])
        if "qubits" not in entry:
            anywhere[entry["gate"]] = weight
            continue
        # Both orders of operands that can trade places may be listed: the greater weight counts.
        where = place(entry["gate"], entry["qubits"])
        somewhere[where] = max(weight, somewhere.get(where, 0))
    default = document.get("default")
    if default is not None and document.get("errors"):
        default = weight_of_error_rate(default)
    return Weights(document["name"], anywhere, somewhere, default)


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost asked for. Of a list, its first objective is what results are judged by."""

    text: str
    measure: str
    weights: Weights | None = None

    def sizes(self, path):
        """Every measure of an OpenQASM file, and the weighted sum under its name."""
        circuit = flat_qasm.read(path.read_text())
        sizes = flat_qasm.counts(circuit)
        return sizes | {self.measure: self.weights.of(circuit)} if self.weights else sizes

    def least(self):
        """What an output of cost 0 is taken as, since a geometric mean has no place for 0."""
        return self.weights.least() if self.weights else 1


def read(text):
    """The cost that --cost of quartz-opt names. Raises OSError, ValueError or KeyError."""
    first = text.split(",")[0]
    if first in NAMED:
        return Cost(text, NAMED[first])
    weights = read_weights(first)
    return Cost(text, weights.name, weights)

"""Gate sets: which circuits and outputs are in one of them."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
from collections.abc import Iterable

from benchmarks import qasm
from benchmarks.programs import ROOT

FOLDER = ROOT / "gatesets"

# The order of the parameters of those gates whose angles a bundled set restricts to ranges.
PARAMETERS = {"rzz": ["theta"], "ms": ["phi0", "phi1", "theta"]}

Angles = tuple[float, ...]
Range = tuple[float, float]


@dataclasses.dataclass(frozen=True)
class GateSet:
    name: str
    path: pathlib.Path
    # For each gate the angles that it may have, in radians; None if it may have any.
    gates: dict[str, list[Angles] | None]
    # For some gates the least and the greatest angle of each parameter; None if it may have any.
    ranges: dict[str, list[Range | None]] = dataclasses.field(default_factory=dict)
    in_turns: frozenset[str] = frozenset()  # gates whose angles are written in turns

    @property
    def is_bundled(self) -> bool:
        return self.path.parent == FOLDER

    @property
    def argument(self) -> str:
        """The gate set as the value of --gate-set."""
        return self.name if self.is_bundled else str(self.path)

    def first_outside(self, circuit: qasm.FlatCircuit) -> str | None:
        """Returns the first gate of a circuit that is not in the set; None if all are."""
        for statement in circuit.statements:
            if statement.name not in qasm.NOT_GATES and not self._has(statement):
                return statement.text()
        return None

    def _has(self, statement: qasm.Statement) -> bool:
        if statement.name not in self.gates:
            return False
        choices = self.gates[statement.name]
        unit = 2 * math.pi if statement.name in self.in_turns else 1
        values = [unit * qasm.angle_value(angle) for angle in statement.angles]
        for value, limits in zip(values, self.ranges.get(statement.name, ()), strict=False):
            if limits and not limits[0] - 1e-12 <= value <= limits[1] + 1e-12:
                return False
        return choices is None or any(all(map(same_angle, values, choice)) for choice in choices)


def same_angle(left: float, right: float) -> bool:
    """Compares angles up to whole turns, which change only the global phase."""
    return abs(math.remainder(left - right, 2 * math.pi)) < 1e-9


def _read_range(limits: list[str] | None) -> Range | None:
    if limits is None:
        return None
    least, greatest = map(qasm.angle_value, limits)
    return least, greatest


def load(name_or_path: str | pathlib.Path) -> GateSet:
    """Loads a bundled gate set by its name or any other by its file, as --gate-set does."""
    path = FOLDER / f"{name_or_path}.json"
    path = path if path.is_file() else pathlib.Path(name_or_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    gates = {
        gate["gate"]: [tuple(map(qasm.angle_value, choice)) for choice in gate["angles"]]
        if "angles" in gate
        else None
        for gate in document["gates"]
    }
    ranges = {
        gate["gate"]: [
            _read_range(gate["ranges"].get(parameter)) for parameter in PARAMETERS[gate["gate"]]
        ]
        for gate in document["gates"]
        if "ranges" in gate
    }
    in_turns = frozenset(
        gate["gate"] for gate in document["gates"] if gate.get("angle_unit") == "turns"
    )
    return GateSet(document["name"], path, gates, ranges, in_turns)


def bundled() -> list[GateSet]:
    """Loads all bundled gate sets."""
    return [load(path.stem) for path in sorted(FOLDER.glob("*.json"))]


def fitting(circuit: qasm.FlatCircuit, candidates: Iterable[GateSet]) -> GateSet:
    """Returns the gate set that a circuit is in: the one with the fewest gates, and of these the
    one with the fewest gates that are restricted to certain angles. Raises LookupError if there is
    none, or more than one."""
    candidates = list(candidates)
    fits = {
        gate_set.name: (
            len(gate_set.gates),
            sum(choices is not None for choices in gate_set.gates.values()),
        )
        for gate_set in candidates
        if gate_set.first_outside(circuit) is None
    }
    best = [name for name, size in fits.items() if size == min(fits.values())]
    if not best:
        names = ", ".join(sorted(qasm.gate_names(circuit)))
        raise LookupError(f"no bundled gate set has its gates {{{names}}}")
    if len(best) > 1:
        raise LookupError(f"it is in {' and '.join(best)}: choose one with --gate-set")
    return next(gate_set for gate_set in candidates if gate_set.name == best[0])

"""Gate sets as the benchmark scripts see them: which circuits and outputs are in one."""

import dataclasses
import json
import math
import pathlib

import flat_qasm

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "gatesets"


# Of gates that a bundled set gives ranges, the parameters in their order.
PARAMETERS = {"rzz": ["theta"], "ms": ["phi0", "phi1", "theta"]}


@dataclasses.dataclass(frozen=True)
class GateSet:
    name: str
    path: pathlib.Path
    gates: dict  # of each gate's name: the angles it may have, in radians, or None for any
    # Of each gate's name: for each parameter the least and the greatest angle, or None for any.
    ranges: dict = dataclasses.field(default_factory=dict)
    in_turns: frozenset = frozenset()  # gates whose angles circuits give in turns

    def first_outside(self, circuit):
        """The first gate of a circuit that is not in the set, as text; None if all are."""
        for statement in circuit.statements:
            if statement.name not in flat_qasm.NO_GATES and not self._has(statement):
                angles = f"({','.join(statement.angles)})" if statement.angles else ""
                return statement.name + angles
        return None

    def _has(self, statement):
        if statement.name not in self.gates:
            return False
        choices = self.gates[statement.name]
        unit = 2 * math.pi if statement.name in self.in_turns else 1
        values = [unit * flat_qasm.angle_value(angle) for angle in statement.angles]
        for value, limits in zip(values, self.ranges.get(statement.name, ()), strict=False):
            if limits and not limits[0] - 1e-12 <= value <= limits[1] + 1e-12:
                return False
        return choices is None or any(all(map(same_angle, values, choice)) for choice in choices)


def same_angle(left, right):
    """Up to whole turns, which are global phases."""
    return abs(math.remainder(left - right, 2 * math.pi)) < 1e-9


def load(name_or_path):
    """A bundled gate set by its name or any by its file, as --gate-set of quartz-opt."""
    path = FOLDER / f"{name_or_path}.json"
    path = path if path.is_file() else pathlib.Path(name_or_path)
    document = json.loads(path.read_text())
    gates = {
        gate["gate"]: [tuple(map(flat_qasm.angle_value, choice)) for choice in gate["angles"]]
        if "angles" in gate
        else None
        for gate in document["gates"]
    }
    ranges = {
        gate["gate"]: [
            tuple(map(flat_qasm.angle_value, gate["ranges"][parameter]))
            if parameter in gate["ranges"]
            else None
            for parameter in PARAMETERS[gate["gate"]]
        ]
        for gate in document["gates"]
        if "ranges" in gate
    }
    in_turns = frozenset(
        gate["gate"] for gate in document["gates"] if gate.get("angle_unit") == "turns"
    )
    return GateSet(document["name"], path, gates, ranges, in_turns)


def bundled():
    return [load(path.stem) for path in sorted(FOLDER.glob("*.json"))]


def fitting(circuit, gate_sets):
    """The gate set that a circuit is in: the one with the fewest gates, and of these the one with
    the fewest that are bound to certain angles. Raises LookupError where none or several are."""
    fits = {
        gate_set.name: (
            len(gate_set.gates),
            sum(choices is not None for choices in gate_set.gates.values()),
        )
        for gate_set in gate_sets
        if gate_set.first_outside(circuit) is None
    }
    best = [name for name, size in fits.items() if size == min(fits.values())]
    if not best:
        names = ", ".join(sorted(flat_qasm.gate_names(circuit)))
        raise LookupError(f"no bundled gate set has its gates {{{names}}}")
    if len(best) > 1:
        raise LookupError(f"it is in {' and '.join(best)} alike: name one with --gate-set")
    return next(gate_set for gate_set in gate_sets if gate_set.name == best[0])

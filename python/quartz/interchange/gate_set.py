"""Gate sets for the gates that a circuit has."""

from __future__ import annotations

import json
from collections.abc import Iterable

from quartz._core import GateSet

#: The bundled gate sets by their gates.
BUNDLED_BY_GATES = {
    frozenset({"rz", "sx", "x", "cx"}): "ibm",
    frozenset({"rz", "sx", "x", "ecr"}): "ibm_eagle",
    frozenset({"rz", "sx", "x", "cz"}): "ibm_heron",
    frozenset({"rz", "sx", "x", "rx", "cz", "rzz"}): "ibm_heron_fractional",
    frozenset({"gpi", "gpi2", "rzz"}): "ionq_forte",
    frozenset({"r", "rz", "rzz"}): "quantinuum",
    frozenset({"r", "cz"}): "iqm",
    frozenset({"h", "x", "s", "sdg", "t", "tdg", "z", "cx"}): "clifford_t",
    frozenset({"h", "x", "rz", "cx"}): "nam",
}
#: The gates of which a set with t consists if it is for fault-tolerant computing.
CLIFFORD_T = frozenset("x y z h s sdg t tdg sx sxdg cx cy cz swap".split())


def parse_gate_set(entries: Iterable[dict[str, object]], name: str) -> GateSet:
    """Returns a gate set with these entries of its file (gatesets/README.md); ``name`` is what messages call
    it."""
    description = {
        "format": "quartz-gate-set",
        "version": 1,
        "name": "target",
        "gates": list(entries),
        "alphabet": {"parameters": 2, "expressions": ["p0", "p1", "2*p0", "p0+p1", "2*p1"]},
    }
    return GateSet.parse(json.dumps(description), name=name)


def gate_set_of_gates(names: Iterable[str]) -> GateSet:
    """Returns the bundled gate set with exactly these gates, or else one that is made from them."""
    gates = frozenset(names)
    bundled = BUNDLED_BY_GATES.get(gates)
    if bundled is not None:
        return GateSet.load(bundled)
    return parse_gate_set(({"gate": name} for name in sorted(gates)), "the gates of the circuit")


def default_cost(gates: Iterable[str]) -> str:
    """Returns what is minimized for a circuit of these gates unless a cost is given."""
    names = set(gates)
    is_clifford_t = bool(names & {"t", "tdg"}) and names <= CLIFFORD_T
    return "t,two-qubit,total" if is_clifford_t else "two-qubit,two-qubit-depth,total"

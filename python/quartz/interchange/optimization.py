"""Optimizing a circuit of another package."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from quartz._core import Circuit, RuleSet
from quartz.arguments import GateSetLike
from quartz.errors import UsageError
from quartz.interchange.gate_set import default_cost, gate_set_of_gates
from quartz.interchange.steps import Step
from quartz.optimization import OptimizeResult, optimize
from quartz.options import require_options, require_truth

#: The gate set of the gates that the circuit has.
AUTO = "auto"

#: Options that are about the states of qubits before and after a whole circuit, about its result as a whole, or about
#: a distance that adds up.
_OF_WHOLE_CIRCUITS = frozenset(
    """program initial_state final_state permutation ancillas epsilon checkpoint resume journal explain emit_rules
    progress""".split()
)


@dataclasses.dataclass(frozen=True)
class Options:
    """The arguments of a pass: those of ``quartz.optimize``, where the gate set may be ``auto``."""

    gate_set: GateSetLike = AUTO
    others: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        require_options(self.others, "optimize")
        require_truth("optimize", program=self.others.get("program", False))

    def kept_steps(self, steps: Iterable[Step]) -> list[Step]:
        """Returns steps without the barriers that are to be ignored."""
        ignored = self.others.get("barriers") == "ignore"
        return [step for step in steps if not (ignored and step.kind == "barrier")]

    @property
    def may_permute(self) -> bool:
        """Whether the qubits may end in another order."""
        return self.others.get("permutation", "keep") != "keep"

    @property
    def ancillas(self) -> bool:
        """Whether qubits may be added."""
        return bool(self.others.get("ancillas", 0))

    @property
    def numbers_qubits(self) -> bool:
        """Whether options are about qubits with certain numbers."""
        has_pairs: bool = self.others.get("coupling") not in (None, "auto")
        return has_pairs or self.others.get("backend_json") is not None

    @property
    def time(self) -> float:
        """The time of the search in seconds."""
        time: float = self.others.get("time", 1.0)
        return time

    def for_body(self) -> Options:
        """Returns the options for a circuit that is part of another one, and may be executed several times."""
        others = {name: value for name, value in self.others.items() if name not in _OF_WHOLE_CIRCUITS}
        return Options(self.gate_set, others)

    def require_order(self, reason: str) -> None:
        """Raises UsageError, for a reason, if the qubits may end in another order."""
        if self.may_permute:
            raise UsageError(f"permutation is {self.others['permutation']!r}, but {reason}")

    def for_circuit(self, measures: bool) -> Options:
        """Returns the options with what is assumed about the qubits of a complete program in place of ``program``.

        ``measures`` is whether it measures qubits, and nothing is done with them afterwards. The circuit of Quartz does
        not tell: its operations that are kept may be measurements, and it has one of its own.
        """
        others = dict(self.others)
        if others.pop("program", False):
            others["initial_state"] = "zero"
            if measures:
                others["final_state"] = "discarded"
        return Options(self.gate_set, others)

    def run(self, circuit: Circuit) -> OptimizeResult | None:
        """Returns the result for a circuit; None if it has no gates. Raises as ``quartz.optimize`` does."""
        gates = {operation.name for operation in circuit if operation.kind == "gate"}
        if not gates:
            return None
        if self.gate_set != AUTO:
            return optimize(circuit, self.gate_set, **self.others)
        gate_set = gate_set_of_gates(gates)
        options = {"cost": default_cost(gates), **self.others}
        if options.get("rules") is None and RuleSet.bundled(gate_set) is None:
            options["rules"] = RuleSet.empty(gate_set)  # generating rules would take longer than a search
        return optimize(circuit, gate_set, **options)

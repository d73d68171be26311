"""Comparing two circuits."""

from __future__ import annotations

import dataclasses

from quartz import _core
from quartz.arguments import CircuitLike, GateSetLike, circuit_from, edges_from, gate_set_from
from quartz.html import html_table
from quartz.options import FinalState, InitialState, Permutation, require_epsilon, require_truth


@dataclasses.dataclass(frozen=True)
class CheckReport:
    """How two circuits were compared, and with which verdict. It is true if they are equal, equal up to global phase,
    or equal within the epsilon that was given."""

    #: "equal", "equal up to global phase", "equal within epsilon", "not equal" or "undecided"; "not checked" if there
    #: was no comparison.
    verdict: str
    #: The method that decided, such as "exact path sum".
    method: str
    #: An input for which the circuits differ, if they are not equal; the reason, if the check is undecided.
    witness: str
    #: The phase in right = e^(i phase) left, in radians in (-pi, pi]; None if it is not constant or not known.
    phase: float | None
    #: An upper bound on the operator norm of right - e^(i phase) left; 0 if an exact method decided.
    distance: float | None
    #: An upper bound on the probability that the verdict is wrong, over the random numbers of the method.
    failure_probability: float
    #: Differences that have no effect, such as other names of registers.
    notes: tuple[str, ...] = ()
    #: What an undecided check lacked, with more of which it might decide: "time" or "memory"; None if neither.
    lacked: str | None = None

    def __bool__(self) -> bool:
        return self.verdict in ("equal", "equal up to global phase", "equal within epsilon")

    def __str__(self) -> str:
        reason = self.method if self else self.witness
        return f"{self.verdict} ({reason})" if reason else self.verdict

    def _repr_html_(self) -> str:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return html_table("quartz.CheckReport", ["", ""], [[name, value] for name, value in fields.items()])


def check(
    left: CircuitLike,
    right: CircuitLike,
    *,
    time: float = 60,
    memory: float = 4e9,
    seed: int = 0,
    epsilon: float = 0.0,
    program: bool = False,
    initial_state: InitialState = "any",
    final_state: FinalState = "kept",
    permutation: Permutation = "keep",
    ancillas: bool = False,
    gate_set: GateSetLike | None = None,
) -> CheckReport:
    """Compares two circuits by code that shares nothing with the search.

    Qubits and classical bits are matched by number, free parameters by name; equality means equality for all their
    values. What no method can decide within ``time`` seconds and ``memory`` bytes is "undecided". ``epsilon`` permits a
    distance, as the operator norm of the difference up to a global phase. ``program``,
    ``initial_state``, ``final_state`` and ``permutation`` are those of quartz.optimize: the circuits are compared under
    the same assumptions, and up to the output permutations that their header comments state; if only one of two
    programs measures, the states that the qubits are left in count as well. With ``ancillas``, the
    second circuit may have more qubits and bits, after those of the first: ancillas, which start in ``|0>`` and are
    discarded, and the outcomes of their measurements. Texts and files may call the custom gates of ``gate_set``.

    Raises InputError for bad OpenQASM, UsageError for a bad argument, and KeyboardInterrupt.
    """
    require_truth("check", program=program, ancillas=ancillas)
    require_epsilon("check", epsilon)
    known = None if gate_set is None else gate_set_from(gate_set)
    first, second = circuit_from(left, "left", known), circuit_from(right, "right", known)
    # Only classical bits count if both programs measure.
    silent = next((each for each in (first, second) if "measure" not in each.counts()), first)
    edges: dict[str, object] = {**edges_from(silent, program, initial_state, final_state), "permutation": permutation}
    limits: dict[str, object] = {"time": time, "memory": memory, "seed": seed}
    fields = _core._check(first, second, {**limits, "epsilon": epsilon, "ancillas": ancillas}, edges)
    return CheckReport(**fields)  # type: ignore[arg-type]

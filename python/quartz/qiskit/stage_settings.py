"""How the transpiler's stage searches: budgets of time for the optimization levels, and settings for a block."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
from collections.abc import Iterator

from quartz.options import Barriers, Permutation
from quartz.qiskit.setting_values import TargetCost, require_settings

#: The time of the search in seconds for each optimization level of Qiskit. Level 0 does not search.
SECONDS_OF_LEVEL = {0: 0.0, 1: 0.1, 2: 0.5, 3: 1.0}

#: The levels at which Qiskit removes SWAP gates by permuting qubits.
LEVELS_WITH_PERMUTATIONS = (2, 3)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings of the stage; None means what Qiskit's options and the target say."""

    #: Seconds for each circuit, in place of those of the optimization level.
    time: float | None = None
    #: A list of costs: ``two-qubit``, ``total``, ``t``, ``depth``, ``two-qubit-depth``, ``t-depth``, and ``errors`` for
    #: the error rates of the target; a ``quartz.Cost``, or a list of these.
    cost: TargetCost | None = None
    #: Seed of the random choices, in place of ``seed_transpiler``.
    seed: int | None = None
    #: Number of threads; by default all cores, and 1 where Qiskit transpiles several circuits in parallel.
    threads: int | None = None
    #: A limit in place of the time, at least 1, which makes the result reproducible for a number of threads.
    steps: int | None = None
    #: ``keep``, or ``ignore`` to remove barriers first. No assumption of ``program`` holds beyond a barrier that is kept.
    barriers: Barriers = "keep"
    #: Whether circuits are complete programs: their qubits start in ``|0>``, and if they measure any, only bits count.
    #: Gates without an effect on the bits are then removed, such as the rounds of an error correction from ``|0>``.
    program: bool = False
    #: ``keep``, or ``free`` if the qubits may end in another order, which the final layout states. None means ``free``
    #: at levels 2 and 3, where Qiskit permutes qubits as well, unless the routing method is ``none``.
    permutation: Permutation | None = None

    def permutation_at(self, level: int, routing_method: str | None) -> Permutation:
        """Returns the argument ``permutation`` of the pass at an optimization level."""
        if self.permutation is not None:
            return self.permutation
        return "free" if level in LEVELS_WITH_PERMUTATIONS and routing_method != "none" else "keep"


_current: contextvars.ContextVar[Settings] = contextvars.ContextVar("quartz_settings", default=Settings())


def current_settings() -> Settings:
    """Returns the settings of the innermost block."""
    return _current.get()


def settings(
    *,
    time: float | None = None,
    cost: TargetCost | None = None,
    seed: int | None = None,
    threads: int | None = None,
    steps: int | None = None,
    barriers: Barriers = "keep",
    program: bool = False,
    permutation: Permutation | None = None,
) -> contextlib.AbstractContextManager[Settings]:
    """Sets the settings of pass managers that are made in the block, as by ``transpile``::

        with quartz.qiskit.settings(time=10, cost="errors"):
            compiled = transpile(circuit, backend, optimization_method="quartz")

    Settings describes the arguments. Raises TypeError for an argument of another type, and UsageError for one that is
    out of range.
    """
    chosen = Settings(time, cost, seed, threads, steps, barriers, program, permutation)
    require_settings("settings", **{field.name: getattr(chosen, field.name) for field in dataclasses.fields(chosen)})
    return _block_with(chosen)


@contextlib.contextmanager
def _block_with(chosen: Settings) -> Iterator[Settings]:
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)

"""How the transpiler's stage searches: budgets of time for the optimization levels, and settings for a block."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
from collections.abc import Iterator
from typing import Literal

#: The time of the search in seconds for each optimization level of Qiskit. Level 0 does not search.
SECONDS_OF_LEVEL = {0: 0.0, 1: 0.1, 2: 0.5, 3: 1.0}

#: The levels at which Qiskit removes SWAP gates by permuting qubits, and gates that a measurement hides.
LEVELS_WITH_EDGES = (2, 3)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings of the stage; None means what Qiskit's options and the target say."""

    #: Seconds for each circuit, in place of those of the optimization level.
    time: float | None = None
    #: A list of costs: ``two-qubit``, ``total``, ``t``, ``depth``, and ``errors`` for the error rates of the target.
    cost: str | None = None
    #: Seed of the random choices, in place of ``seed_transpiler``.
    seed: int | None = None
    #: Number of threads; by default all cores, and 1 where Qiskit transpiles several circuits in parallel.
    threads: int | None = None
    #: A limit in place of the time, which makes the result reproducible for a number of threads.
    steps: int = 0
    #: ``keep``, or ``ignore`` to remove barriers first.
    barriers: str = "keep"
    #: Whether circuits are complete programs: their qubits start in ``|0>``, and if they measure any, only bits count.
    #: None means those of which each qubit ends in a measurement at levels 2 and 3, and none at lower levels.
    program: bool | None = None
    #: ``keep``, or ``free`` if the qubits may end in another order, which the final layout states. None means ``free``
    #: at levels 2 and 3, where Qiskit permutes qubits as well, unless the routing method is ``none``.
    permutation: str | None = None

    def program_at(self, level: int) -> bool | Literal["auto"]:
        """Returns the argument ``program`` of the pass at an optimization level."""
        if self.program is not None:
            return self.program
        return "auto" if level in LEVELS_WITH_EDGES else False

    def permutation_at(self, level: int, routing_method: str | None) -> str:
        """Returns the argument ``permutation`` of the pass at an optimization level."""
        if self.permutation is not None:
            return self.permutation
        return "free" if level in LEVELS_WITH_EDGES and routing_method != "none" else "keep"


_current: contextvars.ContextVar[Settings] = contextvars.ContextVar("quartz_settings", default=Settings())


def current_settings() -> Settings:
    """Returns the settings of the innermost block."""
    return _current.get()


@contextlib.contextmanager
def settings(
    *,
    time: float | None = None,
    cost: str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    steps: int = 0,
    barriers: str = "keep",
    program: bool | None = None,
    permutation: str | None = None,
) -> Iterator[Settings]:
    """Sets the settings of pass managers that are made in the block, as by ``transpile``::

        with quartz.qiskit.settings(time=10, cost="errors"):
            compiled = transpile(circuit, backend, optimization_method="quartz")

    Settings describes the arguments.
    """
    chosen = Settings(time, cost, seed, threads, steps, barriers, program, permutation)
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)

"""The options of a search, as types: a type checker finds options that are misspelt or have a value of another type."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from typing import Any, Literal, SupportsFloat, SupportsIndex, TypedDict, Union

from quartz._core import ClassTable, RuleSet
from quartz.arguments import BackendLike, CostLike, CouplingLike
from quartz.errors import UsageError
from quartz.progress import Progress

# scripts/make_python_options.py writes the names of values and the arguments below.
# The names of values.
Exactness = Literal["keep", "exact", "numeric"]
SearchBackend = Literal["auto", "cpu", "cuda"]
InitialState = Literal["any", "zero"]
FinalState = Literal["kept", "discarded"]
Permutation = Literal["keep", "free"]
Barriers = Literal["keep", "ignore"]
CheckPolicy = Literal["normal", "required", "off"]
Path = Union[str, "os.PathLike[str]"]


class SearchOptions(TypedDict, total=False):
    """The keyword arguments of ``quartz.optimize``, which describes them, except for the circuit and the gate set.

    The functions and passes of ``quartz.qiskit``, ``quartz.pytket`` and so on have them too. A program that passes
    options on can do so with types::

        def optimized(circuit: QuantumCircuit, **options: Unpack[quartz.SearchOptions]) -> QuantumCircuit:
            return quartz.qiskit.optimize(circuit, **options)
    """

    # The arguments.
    cost: CostLike | None
    time: float
    threads: int
    seed: int
    backend_json: BackendLike | None
    coupling: CouplingLike | None
    search: str
    exactness: Exactness
    epsilon: float
    ancillas: int
    steps: int | None
    backend: SearchBackend
    checkpoint: Path | None
    resume: bool
    program: bool
    initial_state: InitialState
    final_state: FinalState
    permutation: Permutation
    barriers: Barriers
    check: CheckPolicy
    check_time: float | None
    check_memory: float | None
    qasm: int | None
    keep_gates: bool
    journal: bool
    explain: bool
    emit_rules: bool
    rules: RuleSet | Path | None
    table: ClassTable | Path | None
    table_memory: int | None
    cache: bool | Path
    progress: Progress


def require_options(names: Iterable[str], function: str) -> None:
    """Raises TypeError for the name of an option that does not exist, with the one that was probably meant."""
    for name in names:
        if name not in SearchOptions.__annotations__:
            similar = difflib.get_close_matches(name, SearchOptions.__annotations__, n=1)
            hint = f"; did you mean {similar[0]!r}?" if similar else ""
            raise TypeError(f"{function}() has no option {name!r}{hint}")


def require_epsilon(function: str, value: Any) -> None:
    """Raises TypeError or UsageError for a distance that is not a number from 0 to 1."""
    message = f"{function}(): epsilon is a number from 0 to 1, not {value!r}"
    if isinstance(value, bool) or not isinstance(value, (SupportsFloat, SupportsIndex)):
        raise TypeError(message)
    if not 0 <= float(value) <= 1:
        raise UsageError(message)


def require_truth(function: str, **values: Any) -> None:
    """Raises TypeError for an argument that is neither True nor False."""
    for name, value in values.items():
        if not isinstance(value, bool):
            raise TypeError(f"{function}(): {name} is True or False, not {value!r}")

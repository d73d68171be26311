"""Optimizing a circuit."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import pathlib
import time as clock
from typing import Any

from quartz import _core
from quartz._core import Circuit, ClassTable, GateSet, RuleSet
from quartz.arguments import (
    BackendLike,
    CircuitLike,
    CostLike,
    CouplingLike,
    GateSetLike,
    backend_from,
    circuit_from,
    cost_from,
    coupling_from,
    edges_from,
    gate_set_from,
)
from quartz.checking import CheckReport
from quartz.options import (
    Barriers,
    CheckPolicy,
    Exactness,
    FinalState,
    InitialState,
    Path,
    Permutation,
    require_truth,
)
from quartz.progress import Progress, make_bar


@dataclasses.dataclass(frozen=True)
class Pass:
    """What one kind of pass contributed to a result."""

    name: str
    description: str
    runs: int
    #: The runs that made the best circuit cheaper.
    runs_that_paid: int
    #: Gates removed from the best circuit; negative if it has more gates.
    gates_removed: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class OptimizeResult:
    """An optimized circuit, and how it was found and checked."""

    circuit: Circuit
    #: The input.
    given: Circuit
    #: The input in gates of the set, before the search.
    translated: Circuit
    #: The number of operations of each name, in the input and in the result.
    before: dict[str, int]
    after: dict[str, int]
    #: The value of each objective, for ``translated`` and for ``circuit``.
    cost_before: dict[str, float]
    cost_after: dict[str, float]
    #: The comparison of the result with the input.
    checked: CheckReport
    #: With ``permutation="free"``: for each qubit of the input, the one of ``circuit`` on which it ends; empty if each
    #: ends in its place.
    permutation: tuple[int, ...]
    #: How many gates were removed (``gates_removed``), or replaced by gates on fewer qubits (``gates_replaced``), because
    #: of what is known of states (docs/formats/stats.md).
    known_states: dict[str, int]
    #: "time limit", "step limit", "exhausted", "converged", or "interrupted" after Ctrl-C.
    stop_reason: str
    #: The time of the whole call.
    seconds: float
    #: Whether every rewrite is exact. Otherwise some rely on floating-point numbers, each confirmed to 1e-12.
    exact: bool
    #: The number of threads that was used.
    threads: int
    #: The time of each stage: translate, rules, search, journal, check.
    stages: dict[str, float]
    passes: list[Pass]
    #: The seconds since the start of the search and the best cost, whenever it became less.
    cost_history: list[tuple[float, dict[str, float]]] = dataclasses.field(repr=False)
    #: All figures that ``quartz-opt --stats`` writes (docs/formats/stats.md).
    statistics: dict[str, Any] = dataclasses.field(repr=False)
    #: The call that repeats the run.
    call: str
    #: The content of a file with the rewrites that lead from the input to the result (docs/formats/journal.md), if
    #: requested.
    journal: bytes | None = None
    #: Every replacement that annealing made, as rules, if requested.
    rules: RuleSet | None = None
    #: The cost of the best circuit that was found, if it could not be certified in the time of the check; ``circuit``
    #: is then one that could be.
    uncertified_cost: dict[str, float] | None = None

    def __str__(self) -> str:
        costs = ", ".join(f"{name} {self.cost_before[name]:g} -> {self.cost_after[name]:g}" for name in self.cost_after)
        return f"{costs}; {self.stop_reason} after {self.seconds:.2f} s; {self.checked}"

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """Returns the report of ``quartz-opt --report`` as an HTML document, and writes it to a file if a path is given.

        It shows the circuits before and after, gates by kind, cost against time, what each pass brought, how the result
        was checked, and the call that repeats the run; with ``explain=True`` also what the rewrites brought. Raises
        OSError if the file cannot be written.
        """
        document = self._html(self.call)
        if path is not None:
            pathlib.Path(path).write_text(document, encoding="utf-8")
        return document

    def _repr_html_(self) -> str:
        return self._html("")

    def _html(self, call: str) -> str:
        history = [(seconds, list(values.values())) for seconds, values in self.cost_history]
        name = f"{self.given.num_qubits} qubits, {self.given.gate_count} gates"
        return _core._html_report(self.given, self.circuit, json.dumps(self.statistics), history, name, call)


def optimize(
    circuit: CircuitLike,
    gate_set: GateSetLike | None = None,
    cost: CostLike | None = None,
    time: float = 1.0,
    threads: int = 0,
    seed: int = 0,
    *,
    backend_json: BackendLike | None = None,
    coupling: CouplingLike | None = None,
    search: str = "auto",
    steps: int | None = None,
    exactness: Exactness = "keep",
    epsilon: float = 0.0,
    barriers: Barriers = "keep",
    program: bool = False,
    initial_state: InitialState = "any",
    final_state: FinalState = "kept",
    permutation: Permutation = "keep",
    rules: RuleSet | Path | None = None,
    table: ClassTable | Path | None = None,
    table_memory: int | None = None,
    cache: bool | Path = True,
    qasm: int | None = None,
    check: CheckPolicy = "normal",
    check_time: float | None = None,
    check_memory: float | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    journal: bool = False,
    emit_rules: bool = False,
    explain: bool = False,
    progress: Progress = False,
) -> OptimizeResult:
    """Searches for a cheaper circuit that is equal to the given one, global phase included, and checks it.

    The result is in gates of the set, and never costs more than the translation of the input into the set. The
    arguments are the options of ``quartz-opt`` (docs/reference/quartz-opt.md).

    Args:
        circuit: A Circuit, the path of an OpenQASM file, or OpenQASM text.
        gate_set: The gate set of the target: a GateSet, the name of a bundled one, or the path of a file. By default
            the bundled one with the gates of ``backend_json``, or ``nam``.
        cost: What is minimized: a Cost, a name (``total``, ``two-qubit``, ``t``, ``depth``, with ``backend_json``
            ``error`` and ``duration``, or a bundled error table such as ``ibm_heron_errors``), a file, or several of
            these separated by commas. By default the cost that the gate set names; that of ``nam`` is ``total``.
        time: Limit in seconds for translation and search. With 0 there is no search: rotations are folded, or the
            circuit is simplified if ``search`` is ``simplify``.
        threads: Number of threads, up to 1024; 0 for all cores, or OMP_NUM_THREADS.
        seed: Seed of the random choices.
        backend_json: A device by its own files (docs/formats/backend.md): a Backend, the path of its file, or the paths
            of both files of a Qiskit backend. It gives the pairs of ``coupling``, and the costs ``error`` and
            ``duration``.
        coupling: The pairs of qubits on which gates may act, which the circuit must respect already: a CouplingMap,
            pairs of numbers, a file, or ``auto`` for the pairs that the circuit uses.
        search: One of quartz.SEARCHES, or several separated by commas.
        steps: Limit in place of ``time``, at least 1, which makes the result reproducible for a number of threads.
        exactness: ``keep``, ``exact`` or ``numeric``: which rewrites in floating-point numbers are permitted.
        epsilon: The permitted operator norm of the difference between the result and the input, up to a global phase.
        barriers: ``keep``, or ``ignore`` to remove them first. Beyond a barrier that is kept, nothing is known of the
            states of its qubits, and of what is measured.
        program: Whether the circuit is a complete program: its qubits start in ``|0>``, and if it measures any of them,
            only its classical bits count. What no measurement sees is removed: an experiment whose outcome is known in
            advance, such as rounds of error correction, loses gates up to its first barrier and from its last one on,
            and without barriers all of them. ``known_states`` of the result says how many.
        initial_state: ``any``, or ``zero`` if all qubits start in ``|0>``.
        final_state: ``kept``, or ``discarded`` if nothing is done with the qubits after the circuit.
        permutation: ``keep``, or ``free`` to remove SWAP gates: what is behind them is on the other qubit, and the
            result says where each qubit ends. Cannot be combined with ``coupling``.
        rules: Rules for backtracking, in place of those that come with the gate set.
        table: A class table in a file, in place of the one in the cache.
        table_memory: Limit in bytes for building a class table.
        cache: Whether rules and class tables are kept between calls, or the folder for them.
        qasm: The version of OpenQASM that must be able to express the result, 2 or 3; by default the input's.
        check: ``normal``; ``required`` to raise Unverified if the check cannot decide; ``off`` for no check.
        check_time: Limit of the check in seconds; by default two seconds and 5% of ``time``.
        check_memory: Limit of the check in bytes; by default 2 GiB.
        checkpoint: A folder in which the best circuit is kept during the search.
        resume: Whether to continue the search of the checkpoint, if there is one.
        journal: Whether to return the journal of the rewrites.
        emit_rules: Whether to return every replacement of annealing as a rule set.
        explain: Whether to record which rewrites led to the result, for its report (doubles the memory of backtracking
            at most).
        progress: True for a bar of tqdm with the best cost so far, or a function of the seconds and the best cost.

    The call does not hold the GIL, and several calls may run at once. Ctrl-C ends the search: the best circuit so far
    is checked and returned, with the stop reason ``interrupted``. KeyboardInterrupt is raised only if there is none
    yet. What ``progress`` raises ends the search too, and is raised.

    Raises:
        InputError: The circuit or a file is bad, the gate set cannot express the circuit, or the circuit violates
            the coupling map.
        UsageError: An argument is out of range, or the arguments contradict each other.
        Unverified: A check is required, and it could not decide.
        TypeError: An argument has another type.
    """
    call = _call(dict(locals()))
    require_truth("optimize", program=program)
    start = clock.perf_counter()
    given = circuit_from(circuit).copy()  # the result keeps it, and the caller may change the circuit
    backend = None if backend_json is None else backend_from(backend_json)
    if backend is not None:
        backend.require_qubits(given)
        gate_set = backend.gate_set_name() if gate_set is None else gate_set
        coupling = backend.coupling if coupling is None else coupling
    target = gate_set_from("nam" if gate_set is None else gate_set)
    arguments = {
        "cost": None if cost is None else cost_from(cost, target, backend),
        "time": time,
        "threads": threads,
        "seed": seed,
        "coupling": None if coupling is None else coupling_from(coupling),
        "search": search,
        "steps": steps,
        "exactness": exactness,
        "epsilon": epsilon,
        "barriers": barriers,
        **edges_from(given, program, initial_state, final_state),
        "permutation": permutation,
        "rules": rules,
        "table": table,
        "table_memory": table_memory,
        "cache": cache,
        "qasm": qasm,
        "check": check,
        "check_time": check_time,
        "check_memory": check_memory,
        "checkpoint": checkpoint,
        "resume": resume,
        "journal": journal,
        "emit_rules": emit_rules,
        "explain": explain,
    }
    fields = _search(given, target, {name: value for name, value in arguments.items() if value is not None}, progress)
    fields["checked"] = CheckReport(**fields["checked"])
    fields["passes"] = [Pass(**each) for each in fields["passes"]]
    fields["statistics"] = json.loads(fields["statistics"])
    return OptimizeResult(
        given=given,
        before=given.counts(),
        after=fields["circuit"].counts(),
        call=call,
        seconds=clock.perf_counter() - start,
        **fields,
    )


def _call(arguments: dict[str, Any]) -> str:
    """Returns a call of ``optimize`` as text, without the arguments that have their defaults.

    Objects and long texts are shown as variables with the name of their argument.
    """
    shown = []
    for name, parameter in inspect.signature(optimize).parameters.items():
        value, default = arguments[name], parameter.default
        if name == "progress" or value is default or type(value) is type(default) and value == default:
            continue
        is_short = value is None or isinstance(value, (bool, int, float, str, list, tuple)) and len(repr(value)) < 80
        text = repr(value) if is_short else name
        shown.append(text if name == "circuit" else f"{name}={text}")
    return f"quartz.optimize({', '.join(shown)})"


def _search(circuit: Circuit, gate_set: GateSet, arguments: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Runs the search, with a bar if one is wanted."""
    if not isinstance(progress, bool):
        return _core._optimize(circuit, gate_set, arguments, progress)
    bar = make_bar(arguments["time"]) if progress else None
    try:
        return _core._optimize(circuit, gate_set, arguments, bar.show if bar else None)
    finally:
        if bar:
            bar.close()

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
    counted,
    coupling_from,
    edges_from,
    gate_set_from,
)
from quartz.caller import warn_caller
from quartz.checking import CheckReport
from quartz.options import (
    Barriers,
    CheckPolicy,
    Exactness,
    FinalState,
    InitialState,
    Path,
    Permutation,
    SearchBackend,
    require_epsilon,
    require_truth,
)
from quartz.progress import Progress, make_bar


@dataclasses.dataclass(frozen=True)
class Pass:
    """What one kind of pass contributed to a result."""

    name: str
    description: str
    runs: int
    #: The number of runs that made the best circuit cheaper.
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
    #: The input after its translation into the gate set, with which the search begins. If the translation would have half
    #: a million operations or more, runs of gates on one qubit are merged. Under ``permutation="free"`` and
    #: ``barriers="ignore"`` it lacks the input's SWAP gates and barriers, and with ``epsilon`` its rotations may be
    #: approximated already.
    translated: Circuit
    #: The number of operations of each name in ``given``, in its own gates.
    before: dict[str, int]
    #: The number of operations of each name in ``circuit``.
    after: dict[str, int]
    #: The value of each objective for ``translated``, and not for ``given``, whose gates need not be in the set; where
    #: runs of gates were merged, for the translation without that. ``statistics["before"]`` is about the same circuit.
    cost_before: dict[str, float]
    #: The value of each objective for ``circuit``.
    cost_after: dict[str, float]
    #: The comparison of the result with the input.
    checked: CheckReport
    #: With ``permutation="free"``: for each qubit of the input, the one of ``circuit`` on which it ends; empty if each
    #: ends in its place.
    permutation: tuple[int, ...]
    #: How many gates were removed (``gates_removed``), or replaced by gates on fewer qubits (``gates_replaced``), because
    #: of what is known of states (docs/formats/stats.md).
    known_states: dict[str, int]
    #: How many rotations were approximated with ``epsilon``, because the gate set lacks their angles.
    approximated_rotations: int
    #: How many qubits of ``circuit``, after those of the input, are ancillas.
    ancillas: int
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
    passes: list[Pass] = dataclasses.field(repr=False)
    #: The seconds since the start of the search and the best cost, each time that the best cost improved.
    cost_history: list[tuple[float, dict[str, float]]] = dataclasses.field(repr=False)
    #: All figures that ``quartz-opt --stats`` writes (docs/formats/stats.md).
    statistics: dict[str, Any] = dataclasses.field(repr=False)
    #: The call that repeats the run.
    call: str
    #: The content of a file with the rewrites that lead from the input to the result (docs/formats/journal.md;
    #: compound_journal.md with ancillas and approximated rotations), if requested.
    journal: bytes | None = None
    #: Every replacement that annealing made, as rules, if requested.
    rules: RuleSet | None = None
    #: The cost of the best circuit that was found, if it could not be certified in the time of the check; ``circuit``
    #: is then one that could be.
    uncertified_cost: dict[str, float] | None = None

    def __str__(self) -> str:
        costs = ", ".join(f"{name} {self.cost_before[name]:g} -> {self.cost_after[name]:g}" for name in self.cost_after)
        if self.ancillas:
            costs += f", with {counted(self.ancillas, 'ancilla')}"
        return f"{costs}; {self.stop_reason} after {self.seconds:.2f} s; {self.checked}"

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """Returns the report of ``quartz-opt --report`` as an HTML document, and writes it to a file if a path is given.

        It shows the circuits before and after, gates by kind, cost against time, the gates that each pass removed, how
        the result was checked, and the call that repeats the run; with ``explain=True`` also the gates that each rewrite
        removed. Raises OSError if the file cannot be written.
        """
        document = self._html(self.call)
        if path is not None:
            pathlib.Path(path).write_text(document, encoding="utf-8")
        return document

    def _repr_html_(self) -> str:
        return self._html("")

    def _html(self, call: str) -> str:
        history = [(seconds, list(values.values())) for seconds, values in self.cost_history]
        name = f"{counted(self.given.num_qubits, 'qubit')}, {counted(self.given.gate_count, 'gate')}"
        return _core._html_report(self.given, self.circuit, json.dumps(self.statistics), history, name, call)


# scripts/make_python_options.py writes the arguments and their descriptions.
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
    exactness: Exactness = "keep",
    epsilon: float = 0.0,
    ancillas: int = 0,
    steps: int | None = None,
    backend: SearchBackend = "auto",
    checkpoint: Path | None = None,
    resume: bool = False,
    program: bool = False,
    initial_state: InitialState = "any",
    final_state: FinalState = "kept",
    permutation: Permutation = "keep",
    barriers: Barriers = "keep",
    check: CheckPolicy = "normal",
    check_time: float | None = None,
    check_memory: float | None = None,
    qasm: int | None = None,
    keep_gates: bool = False,
    journal: bool = False,
    explain: bool = False,
    emit_rules: bool = False,
    rules: RuleSet | Path | None = None,
    table: ClassTable | Path | None = None,
    table_memory: int | None = None,
    cache: bool | Path = True,
    progress: Progress = False,
) -> OptimizeResult:
    """Searches for a cheaper circuit that is equal to the given one, global phase included, and checks it.

    The result is in gates of the set, and never costs more than the translation of the input into the set. The
    arguments are the options of ``quartz-opt`` (docs/reference/quartz-opt.md).

    Args:
        circuit: A Circuit, the path of an OpenQASM file, or OpenQASM text.
        gate_set: The gate set of the target: a GateSet, the name of a bundled one, or the path of a file. By default
            the bundled one with the gates of ``backend_json``, or ``nam``.
        cost: What is minimized: a Cost, a name (``total``, ``two-qubit``, ``t``, ``depth``, ``two-qubit-depth``,
            ``t-depth``, with ``backend_json`` ``error`` and ``duration``, or a bundled error table such as
            ``ibm_heron_errors``), a file, or several of these, separated by commas or in a list. By default the cost
            that the gate set names; that of ``nam`` is ``total``.
        time: Time limit for translation and search, in seconds; with 0, the circuit is translated and its rotations are
            folded, or with ``search`` simplify, it is simplified.
        threads: Number of threads, 0 for all cores or OMP_NUM_THREADS.
        seed: Seed of the search's random choices.
        backend_json: A device, described by its own files (docs/formats/backend.md): a Backend, the path of its file,
            or the paths of both files of a Qiskit backend. It provides the pairs of ``coupling``, and the costs
            ``error`` and ``duration``.
        coupling: Pairs of qubits on which gates may act: a JSON file, or auto for the pairs on which the input's gates
            act. The circuit must respect them already. A CouplingMap and pairs of numbers are accepted too.
        search: One of quartz.SEARCHES, or several separated by commas, which run one after the other with equal parts
            of the time.
        exactness: ``keep``, ``exact`` or ``numeric``: angles that rewrites in floating-point arithmetic may write: keep
            (decimals only where the circuit had decimals); exact (only multiples of pi/4, which can be proved); numeric
            (also decimals, where they cost less).
        epsilon: Largest permitted distance between the result and the input, as the operator norm of their difference
            up to a global phase; it is spent on deleting two-qubit gates, or on approximating rotations by angles that
            the gate set lacks.
        ancillas: Largest number of qubits that may be added to save T gates: a Hadamard gate is replaced by an ancilla,
            a measurement and gates that depend on its outcome, and a Toffoli gate by the same with four T gates;
            rotations by equal angles are merged by adders before they are approximated; with a cost such as t-depth,
            ancillas let more T gates be applied at the same time.
        steps: Number of steps after which the search ends, at least 1, instead of ``time``, which is then ignored; the
            result depends only on the options, the seed and the number of threads. A step is one annealing move on each
            thread; a circuit that backtracking examines counts as 8 steps.
        backend: ``auto``, ``cpu`` or ``cuda``: where the search for fewer products of Toffoli gates runs: auto uses a
            CUDA device if there is one, unless ``steps`` limits the search; with cuda, annealing runs there as well,
            except in the search auto.
        checkpoint: Folder in which the search keeps its best circuit, at most a second old, in case the process is
            killed.
        resume: Continue the search of the checkpoint, if there is one; the time that it has already taken counts
            towards ``time``.
        program: Whether the circuit is a complete program: its qubits start in ``|0>``, and if it measures any of them,
            only its classical bits count. Gates that no measurement depends on are removed: an experiment whose outcome
            is known in advance, such as rounds of error correction, loses its gates before the first barrier and after
            the last one, and without barriers all of them. ``known_states`` of the result says how many.
        initial_state: ``any`` or ``zero``: state of the qubits before the circuit: zero assumes that each of them is in
            ``|0>``; the search relies on this up to the first barrier on a qubit, unless barriers are ignored.
        final_state: ``kept`` or ``discarded``: what happens to the qubits after the circuit: discarded assumes that
            they are not used, so that only the classical bits count; the search relies on this from the last barrier on
            a qubit on, unless barriers are ignored.
        permutation: ``keep`` or ``free``: order of the qubits after the circuit: free lets qubits end in the places of
            others, which makes SWAP gates unnecessary; a comment at the top of the result, output permutation, states
            where each qubit ends.
        barriers: ``keep`` or ``ignore``: whether the barriers of the input are kept: no gate is moved across a barrier
            that is kept, and what is known about the states of its qubits is not used beyond it.
        check: ``normal``, ``required`` or ``off``: whether the result is compared with the input; with required, it is
            an error if the check cannot decide.
        check_time: Time limit for checking the result against the input after the search, in seconds; most of the
            result is already checked during the search (default: 2s plus 5% of ``time`` plus 1s for each million gates
            of the translated circuit; with ``steps``, 60 minutes).
        check_memory: Memory limit for the check, in bytes (default: 2 GiB).
        qasm: Version of OpenQASM that must be able to express the result, 2 or 3 (default: that of the input).
        keep_gates: Keep the gates that the program defines: their bodies are optimized once for all calls, and the
            result defines and calls them; calls with modifiers are expanded.
        journal: Return the rewrites that lead from the input to the result, with which quartz-check --journal can prove
            that they are equal.
        explain: Record which rewrites led to the result, for its report (at most doubles the memory of backtracking).
        emit_rules: Return every replacement made by annealing as a rule set.
        rules: Rule set written by quartz-gen; a set with a wrong rule is rejected (default: the one that comes with the
            gate set; without one, a cached one, which is generated if necessary). A RuleSet is accepted too.
        table: Class table written by quartz-gen table (default: a cached one, which is built if necessary). A
            ClassTable that is in a file is accepted too.
        table_memory: Memory limit for building a class table, in bytes; its depth is reduced to fit (default: 8 GiB).
        cache: Whether rules and class tables are kept between calls, or the folder for them.
        progress: True for a bar of tqdm with the best cost so far, or a function that is called with the seconds and
            the best cost.

    The call does not hold the GIL, and several calls may run at once. Ctrl-C ends the search: the best circuit so far
    is checked and returned, with the stop reason ``interrupted``. KeyboardInterrupt is raised only if there is no
    circuit yet. An exception that ``progress`` raises ends the search, and the call raises it.

    Raises:
        InputError: The circuit or a file is bad, the gate set cannot express the circuit, or the circuit violates
            the coupling map.
        UsageError: An argument is out of range, or the arguments contradict each other.
        Unverified: A check is required, and it could not decide.
        TypeError: An argument has another type.
    """
    arguments = dict(locals())
    call = _call(arguments)
    require_truth("optimize", program=program, keep_gates=keep_gates)
    require_epsilon("optimize", epsilon)
    start = clock.perf_counter()
    backend = None if backend_json is None else backend_from(backend_json)
    if backend is not None:
        gate_set = backend.gate_set_name() if gate_set is None else gate_set
    target = gate_set_from("nam" if gate_set is None else gate_set)
    if backend is not None and coupling is None:
        coupling = backend.coupling_for(target)
    # The result keeps it, and the caller may change the circuit.
    given = circuit_from(circuit, gate_set=target, keep_gates=keep_gates).copy()
    if backend is not None:
        backend.require_qubits(given)
    for name in ("circuit", "gate_set", "backend_json", "program", "progress"):
        del arguments[name]
    arguments |= {
        "cost": None if cost is None else cost_from(cost, target, backend),
        "coupling": None if coupling is None else coupling_from(coupling),
        **edges_from(given, program, initial_state, final_state),
    }
    fields = _search(given, target, {name: value for name, value in arguments.items() if value is not None}, progress)
    if backend is not None and (warning := backend._warning_of_missing_gates(fields["circuit"])):
        warn_caller(warning)
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

"""Optimizing many circuits, on any executor."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import os
import queue
import uuid
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from quartz._core import Circuit, ClassTable
from quartz.arguments import CircuitLike, GateSetLike, circuit_from, gate_set_from, type_name
from quartz.optimization import OptimizeResult, optimize
from quartz.options import SearchOptions, require_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of one of many circuits: a result, or an error."""

    #: The place of the circuit among those given, from 0.
    index: int
    #: The circuit as it was given.
    circuit: CircuitLike = dataclasses.field(repr=False)
    result: OptimizeResult | None = None
    #: Why there is no result: what ``quartz.optimize`` raised, an error of the executor, such as a worker that died, or
    #: ``concurrent.futures.CancelledError`` after Ctrl-C.
    error: BaseException | None = None

    def __str__(self) -> str:
        return f"{self.index}: {self.result if self.error is None else f'{type(self.error).__name__}: {self.error}'}"


#: Called with each outcome, in the order in which circuits are finished.
OutcomeFunction = Callable[[Outcome], object]


def optimize_many(
    circuits: Iterable[CircuitLike],
    gate_set: GateSetLike | None = None,
    *,
    executor: concurrent.futures.Executor | None = None,
    on_outcome: OutcomeFunction | None = None,
    **options: Unpack[SearchOptions],
) -> list[Outcome]:
    """Optimizes circuits on an executor, and returns what became of each, in their order.

    Args:
        circuits: Circuits, paths of OpenQASM files, or OpenQASM texts. Files are read here, not by the workers.
        gate_set: The gate set of all of them, as in ``optimize``.
        executor: Any executor of ``concurrent.futures``: ``ProcessPoolExecutor()``, ``mpi4py.futures.MPIPoolExecutor()``,
            ``distributed.Client().get_executor()`` of Dask, ``quartz.ray.RayExecutor()``. It is not shut down. By default
            threads of this process, one for each core.
        on_outcome: A function that is called in this thread with each Outcome as soon as there is one. What it raises
            ends the call.
        options: The arguments of ``optimize``, with two differences: ``threads``, the number for each circuit, is 1 by
            default, and ``progress=True`` shows a bar of tqdm that counts circuits.

    A circuit that cannot be optimized has an error as its outcome, and the others are optimized nevertheless. Workers
    take rules and class tables from their caches, which those that share a folder of files share; a RuleSet that is
    given is sent with each circuit, the path of its file is not read before it arrives.

    Ctrl-C cancels what has not begun. Threads and processes of this machine end what they are doing with the best circuit
    so far; workers elsewhere finish the circuits that they have. A second Ctrl-C raises KeyboardInterrupt.

    Raises:
        InputError, UsageError: The gate set or an option is bad for all circuits.
        TypeError: An argument has another type.
    """
    require_options(options, "optimize_many")
    shows_bar = options.pop("progress", False)
    if not isinstance(shows_bar, bool):
        raise TypeError("optimize_many(): progress is True or False; on_outcome is called with each outcome")
    if isinstance(circuits, (str, os.PathLike, Circuit)):  # texts and circuits are iterable too
        raise TypeError(f"optimize_many(): circuits is a {type_name(circuits)}, expected several, as in a list of them")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"optimize_many(): executor is a {type_name(executor)}, expected an executor, "
            "such as concurrent.futures.ProcessPoolExecutor()"
        )
    given = list(circuits)
    arguments: dict[str, Any] = {"threads": 1, **options, "gate_set": _sendable_gate_set(gate_set)}
    if isinstance(table := arguments.get("table"), ClassTable) and table.file is not None:
        arguments["table"] = table.file
    batch = _Batch(given, arguments, on_outcome)
    with _bar(len(given) if shows_bar else None) as bar:
        if executor is not None:
            return batch.run(executor, bar)
        with concurrent.futures.ThreadPoolExecutor(_own_workers(arguments["threads"])) as threads:
            return batch.run(threads, bar)


def _sendable_gate_set(gate_set: GateSetLike | None) -> GateSetLike | None:
    """Returns a gate set that workers elsewhere can use: a path is read here."""
    return gate_set if gate_set is None else gate_set_from(gate_set)


def _own_workers(threads: int) -> int:
    """Returns the number of circuits that this process optimizes at the same time."""
    return max(1, len(os.sched_getaffinity(0)) // max(1, threads)) if threads else 1


class _Bar:
    """A bar of tqdm that counts circuits, or nothing."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._tqdm is not None:
            self._tqdm.close()

    def count(self) -> None:
        if self._tqdm is not None:
            self._tqdm.update()


def _bar(total: int | None) -> _Bar:
    if total is None:
        return _Bar(None)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        warnings.warn("progress=True shows a bar of tqdm, which is not installed", RuntimeWarning, stacklevel=3)
        return _Bar(None)
    return _Bar(tqdm(total=total, unit="circuit"))


class _Batch:
    """The circuits of one call, and what became of them."""

    def __init__(self, circuits: list[CircuitLike], arguments: dict[str, Any], on_outcome: OutcomeFunction | None) -> None:
        self._circuits = circuits
        self._arguments = arguments
        self._on_outcome = on_outcome
        self._name = uuid.uuid4().hex
        self._outcomes: dict[int, Outcome] = {}

    def run(self, executor: concurrent.futures.Executor, bar: _Bar) -> list[Outcome]:
        futures: dict[concurrent.futures.Future[OptimizeResult], int] = {}
        try:
            try:
                self._submit(executor, futures, bar)
                self._collect(futures, bar)
            except KeyboardInterrupt:
                self._cancel(futures)
                self._collect(futures, bar)
        except BaseException:
            self._cancel(futures)
            raise
        return [self._outcomes.get(index) or self._cancelled(index) for index in range(len(self._circuits))]

    def _submit(
        self,
        executor: concurrent.futures.Executor,
        futures: dict[concurrent.futures.Future[OptimizeResult], int],
        bar: _Bar,
    ) -> None:
        for index, given in enumerate(self._circuits):
            try:
                future = executor.submit(_optimize_one, self._read(given), self._arguments, self._name)
            except Exception as error:  # a bad circuit, or an executor that does not work any more
                self._add(Outcome(index, given, error=error), bar)
            else:
                futures[future] = index

    def _read(self, given: CircuitLike) -> Circuit:
        keep_gates = self._arguments.get("keep_gates", False)
        return circuit_from(given, gate_set=self._arguments["gate_set"], keep_gates=keep_gates)

    def _collect(self, futures: dict[concurrent.futures.Future[OptimizeResult], int], bar: _Bar) -> None:
        """Adds the outcomes that are missing, as soon as they are there."""
        missing = [future for future, index in futures.items() if index not in self._outcomes]
        # as_completed() would wait forever for a future that shutdown(cancel_futures=True) cancels.
        done: queue.SimpleQueue[concurrent.futures.Future[OptimizeResult]] = queue.SimpleQueue()
        for future in missing:
            future.add_done_callback(done.put)
        for _ in missing:
            future = done.get()
            self._add(self._outcome_of(future, futures[future]), bar)

    def _outcome_of(self, future: concurrent.futures.Future[OptimizeResult], index: int) -> Outcome:
        try:
            return Outcome(index, self._circuits[index], result=future.result())
        except KeyboardInterrupt as error:
            return Outcome(index, self._circuits[index], error=error)
        except (Exception, concurrent.futures.CancelledError) as error:
            return Outcome(index, self._circuits[index], error=error)

    def _cancelled(self, index: int) -> Outcome:
        return Outcome(index, self._circuits[index], error=concurrent.futures.CancelledError())

    def _add(self, outcome: Outcome, bar: _Bar) -> None:
        self._outcomes[outcome.index] = outcome
        bar.count()
        if self._on_outcome is not None:
            self._on_outcome(outcome)

    def _cancel(self, futures: Iterable[concurrent.futures.Future[OptimizeResult]]) -> None:
        _stopped_batches.add(self._name)
        for future in futures:
            future.cancel()


#: The batches whose circuits this process is not to begin any more: of which it has seen Ctrl-C.
_stopped_batches: set[str] = set()


def _optimize_one(circuit: Circuit, arguments: dict[str, Any], batch: str) -> OptimizeResult:
    """Optimizes a circuit of a batch. Runs in a worker."""

    def stop_with_batch(_seconds: float, _best_cost: dict[str, float]) -> None:
        if batch in _stopped_batches:
            raise KeyboardInterrupt

    if batch in _stopped_batches:
        raise concurrent.futures.CancelledError
    try:
        result = optimize(circuit, progress=stop_with_batch, **arguments)
    except KeyboardInterrupt:
        # Ctrl-C reached this process. A pool may have given it more circuits already, which are not begun.
        _stopped_batches.add(batch)
        raise concurrent.futures.CancelledError from None
    if result.stop_reason == "interrupted":
        _stopped_batches.add(batch)
    return result

"""Optimizing many circuits, on any executor."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import math
import os
import queue
import uuid
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from quartz._core import Backend, Circuit, ClassTable, RuleSet
from quartz.arguments import (
    CircuitLike,
    GateSetLike,
    backend_from,
    circuit_from,
    coupling_from,
    gate_set_from,
    with_article,
)
from quartz.caller import warn_caller
from quartz.optimization import OptimizeResult, optimize
from quartz.options import SearchOptions, require_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of one of many circuits: a result, or an error."""

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
    """Optimizes circuits on an executor, and returns an outcome for each, in their order.

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
    given is sent with each circuit, the path of its file is read by the workers.

    Ctrl-C cancels what has not begun. Threads and processes of this machine end what they are doing with the best circuit
    so far; workers elsewhere finish the circuits that they have, except for those of Dask, whose futures do not tell what
    has begun. A second Ctrl-C raises KeyboardInterrupt.

    Raises:
        InputError, UsageError: The gate set or an option is bad for all circuits.
        TypeError: An argument has another type.
    """
    require_options(options, "optimize_many")
    shows_bar = options.pop("progress", False)
    if not isinstance(shows_bar, bool):
        raise TypeError("optimize_many(): progress is True or False; on_outcome is called with each outcome")
    is_single = isinstance(circuits, (str, bytes, os.PathLike, Circuit))  # some of them are iterable too
    if is_single or not isinstance(circuits, Iterable):
        raise TypeError(f"optimize_many(): circuits is {with_article(circuits)}, expected several, as in a list of them")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"optimize_many(): executor is {with_article(executor)}, expected an executor, "
            "such as concurrent.futures.ProcessPoolExecutor()"
        )
    if on_outcome is not None and not callable(on_outcome):
        raise TypeError(f"optimize_many(): on_outcome is {with_article(on_outcome)}, expected a function of an Outcome")
    given = list(circuits)
    arguments = _sendable({"threads": 1, **options, "gate_set": gate_set})
    _require_good(arguments, is_local=executor is None or isinstance(executor, _LOCAL_EXECUTORS))
    batch = _Batch(given, arguments, on_outcome)
    with _bar(len(given) if shows_bar else None) as bar:
        if executor is not None:
            return batch.run(executor, bar)
        with concurrent.futures.ThreadPoolExecutor(_own_workers(arguments["threads"])) as threads:
            return batch.run(threads, bar)


#: Executors whose workers see the files and the devices that this process sees.
_LOCAL_EXECUTORS = (concurrent.futures.ThreadPoolExecutor, concurrent.futures.ProcessPoolExecutor)


def _sendable(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns arguments of ``optimize`` that workers elsewhere can use, each for many circuits: the file of a gate set
    is read here, and pairs that come one by one are collected."""
    sendable = dict(arguments)
    if arguments["gate_set"] is not None:
        sendable["gate_set"] = gate_set_from(arguments["gate_set"])
    if arguments.get("coupling") is not None:
        sendable["coupling"] = coupling_from(arguments["coupling"])
    if isinstance(table := arguments.get("table"), ClassTable) and table.file is not None:
        sendable["table"] = table.file
    return sendable


def _require_good(arguments: dict[str, Any], is_local: bool) -> None:
    """Raises what ``optimize`` raises for every circuit: optimizes one without gates, which takes milliseconds. Files and
    devices that only the workers may have are left to them."""
    tried = dict(arguments)
    # With much time, a class table would be made.
    time, steps = tried.get("time", 1), tried.get("steps")
    if isinstance(time, (float, int)) and not isinstance(time, bool) and 0 <= time < math.inf:
        tried["time"] = 0
    if isinstance(steps, int) and not isinstance(steps, bool) and 1 <= steps < 2**63:
        tried["steps"] = 1
    if tried.get("checkpoint") is not None:  # it would be written
        del tried["checkpoint"]
        tried.pop("resume", None)
    device = tried.get("backend_json")
    if not is_local:
        if device is not None and not isinstance(device, Backend):
            return
        tried.pop("backend", None)
        for name in ("rules", "table"):
            if isinstance(tried.get(name), (str, os.PathLike)):
                del tried[name]
    if tried.get("rules") is None:  # rules are not to be generated for this
        gate_set = tried["gate_set"]
        if gate_set is None:
            gate_set = "nam" if device is None else backend_from(device).gate_set_name()
        tried["rules"] = RuleSet.empty(gate_set_from(gate_set))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those about the circuit, and others come again with each circuit
        result = optimize(Circuit(1, bits=1).measure(0, 0), **tried)
    if result.stop_reason == "interrupted":
        raise KeyboardInterrupt


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
        warn_caller("progress=True shows a bar of tqdm, which is not installed")
        return _Bar(None)
    return _Bar(tqdm(total=total, unit="circuit"))


class _Batch:
    """The circuits of one call, and their outcomes."""

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

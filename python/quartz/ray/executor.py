"""The executor."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import ray

Result = TypeVar("Result")


class RayExecutor(concurrent.futures.Executor):
    """Runs each call as a task of Ray.

    The options are those of ``ray.remote``, such as ``num_cpus=4`` for calls with four threads. Without a cluster to which
    the program is connected (``ray.init(address=...)``), Ray is started on this machine. As with other executors,
    ``cancel()`` of a future prevents a call that has not begun, and an error is the one that the call has raised.
    """

    def __init__(self, **options: Any) -> None:
        if not ray.is_initialized():
            ray.init()
        self._call = ray.remote(_call).options(**options, num_returns="streaming")
        self._pending: set[_TaskFuture] = set()
        self._is_shut_down = False

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Result]:
        """Returns the future of a call. Raises RuntimeError after ``shutdown``."""
        if self._is_shut_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = _TaskFuture(self._call.remote(fn, args, kwargs))
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accepts no more calls, and waits for those that were submitted. Ray itself goes on."""
        self._is_shut_down = True
        pending = list(self._pending)
        if cancel_futures:
            for future in pending:
                future.cancel()
        if wait:
            concurrent.futures.wait(pending)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """Yields something as soon as the call begins, because Ray does not say what has begun, and then its result."""
    yield None
    yield function(*args, **kwargs)


class _TaskFuture(concurrent.futures.Future[Any]):
    """The future of a task, whose results are those of ``_call``."""

    def __init__(self, results: Any) -> None:
        super().__init__()
        self._results = results
        self._lock = threading.RLock()
        results.completed().future().add_done_callback(self._find_result)

    def cancel(self) -> bool:
        with self._lock:
            if self.cancelled():
                return True
            if self.done() or self._has_begun() or not super().cancel():
                return False
            self.set_running_or_notify_cancel()
        ray.cancel(self._results)  # also interrupts a task that has begun, and whose result is then lost
        return True

    def _has_begun(self) -> bool:
        return bool(ray.wait([self._results], timeout=0)[0])

    def _find_result(self, done: concurrent.futures.Future[Any]) -> None:
        """Waits for the last result of a task that has ended, which is there already or on another machine."""
        error = done.exception()
        if error is not None:
            self._take_error(error)
            return
        references = list(self._results)
        references[-1].future().add_done_callback(self._take)

    def _take(self, done: concurrent.futures.Future[Any]) -> None:
        """Takes the result of the task over, unless this future was cancelled."""
        error = done.exception()
        if error is not None:
            self._take_error(error)
        elif self._is_wanted():
            self.set_result(done.result())

    def _take_error(self, error: BaseException) -> None:
        if self._is_wanted():
            self.set_exception(_original(error))

    def _is_wanted(self) -> bool:
        with self._lock:
            return not self.cancelled() and self.set_running_or_notify_cancel()


def _original(error: BaseException) -> BaseException:
    """Returns what a call has raised, without what Ray puts around it: a class that cannot be pickled, and a colored
    text."""
    if not isinstance(error, ray.exceptions.RayTaskError):
        return error
    cause: BaseException = error.cause
    return cause

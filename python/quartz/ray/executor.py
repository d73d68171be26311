"""The executor."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import ray

Result = TypeVar("Result")


class RayExecutor(concurrent.futures.Executor):
    """Runs each call as a task of Ray.

    The options are those of ``ray.remote``, such as ``num_cpus=4`` for calls with four threads. Without a cluster to which
    the program is connected (``ray.init(address=...)``), Ray is started on this machine. ``cancel()`` of a future also
    cancels a task that has not begun.
    """

    def __init__(self, **options: Any) -> None:
        if not ray.is_initialized():
            ray.init()
        self._call = ray.remote(_call).options(**options) if options else ray.remote(_call)
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


class _TaskFuture(concurrent.futures.Future[Any]):
    """The future of a task."""

    def __init__(self, reference: ray.ObjectRef[Any]) -> None:
        super().__init__()
        self._reference = reference
        self._lock = threading.RLock()
        reference.future().add_done_callback(self._take)

    def cancel(self) -> bool:
        with self._lock:
            if self.cancelled():
                return True
            if not super().cancel():
                return False
            self.set_running_or_notify_cancel()
        ray.cancel(self._reference)
        return True

    def _take(self, done: concurrent.futures.Future[Any]) -> None:
        """Takes the result of the task over, unless this future was cancelled."""
        with self._lock:
            if self.cancelled() or not self.set_running_or_notify_cancel():
                return
        error = done.exception()
        if error is None:
            self.set_result(done.result())
        else:
            self.set_exception(error)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)

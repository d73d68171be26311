"""Calls a Python function in a process of its own, so that it can be stopped and cannot disturb
others."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any


class Failed(Exception):
    """The function raised an error, ended its process or ran out of time. The text says how."""


def _answer(function: Callable[..., Any], arguments: Sequence[Any], sender: Connection) -> None:
    os.setsid()  # the processes that it starts can be stopped with it
    warnings.simplefilter("ignore")
    try:
        sender.send((True, function(*arguments)))
    except BaseException as error:  # the packages called have errors of their own, and panics
        sender.send((False, f"{type(error).__name__}: {error}"))


def call(function: Callable[..., Any], arguments: Sequence[Any], seconds: float) -> Any:
    """Returns what the function returns in a forked process. Raises Failed if it does not return
    within the time."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(function, arguments, sender))
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            raise Failed(f"no answer within {seconds:.0f} s")
        succeeded, answer = receiver.recv()
    except EOFError:
        raise Failed("the process ended without an answer") from None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()
        receiver.close()
    if not succeeded:
        raise Failed(answer)
    return answer

"""The exceptions that Quartz raises on purpose. Every message is one sentence: what was found, what was expected, and
where."""

from __future__ import annotations

import builtins

from quartz.symbol_names import written_out


class Error(Exception):
    """The base of all exceptions of Quartz."""

    def __init__(self, message: str = "") -> None:
        super().__init__(written_out(message))


class UsageError(Error, ValueError):
    """An argument is invalid, such as an unknown name or a value out of range."""


class InputError(Error, ValueError):
    """A circuit or a file is malformed, unsupported, truncated or unreadable.

    ``file``, ``line`` and ``column`` tell where, as far as that is known; lines and columns count from 1.
    """

    def __init__(
        self, message: str, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column


class OverflowError(Error, builtins.OverflowError):
    """Exact arithmetic would need more than its 64 bits."""


class Stopped(Error):
    """The work was stopped before there was a result."""


class Unverified(Error):
    """A check of the result was required, and it could not decide."""


class InternalError(Error, RuntimeError):
    """An internal check failed. This is a bug in Quartz; please report it."""

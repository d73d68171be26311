"""Quartz in Cirq: a transformer, and the conversion of circuits.

``optimize`` is a transformer. ``from_cirq`` and ``to_cirq`` convert circuits. See docs/python.md. Cirq 1.4 or later is
needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quartz.interchange.lazy_names import lazy_names

if TYPE_CHECKING:
    from quartz.cirq.conversion import from_cirq, to_cirq
    from quartz.cirq.transformer import optimize

__all__ = ["from_cirq", "optimize", "to_cirq"]

__getattr__ = lazy_names(
    __name__, {"from_cirq": "conversion", "optimize": "transformer", "to_cirq": "conversion"}, "cirq"
)

"""Quartz in PennyLane: a transform, and the conversion of tapes.

``optimize`` is a transform of QNodes, quantum functions and tapes. ``from_pennylane`` and ``to_pennylane`` convert
tapes. See docs/python.md. PennyLane 0.45 or later is needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quartz.interchange.lazy_names import lazy_names

if TYPE_CHECKING:
    from quartz.pennylane.conversion import from_pennylane, to_pennylane
    from quartz.pennylane.transform import optimize

__all__ = ["from_pennylane", "optimize", "to_pennylane"]

__getattr__ = lazy_names(
    __name__,
    {"from_pennylane": "conversion", "optimize": "transform", "to_pennylane": "conversion"},
    "pennylane",
)

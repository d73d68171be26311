"""Quartz in pytket: a pass, and the conversion of circuits.

``QuartzPass()`` is a pass for ``SequencePass`` and the like. ``from_pytket`` and ``to_pytket`` convert circuits. See
docs/python.md. pytket 2.0 or later is needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quartz.interchange.lazy_names import lazy_names

if TYPE_CHECKING:
    from quartz.pytket.conversion import from_pytket, to_pytket
    from quartz.pytket.optimization_pass import QuartzPass

__all__ = ["QuartzPass", "from_pytket", "to_pytket"]

__getattr__ = lazy_names(
    __name__,
    {"QuartzPass": "optimization_pass", "from_pytket": "conversion", "to_pytket": "conversion"},
    "pytket",
)

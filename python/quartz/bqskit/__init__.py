"""Quartz in BQSKit: a pass, and the conversion of circuits.

``QuartzPass()`` is a pass for workflows. ``from_bqskit`` and ``to_bqskit`` convert circuits. See docs/python.md. BQSKit
1.2 or later is needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quartz.interchange.lazy_names import lazy_names

if TYPE_CHECKING:
    from quartz.bqskit.conversion import from_bqskit, to_bqskit
    from quartz.bqskit.optimization_pass import QuartzPass

__all__ = ["QuartzPass", "from_bqskit", "to_bqskit"]

__getattr__ = lazy_names(
    __name__,
    {"QuartzPass": "optimization_pass", "from_bqskit": "conversion", "to_bqskit": "conversion"},
    "bqskit",
)

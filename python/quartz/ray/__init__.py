"""Quartz on Ray: an executor of ``concurrent.futures`` whose calls are Ray tasks.

``quartz.optimize_many(circuits, executor=quartz.ray.RayExecutor())`` optimizes circuits on a Ray cluster. See
docs/clusters.md. Ray 2.9 or later is needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quartz.interchange.lazy_names import lazy_names

if TYPE_CHECKING:
    from quartz.ray.executor import RayExecutor

__all__ = ["RayExecutor"]

__getattr__ = lazy_names(__name__, {"RayExecutor": "executor"}, "ray")

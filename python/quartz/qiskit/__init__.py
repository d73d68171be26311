"""Quartz in Qiskit: one call, a pass, and a method of the transpiler's optimization stage.

``optimize(circuit)`` optimizes a QuantumCircuit. ``QuartzOptimization`` is the pass. After the installation of the
package, ``transpile(circuit, backend, optimization_method="quartz")`` runs it after Qiskit's own optimization. See
docs/python.md. Qiskit 2.0 or later is needed; it is imported when a name of this module is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quartz.qiskit.front_door import optimize
    from quartz.qiskit.optimization_pass import QuartzOptimization
    from quartz.qiskit.plain_conversion import to_qiskit
    from quartz.qiskit.reading import from_qiskit
    from quartz.qiskit.stage_settings import Settings, settings

_MODULES = {
    "QuartzOptimization": "optimization_pass",
    "Settings": "stage_settings",
    "from_qiskit": "reading",
    "optimize": "front_door",
    "settings": "stage_settings",
    "to_qiskit": "plain_conversion",
}

__all__ = ["QuartzOptimization", "Settings", "from_qiskit", "optimize", "settings", "to_qiskit"]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)

"""A superoptimizer for quantum circuits.

``optimize`` replaces a circuit by a cheaper one that is equal to it, global phase included, and checks the result.
``check`` compares two circuits. ``generate`` makes the rules that a search can use. See docs/python.md.
"""

from quartz import _core, costs, errors
from quartz._core import (
    Angle,
    Backend,
    Circuit,
    ClassTable,
    Condition,
    Cost,
    CouplingMap,
    GateSet,
    Operation,
    RuleSet,
)
from quartz.checking import CheckReport, check
from quartz.errors import Error, InputError, InternalError, OverflowError, Stopped, Unverified, UsageError
from quartz.generation import GenerateResult, ImportResult, generate, import_rules
from quartz.many import Outcome, optimize_many
from quartz.optimization import OptimizeResult, Pass, optimize
from quartz.options import SearchOptions

__version__: str = _core.VERSION
#: The angle pi, exactly: ``quartz.pi / 4``.
pi: Angle = Angle("pi")
#: The names of the searches, for the argument ``search`` of ``optimize``.
SEARCHES: tuple[str, ...] = tuple(_core._searches())

__all__ = [
    "SEARCHES",
    "Angle",
    "Backend",
    "CheckReport",
    "Circuit",
    "ClassTable",
    "Condition",
    "Cost",
    "CouplingMap",
    "Error",
    "GateSet",
    "GenerateResult",
    "ImportResult",
    "InputError",
    "InternalError",
    "Operation",
    "OptimizeResult",
    "Outcome",
    "OverflowError",
    "Pass",
    "RuleSet",
    "SearchOptions",
    "Stopped",
    "Unverified",
    "UsageError",
    "__version__",
    "check",
    "costs",
    "errors",
    "generate",
    "import_rules",
    "optimize",
    "optimize_many",
    "pi",
]

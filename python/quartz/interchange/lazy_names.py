"""Public names of an adapter that are imported when they are first used, and with them the package they need."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping


def lazy_names(module: str, modules: Mapping[str, str], package: str) -> Callable[[str], object]:
    """Returns the function ``__getattr__`` of a module: it takes names from submodules.

    ``modules`` has the submodule of each name. ``package`` is the package that they need, and the extra of
    ``quartz-superoptimizer`` that installs it. Without it, using a name raises ImportError, which says so.
    """

    def get(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            return getattr(importlib.import_module(f"{module}.{modules[name]}"), name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] != package:
                raise
            raise ImportError(
                f"{module}.{name} needs {package}, which pip install 'quartz-superoptimizer[{package}]' installs",
                name=error.name,
            ) from error

    return get

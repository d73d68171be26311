"""The error tables that come with Quartz: typical rates of devices, as costs for ``optimize``."""

from __future__ import annotations

import pathlib

_FOLDER = pathlib.Path(__file__).parent / "data" / "costs"


def bundled() -> dict[str, pathlib.Path]:
    """Returns the bundled cost files by name, such as ``ibm_heron_errors`` (costs/README.md)."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.json"))}


def with_paths(names: str) -> str:
    """Returns a list of costs separated by commas with each bundled name replaced by its file."""
    parts = []
    for name in names.split(","):
        path = _FOLDER / f"{name}.json"
        parts.append(str(path) if path.is_file() else name)
    return ",".join(parts)

"""Installs the Python packages of requirements.txt into build/venv when a benchmark needs them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Collection
from typing import Any

from benchmarks.programs import ROOT

VENV = ROOT / "build/venv"
REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")


def requirements() -> dict[str, str]:
    """Returns the version of each package in requirements.txt."""
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)  # type: ignore[misc]


def make_venv(packages: Collection[str]) -> pathlib.Path:
    """Returns the Python interpreter of build/venv, after installing those of the packages that are
    missing there. Without packages, returns the running interpreter."""
    if not packages:
        return pathlib.Path(sys.executable)
    wanted = {f"{name}=={version}" for name, version in requirements().items() if name in packages}
    marker = VENV / "bench_packages.json"
    installed = set(json.loads(marker.read_text())) if marker.exists() else set()
    missing = sorted(wanted - installed)
    if missing:
        print(f"installing into {VENV.relative_to(ROOT)}: {' '.join(missing)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip: list[Any] = [VENV / "bin/python", "-m", "pip", "install", "--quiet"]
        pip += ["--disable-pip-version-check", *missing]
        subprocess.run(pip, check=True, stdin=subprocess.DEVNULL)
        # pip keeps one version of a package: the one that was installed last.
        names = {package.split("==")[0] for package in missing}
        kept = {package for package in installed if package.split("==")[0] not in names}
        marker.write_text(json.dumps(sorted(kept | wanted)))
    return VENV / "bin/python"


def enter_venv(packages: Collection[str]) -> None:
    """Makes sure that the packages can be imported: restarts the program with the interpreter of
    build/venv unless it is the running one."""
    python = make_venv(packages)
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [str(python), *sys.argv])


def module_command(python: pathlib.Path, module: str, *arguments: Any) -> list[Any]:
    """Returns the command that runs a module of this package with another interpreter."""
    return ["env", f"PYTHONPATH={ROOT}", python, "-m", f"benchmarks.{module}", *arguments]

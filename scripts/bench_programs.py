"""Running programs for the benchmark scripts, the Python packages they need, and what every results
file says of where its figures come from."""

import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
COMMANDS = ROOT / "build/bin"
VENV = ROOT / "build/venv"

# quartz-opt wrote its result, which is checked here as well: verified by it, or not.
WRITTEN = (0, 12)


class Failure(Exception):
    """A program ended badly or ran out of time; the text says how."""


def call(command, seconds=None):
    """Runs a program to its end, whatever that is."""
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def run(command, seconds, accepted=(0,)):
    """Standard output of a program that ends with one of the accepted exit codes."""
    try:
        done = call(command, seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"no answer within {seconds:.0f} s") from None
    if done.returncode not in accepted:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"exit status {done.returncode}: {last}")
    return done.stdout


def require_commands(*names):
    for name in names:
        if not (COMMANDS / name).exists():
            sys.exit(f"build/bin/{name} is missing: run scripts/run.sh first")


# --- the Python packages --------------------------------------------------------------------------


def requirements():
    """Package and version of each line of bench_requirements.txt."""
    lines = (SCRIPTS / "bench_requirements.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def make_venv(packages):
    """The Python of build/venv with these packages, installed where they are missing; the one that
    runs this, where there are none."""
    if not packages:
        return pathlib.Path(sys.executable)
    wanted = {f"{name}=={version}" for name, version in requirements().items() if name in packages}
    marker = VENV / "bench_packages.json"
    installed = set(json.loads(marker.read_text())) if marker.exists() else set()
    missing = sorted(wanted - installed)
    if missing:
        print(f"installing into {VENV.relative_to(ROOT)}: {' '.join(missing)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [VENV / "bin/python", "-m", "pip", "install", "--quiet"]
        pip += ["--disable-pip-version-check", *missing]
        subprocess.run(pip, check=True, stdin=subprocess.DEVNULL)
        # Of a package at two versions, only the one installed last is there.
        names = {package.split("==")[0] for package in missing}
        kept = {package for package in installed if package.split("==")[0] not in names}
        marker.write_text(json.dumps(sorted(kept | wanted)))
    return VENV / "bin/python"


def enter_venv(packages):
    """Goes on in make_venv's Python: starts this script anew there, unless it runs there already."""
    python = make_venv(packages)
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [python, *sys.argv])


# --- where figures come from ----------------------------------------------------------------------


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    models = [line.split(":", 1)[1].strip() for line in text.splitlines() if "model name" in line]
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
    }


def commit():
    """Empty outside a checkout."""
    return call(["git", "-C", ROOT, "describe", "--always", "--dirty"]).stdout.strip()


def record():
    return {
        "command": shlex.join(["scripts/" + pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
    }

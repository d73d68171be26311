"""Compares pairs of OpenQASM files by MQT QCEC and by Qiskit.

    build/fuzz/quartz-differential optimizer --runs 10000 --pairs FOLDER --every 100
    bench.py pairs FOLDER

NAME.before.qasm and NAME.after.qasm are a pair: a random circuit, and what the optimizer made of it.
Both programs read the files by their own readers. Their unitaries must be the same up to a global
phase, which OpenQASM 2 cannot express. Installs MQT QCEC and Qiskit into build/venv.
"""

from __future__ import annotations

import argparse
import collections
import pathlib
from typing import Any

from benchmarks import packages
from benchmarks.programs import Failure

PACKAGES = {"qiskit", "mqt.qcec"}
# The results of the optimizer differ from the input by 1e-10 at most.
TOLERANCE = 1e-8


def qiskit_verdict(left: pathlib.Path, right: pathlib.Path) -> str:
    """Returns "same" if the unitaries of both files are the same up to a phase."""
    import numpy
    from qiskit import qasm2
    from qiskit.quantum_info import Operator

    def unitary(path: pathlib.Path) -> Any:
        # The gates of qelib1.inc in the version of Qiskit, which has more than the first one.
        circuit = qasm2.load(path, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
        return Operator(circuit).data

    a, b = unitary(left), unitary(right)
    phase = numpy.vdot(a, b)
    is_same = abs(phase) > 0 and numpy.allclose(a * phase / abs(phase), b, atol=TOLERANCE)
    return "same" if is_same else "different"


def qcec_verdict(left: pathlib.Path, right: pathlib.Path) -> str:
    """Returns "same", "different" or "undecided"."""
    from mqt import qcec

    result = qcec.verify(str(left), str(right), check_partial_equivalence=False)
    name = result.equivalence.name
    if name in ("equivalent", "equivalent_up_to_global_phase"):
        return "same"
    return "different" if name in ("not_equivalent",) else "undecided"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=pathlib.Path, help="folder with the pairs")


def run(settings: argparse.Namespace) -> int:
    packages.enter_venv(PACKAGES)
    lefts = sorted(settings.folder.glob("*.before.qasm"))
    if not lefts:
        raise Failure(f"no pairs in {settings.folder}")
    figures: collections.Counter[str] = collections.Counter()
    failures = []
    for left in lefts:
        right = left.with_name(left.name.replace(".before.", ".after."))
        for tool, verdict_of in (("qcec", qcec_verdict), ("qiskit", qiskit_verdict)):
            verdict = verdict_of(left, right)
            figures[f"{verdict} by {tool}"] += 1
            if verdict == "different":
                failures.append(f"{left}: different by {tool}")
    for description, number in sorted(figures.items()):
        print(f"{number:6} {description}")
    for failure in failures:
        print(f"FAILED {failure}")
    return int(bool(failures))

"""Generating rules for a gate set, and importing them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable

from quartz import _core
from quartz._core import RuleSet
from quartz.arguments import GateSetLike, gate_set_from
from quartz.html import html_table


@dataclasses.dataclass(frozen=True)
class ProvedRules:
    """A rule set, and the proofs of its equalities."""

    rules: RuleSet
    #: Classes, circuits and rules of the rule set.
    classes: int
    circuits: int
    rule_count: int
    #: The prover, such as "z3 4.8.12", and its results. An equality that is not proved is no rule.
    prover: str
    proofs_tried: int
    proofs_found: int

    def _repr_html_(self) -> str:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return html_table(f"quartz.{type(self).__name__}", ["", ""], [[name, value] for name, value in fields.items()])


@dataclasses.dataclass(frozen=True)
class GenerateResult(ProvedRules):
    """A rule set that was generated."""

    #: Circuits and classes that were enumerated, before the rules were pruned.
    circuits_enumerated: int
    classes_enumerated: int
    #: Equalities that were not proved within the time.
    proofs_unknown: int


def generate(
    gate_set: GateSetLike,
    *,
    gates: int = 3,
    qubits: int = 3,
    threads: int = 0,
    seed: int = 0,
    proof_time: float = 10,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[str, int, int, float], object] | None = None,
) -> GenerateResult:
    """Generates the rules of the circuits of up to ``gates`` gates on up to ``qubits`` qubits, each proved by Z3.

    The same gate set, sizes and seed give the same rules with any number of threads (0: all cores). A proof may take
    ``proof_time`` seconds. Proofs are kept in the folder ``checkpoint``, so that a run that was interrupted continues
    where it ended. ``progress`` is called with the phase, the number of proofs made and to make, and the seconds.

    Raises UsageError for sizes out of range, InputError for a bad gate set or checkpoint, and KeyboardInterrupt.
    """
    arguments: dict[str, object] = {
        "gates": gates,
        "qubits": qubits,
        "threads": threads,
        "seed": seed,
        "proof_time": proof_time,
        "checkpoint": checkpoint or "",
    }
    rules, report = _core._generate(gate_set_from(gate_set), arguments, progress)
    return GenerateResult(rules, **report)  # type: ignore[arg-type]


@dataclasses.dataclass(frozen=True)
class ImportResult(ProvedRules):
    """A rule set whose circuits come from a file."""

    #: Circuits of the file that the gate set can express, and those that it cannot.
    circuits_read: int
    circuits_omitted: int


def import_rules(
    path: str | os.PathLike[str],
    gate_set: GateSetLike,
    *,
    threads: int = 0,
    proof_time: float = 10,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[str, int, int, float], object] | None = None,
) -> ImportResult:
    """Makes rules of the equal circuits in a file: an ECC set of the original Quartz, or a rule set. Z3 proves each of
    them again, and those that are not proved are omitted.

    ``threads``, ``proof_time``, ``checkpoint`` and ``progress`` are those of ``generate``.

    Raises InputError for a malformed file, gate set or checkpoint, and KeyboardInterrupt.
    """
    arguments: dict[str, object] = {"threads": threads, "proof_time": proof_time, "checkpoint": checkpoint or ""}
    rules, report = _core._import_rules(gate_set_from(gate_set), path, arguments, progress)
    return ImportResult(rules, **report)  # type: ignore[arg-type]

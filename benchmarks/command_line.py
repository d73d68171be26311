"""The command line of the benchmarks: one subcommand for each."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import (
    angles,
    certificate,
    checkers,
    circuits,
    class_tables,
    commits,
    comparison,
    exporters,
    figures,
    fixpoint,
    generation,
    large_circuits,
    large_programs,
    limits,
    native,
    numeric_blocks,
    pairs,
    pass_shares,
    processes,
    products,
    refusals,
    rotations,
    t_depth,
)
from benchmarks.programs import Failure


@dataclasses.dataclass(frozen=True)
class Subcommand:
    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]  # returns the exit status
    description: str


def of_module(name: str, summary: str, module: Any) -> Subcommand:
    """Returns the subcommand of a module with add_arguments, run, and a docstring for its help."""
    return Subcommand(name, summary, module.add_arguments, module.run, module.__doc__ or "")


SUBCOMMANDS = [
    of_module("circuits", "quartz-opt and other optimizers on a folder of circuits", circuits),
    Subcommand("check-outputs", "check the outputs of circuits --unchecked",
               circuits.add_check_arguments, circuits.run_check, circuits.run_check.__doc__ or ""),
    Subcommand("merge", "merge results files of circuits",
               circuits.add_merge_arguments, circuits.run_merge, circuits.run_merge.__doc__ or ""),
    Subcommand("plot", "draw a results file of circuits",
               circuits.add_plot_arguments, circuits.run_plot, circuits.run_plot.__doc__ or ""),
    of_module("gen", "quartz-gen: rule sets of growing size", generation),
    of_module("tables", "class tables, and annealing with them", class_tables),
    of_module("large", "a circuit of a million gates, read, folded, checked and written",
              large_circuits),
    of_module("large-programs", "programs of a million gates of several kinds, against tzap",
              large_programs),
    of_module("limits", "how well the time limit is kept, and the memory", limits),
    of_module("certificate", "whether what a search finds is certified in time", certificate),
    of_module("commits", "two commits, interleaved, on this machine", commits),
    of_module("compare", "two-qubit gates, by circuit, against other optimizers", comparison),
    of_module("products", "multiplications with few products (Toffoli gates)", products),
    of_module("passes", "the share of the time that some passes take", pass_shares),
    of_module("gate-sets", "the native gate sets, compared with Qiskit", native),
    of_module("numeric-blocks", "random unitaries on three qubits, and Dicke states", numeric_blocks),
    of_module("fixpoint", "results optimized again, and inputs with an identity pair", fixpoint),
    of_module("rotations", "rotations into Clifford+T gates, compared with other programs", rotations),
    of_module("angles", "single rotations into Clifford+T gates, compared with gridsynth", angles),
    of_module("processes", "files that several processes share, against one process", processes),
    of_module("t-depth", "T depth, compared with tzap", t_depth),
    of_module("programs", "programs of other tools, through Quartz and back", exporters),
    of_module("refusals", "which programs of a folder are read, and why the others are not", refusals),
    of_module("pairs", "pairs of circuits of the differential fuzzer, by QCEC and Qiskit", pairs),
    of_module("checkers", "quartz-check, MQT QCEC and PyZX on the same pairs of circuits", checkers),
    of_module("figures", "write docs/benchmarks.json into the documentation", figures),
]  # fmt: skip
# `bench.py FOLDER ...` means `bench.py circuits FOLDER ...`.
DEFAULT = "circuits"


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser with all subcommands."""
    parser = argparse.ArgumentParser(
        prog="bench.py",
        description="Runs a benchmark of the release build (scripts/build.sh release apps/all).",
        epilog=f"Without a subcommand: {DEFAULT}. Its own help: bench.py SUBCOMMAND --help.",
    )
    found = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", required=True)
    for each in SUBCOMMANDS:
        subparser = found.add_parser(
            each.name,
            help=each.summary,
            description=each.description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        each.add_arguments(subparser)
        subparser.set_defaults(run=each.run)
    return parser


def with_subcommand(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments, with the default subcommand if they name none."""
    known = {each.name for each in SUBCOMMANDS} | {"-h", "--help"}
    return list(arguments) if arguments and arguments[0] in known else [DEFAULT, *arguments]


def main(arguments: Sequence[str]) -> int:
    """Runs a benchmark and returns the exit status."""
    settings = make_parser().parse_args(with_subcommand(arguments))
    try:
        return settings.run(settings)
    except (Failure, OSError) as failure:
        print(f"bench.py {settings.subcommand}: {failure}", file=sys.stderr)
        return 1

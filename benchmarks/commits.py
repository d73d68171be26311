"""Compares the speed, or the results, of two commits on this machine.

    bench.py commits OLD NEW                              all micro-benchmarks (perf/)
    bench.py commits OLD NEW --filter annealing --rounds 9
    bench.py commits OLD NEW --circuits FOLDER --time 5s --seeds 3
                                                          whole runs of quartz-opt

Checks both commits out into a temporary folder, builds them, and runs them in turn, so that other
work on the machine disturbs both alike. Prints for each benchmark the ratio of the rates, new/old:
the median of the rounds, and the least and the greatest ratio. Above 1 is faster; a change is named
if 5 rounds or more all agree. `--circuits` prints the ratio of the remaining gates instead: below 1
is better.

Each commit has its own benchmarks, which are compared by name. If OLD has no perf/ folder, that of
NEW is built with the sources of OLD, if it fits them. Uncommitted changes are not measured.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from benchmarks import programs, provenance, ratios
from benchmarks.costs import MEASURES
from benchmarks.programs import GRACE_SECONDS, ROOT, Failure, seconds_of
from benchmarks.text_table import print_table, with_unit_prefix

BUILD_SECONDS = 3600
PERF_SECONDS = 1800

Rates = dict[str, list[float]]  # items per second of each round, by benchmark
# By circuit and "old" or "new": the sizes that are left, for each seed.
SizesOfSeeds = dict[str, dict[str, list[dict[str, int]]]]
Item = TypeVar("Item")


@dataclasses.dataclass(frozen=True)
class Commit:
    label: str  # "old" or "new"
    revision: str  # as given by the user
    folder: pathlib.Path  # its sources

    def program(self, path: str) -> pathlib.Path:
        return self.folder / "build" / path


# --- what is computed from the measurements -------------------------------------------------------


def plain_name(name: str) -> str:
    """Returns the name of a benchmark as in perf/benchmark_list.cpp. Google Benchmark appends how
    it was run: "parse/47601_gates/iterations:5/process_time"."""
    added = re.compile(r"iterations:\d+|repeats:\d+|process_time|real_time|min_time:.*")
    return "/".join(part for part in name.split("/") if not added.fullmatch(part))


def rates_of(document: dict[str, Any]) -> dict[str, float]:
    """Returns items per second by benchmark from the JSON of Google Benchmark. Benchmarks that
    failed are left out."""
    return {
        plain_name(run["name"]): run["items_per_second"]
        for run in document["benchmarks"]
        if run.get("run_type", "iteration") == "iteration" and "items_per_second" in run
    }


def order_of(round_number: int, commits: Sequence[Item]) -> Sequence[Item]:
    """Returns the commits in the order of a round. The first one alternates, so that neither always
    runs after the other."""
    return commits if round_number % 2 == 0 else commits[::-1]


def perf_table(old: Rates, new: Rates) -> list[list[str]]:
    """Returns the table of the micro-benchmarks that both commits have."""
    rows = [["benchmark", "old /s", "new /s", "new/old", "least", "greatest", ""]]
    for name in new:
        if name not in old:
            continue
        ratio = ratios.paired_ratio(old[name], new[name])
        medians = (with_unit_prefix(statistics.median(rates[name])) for rates in (old, new))
        rows.append(
            [name, *medians]
            + [f"{each:.3f}" for each in (ratio.median, ratio.least, ratio.greatest)]
            + [ratios.change_of(ratio, len(new[name]))]
        )
    return rows


def only_in_one(old: Rates, new: Rates) -> list[str]:
    """Returns lines that name the benchmarks that only one commit has."""
    lines = [f"only in old: {name}" for name in old if name not in new]
    return lines + [f"only in new: {name}" for name in new if name not in old]


def circuits_table(sizes: SizesOfSeeds, measure: str) -> list[list[str]]:
    """Returns the table of whole runs: for each circuit the means of the seeds and their ratio."""
    rows = [["circuit", "old", "new", "new/old", "least", "greatest"]]
    for circuit, found in sizes.items():
        old = [result[measure] for result in found["old"]]
        new = [result[measure] for result in found["new"]]
        means = statistics.fmean(old), statistics.fmean(new)
        row = [circuit, *(f"{mean:.1f}" for mean in means)]
        if min(old) > 0:
            ratio = ratios.paired_ratio(old, new)
            row += [f"{means[1] / means[0]:.4f}", f"{ratio.least:.4f}", f"{ratio.greatest:.4f}"]
        else:
            row += ["", "", ""]
        rows.append(row)
    return rows


def mean_ratios(sizes: SizesOfSeeds, measure: str) -> tuple[float, float]:
    """Returns new/old of the mean sizes, and the geometric mean of the ratios of the circuits."""
    old, new = (
        {
            circuit: statistics.fmean(result[measure] for result in found[label])
            for circuit, found in sizes.items()
        }
        for label in ("old", "new")
    )
    return ratios.mean_ratios(old, new)


# --- the two commits ------------------------------------------------------------------------------


def git(*arguments: Any) -> str:
    return programs.run(["git", "-C", ROOT, *arguments], 600).strip()


def commit_of(revision: str) -> str:
    """Returns the commit that a revision names."""
    try:
        return git("rev-parse", "--verify", f"{revision}^{{commit}}")
    except Failure:
        raise Failure(f"git knows no commit '{revision}'") from None


@contextlib.contextmanager
def checked_out(revisions: tuple[str, str]) -> Iterator[list[Commit]]:
    """Checks both commits out into a temporary folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="quartz-bench-") as name:
        commits = [
            Commit(label, revision, pathlib.Path(name, label))
            for label, revision in zip(("old", "new"), revisions, strict=True)
        ]
        try:
            for commit in commits:
                git("worktree", "add", "--detach", commit.folder, commit_of(commit.revision))
            yield commits
        finally:
            for commit in commits:
                if commit.folder.exists():
                    git("worktree", "remove", "--force", commit.folder)


def lend_benchmarks(old: Commit, new: Commit) -> bool:
    """Copies the benchmarks of NEW to OLD if OLD has none. Returns whether it did."""
    if (old.folder / "perf").exists():
        return False
    shutil.copytree(new.folder / "perf", old.folder / "perf")
    with (old.folder / "CMakeLists.txt").open("a", encoding="utf-8") as file:
        file.write("\nadd_subdirectory(perf)\n")
    return True


def build(commit: Commit, target: str) -> None:
    """Configures and builds one target of a commit."""
    print(f"building {target} of {commit.revision}", file=sys.stderr)
    tree = commit.folder / "build"
    configure = ["cmake", "-S", commit.folder, "-B", tree, "-G", "Ninja", "--log-level=WARNING"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DQUARTZ_TESTS=OFF", "-DQUARTZ_PERF=ON"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    # With these settings, equal sources in two folders share their cache entries.
    environment = os.environ | {"CCACHE_BASEDIR": str(commit.folder), "CCACHE_NOHASHDIR": "true"}
    jobs = len(os.sched_getaffinity(0))
    for command in (configure, ["cmake", "--build", tree, "--target", target, "--parallel", jobs]):
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env=environment,
            timeout=BUILD_SECONDS,
        )
        if done.returncode != 0:
            raise Failure(f"{commit.revision} does not build:\n{errors_of(done.stdout)}")


def errors_of(log: str, most: int = 10) -> str:
    """Returns the first errors in the output of a build, or its last lines if it names none."""
    lines = log.splitlines()
    errors = [line for line in lines if re.search(r"\berror\b", line, re.I)]
    return "\n".join(errors[:most] or lines[-most:])


def build_benchmarks(old: Commit, new: Commit) -> None:
    """Builds the micro-benchmarks of both commits."""
    build(new, "quartz-perf")
    lent = lend_benchmarks(old, new)
    try:
        build(old, "quartz-perf")
    except Failure as failure:
        if not lent:
            raise
        raise Failure(
            f"{old.revision} has no perf/ folder, and that of {new.revision} does not fit its "
            f"sources: {failure}"
        ) from None


# --- running them ---------------------------------------------------------------------------------


def run_benchmarks(commit: Commit, settings: argparse.Namespace) -> dict[str, float]:
    """Runs the micro-benchmarks of a commit once. Returns items per second by benchmark."""
    output = commit.folder / "perf.json"
    command = [commit.program("perf/quartz-perf"), f"--benchmark_out={output}"]
    command += ["--benchmark_out_format=json", f"--benchmark_filter={settings.filter}"]
    command += [f"--benchmark_min_time={settings.min_time}"]
    programs.run(command, PERF_SECONDS)
    return rates_of(json.loads(output.read_text(encoding="utf-8")))


def compare_benchmarks(commits: Sequence[Commit], settings: argparse.Namespace) -> dict[str, Rates]:
    """Runs the micro-benchmarks of both commits in turn and prints the table."""
    rates: dict[str, Rates] = {commit.label: {} for commit in commits}
    for round_number in range(settings.rounds):
        for commit in order_of(round_number, commits):
            print(f"round {round_number + 1}: {commit.label}", file=sys.stderr)
            for name, rate in run_benchmarks(commit, settings).items():
                rates[commit.label].setdefault(name, []).append(rate)
    old, new = rates["old"], rates["new"]
    print_table(perf_table(old, new))
    for line in only_in_one(old, new):
        print(line)
    return rates


def run_quartz(
    commit: Commit, circuit: pathlib.Path, seed: int, settings: argparse.Namespace
) -> dict[str, int]:
    """Optimizes a circuit. Returns the sizes that are left, by measure."""
    stats = commit.folder / "out.json"
    options = programs.options(
        output=commit.folder / "out.qasm", stats=stats, gate_set=settings.gate_set, seed=seed,
        cost=settings.cost, quiet=True, time=settings.time, threads=settings.threads,
    )  # fmt: skip
    # Each commit has its own cache, because the formats of cached files may differ.
    environment = ["env", f"XDG_CACHE_HOME={commit.folder / 'cache'}"]
    command = [*environment, commit.program("bin/quartz-opt"), circuit, *options]
    allowed = seconds_of(settings.time) + GRACE_SECONDS
    programs.run([*command, *shlex.split(settings.extra)], allowed)
    after = json.loads(stats.read_text(encoding="utf-8"))["after"]
    return {measure: after[measure] for measure in MEASURES}


def circuits_in(folder: pathlib.Path) -> list[pathlib.Path]:
    """Returns the circuits to optimize. Raises Failure if there are none."""
    circuits = sorted(folder.glob("*.qasm"))
    if not circuits:
        raise Failure(f"{folder}: no .qasm files")
    return circuits


def compare_circuits(commits: Sequence[Commit], settings: argparse.Namespace) -> SizesOfSeeds:
    """Optimizes every circuit with both commits in turn and prints the tables."""
    circuits = circuits_in(settings.circuits)
    smallest = min(circuits, key=lambda circuit: circuit.stat().st_size)
    for commit in commits:  # so that class tables are cached before anything is measured
        run_quartz(commit, smallest, 0, settings)
    sizes: SizesOfSeeds = {
        circuit.stem: {commit.label: [] for commit in commits} for circuit in circuits
    }
    for seed in range(settings.seeds):
        for number, circuit in enumerate(circuits):
            for commit in order_of(seed + number, commits):
                result = run_quartz(commit, circuit, seed, settings)
                sizes[circuit.stem][commit.label].append(result)
            pair = [found[-1][settings.measure] for found in sizes[circuit.stem].values()]
            print(f"seed {seed}, {circuit.stem}: {pair[0]}, {pair[1]}", file=sys.stderr)
    print_table(circuits_table(sizes, settings.measure))
    print()
    rows = [["new/old of", "mean sizes", "geometric mean of ratios"]]
    for measure in MEASURES:
        rows.append([measure, *(f"{ratio:.4f}" for ratio in mean_ratios(sizes, measure))])
    print_table(rows)
    return sizes


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("old", metavar="OLD", help="a commit, as for git")
    add("new", metavar="NEW")
    add("--filter", default=".", metavar="REGEX", help="only benchmarks that match")
    add("--rounds", type=positive, default=5, help="runs of the benchmarks of each commit")
    add("--min-time", default="0.5", metavar="SECONDS", help="least time of each benchmark")
    add("--circuits", type=pathlib.Path, metavar="FOLDER", help="a folder of .qasm files")
    add("--time", default="5s", help="time of each run of quartz-opt")
    add("--seeds", type=positive, default=3, help="runs of each circuit")
    add("--gate-set", default="nam")
    add("--cost", default="total")
    add("--measure", choices=MEASURES, default="total", help="the measure in the table")
    add("--threads", type=int, default=1)
    add("--extra", default="", metavar="OPTIONS", help="more options of quartz-opt, in one string")
    add("--json", type=pathlib.Path, metavar="FILE", help="also write all measurements here")


def run(settings: argparse.Namespace) -> int:
    if settings.circuits:
        circuits_in(settings.circuits)  # fails before minutes are spent on building
    found: dict[str, Any]
    with checked_out((settings.old, settings.new)) as (old, new):
        if settings.circuits:
            for commit in (old, new):
                build(commit, "quartz-opt")
            found = {"circuits": compare_circuits((old, new), settings)}
        else:
            build_benchmarks(old, new)
            found = {"rates": compare_benchmarks((old, new), settings)}
    if settings.json:
        provenance.write_json(settings.json, provenance.record() | found)
    return 0

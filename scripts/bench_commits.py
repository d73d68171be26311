#!/usr/bin/env python3
"""Compares the speed, or the results, of two commits on this machine.

    bench_commits.py OLD NEW                              all micro-benchmarks (perf/)
    bench_commits.py OLD NEW --filter annealing --rounds 9
    bench_commits.py OLD NEW --circuits FOLDER --time 5s --seeds 3
                                                          whole runs of quartz-opt

Checks both commits out into a temporary folder, builds them, and runs them in turn, so that
whatever else the machine does disturbs both alike. Prints for each benchmark the ratio of the
rates, new/old: the median of the rounds and the least and the greatest ratio. More than 1 is
faster; a change is named where 5 rounds or more all agree. `--circuits` prints the ratio of the
gates that are left instead: less than 1 is better.

Each commit has its own benchmarks, which are compared by name. Where OLD has no perf/ folder, that
of NEW is built with OLD's sources, if they fit. Uncommitted changes take no part.
"""

import argparse
import contextlib
import dataclasses
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

import bench
import bench_programs
import bench_tables
from bench_programs import ROOT, Failure

BUILD_SECONDS = 3600
PERF_SECONDS = 1800
# With two equal commits this number of pairs agrees by chance once in 16 times.
FEWEST_PAIRS = 5
MEASURES = ["total", "two_qubit", "t", "depth"]


@dataclasses.dataclass(frozen=True)
class Commit:
    label: str  # "old" or "new"
    revision: str  # as it was given
    folder: pathlib.Path  # its sources

    def program(self, path):
        return self.folder / "build" / path


# --- what is computed from the measurements -------------------------------------------------------


def plain_name(name):
    """The name of a benchmark as perf/benchmark_list.cpp has it. Google Benchmark adds how it was
    run: "parse/47601_gates/iterations:5/process_time"."""
    added = re.compile(r"iterations:\d+|repeats:\d+|process_time|real_time|min_time:.*")
    return "/".join(part for part in name.split("/") if not added.fullmatch(part))


def rates_of(document):
    """Items per second by benchmark, from Google Benchmark's JSON. A benchmark that failed has
    none."""
    return {
        plain_name(run["name"]): run["items_per_second"]
        for run in document["benchmarks"]
        if run.get("run_type", "iteration") == "iteration" and "items_per_second" in run
    }


@dataclasses.dataclass(frozen=True)
class Ratio:
    """new/old of measurements that were made in pairs."""

    median: float
    least: float
    greatest: float


def paired_ratio(old, new):
    """Of two equally long lists of positive numbers."""
    ratios = [after / before for before, after in zip(old, new, strict=True)]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios))


def change_of(ratio, pairs):
    """Whether new is faster or slower, where all pairs agree and chance alone seldom makes them."""
    if pairs < FEWEST_PAIRS:
        return ""
    if ratio.least > 1:
        return "faster"
    return "slower" if ratio.greatest < 1 else ""


def order_of(round_number, commits):
    """Who runs first alternates, so that neither always follows the other."""
    return commits if round_number % 2 == 0 else commits[::-1]


def geometric_mean(numbers):
    return math.exp(statistics.fmean(math.log(number) for number in numbers))


def rate_text(rate):
    for unit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= unit:
            return f"{rate / unit:.3g}{letter}"
    return f"{rate:.3g}"


def perf_table(old, new):
    """Rows of the table of micro-benchmarks. `old` and `new` have a list of rates by benchmark."""
    rows = [["benchmark", "old /s", "new /s", "new/old", "least", "greatest", ""]]
    for name in new:
        if name not in old:
            continue
        ratio = paired_ratio(old[name], new[name])
        rows.append(
            [name, rate_text(statistics.median(old[name])), rate_text(statistics.median(new[name]))]
            + [f"{each:.3f}" for each in (ratio.median, ratio.least, ratio.greatest)]
            + [change_of(ratio, len(new[name]))]
        )
    return rows


def only_in_one(old, new):
    """Lines that name the benchmarks without a counterpart."""
    lines = [f"only in old: {name}" for name in old if name not in new]
    return lines + [f"only in new: {name}" for name in new if name not in old]


def circuits_table(sizes, measure):
    """Rows of the table of whole runs: for each circuit the mean over the seeds, and their ratio.
    `sizes` has by circuit and "old" or "new" the results of the seeds."""
    rows = [["circuit", "old", "new", "new/old", "least", "greatest"]]
    for circuit, found in sizes.items():
        old = [result[measure] for result in found["old"]]
        new = [result[measure] for result in found["new"]]
        means = statistics.fmean(old), statistics.fmean(new)
        row = [circuit, *(f"{mean:.1f}" for mean in means)]
        if min(old) > 0:
            ratio = paired_ratio(old, new)
            row += [f"{means[1] / means[0]:.4f}", f"{ratio.least:.4f}", f"{ratio.greatest:.4f}"]
        else:
            row += ["", "", ""]
        rows.append(row)
    return rows


def mean_ratios(sizes, measure):
    """(ratio of the mean sizes, geometric mean of the circuits' ratios), both new/old. Circuits
    that come to nothing have no ratio."""
    means = {
        label: {
            circuit: statistics.fmean(result[measure] for result in found[label])
            for circuit, found in sizes.items()
        }
        for label in ("old", "new")
    }
    old, new = means["old"], means["new"]
    both = [circuit for circuit in sizes if old[circuit] > 0 and new[circuit] > 0]
    all_of_old = sum(old.values())
    return (
        sum(new.values()) / all_of_old if all_of_old > 0 else 1.0,
        geometric_mean([new[circuit] / old[circuit] for circuit in both]) if both else 1.0,
    )


# --- the two commits ------------------------------------------------------------------------------


def git(*arguments):
    return bench_programs.run(["git", "-C", ROOT, *arguments], 600).strip()


def commit_of(revision):
    try:
        return git("rev-parse", "--verify", f"{revision}^{{commit}}")
    except Failure:
        raise Failure(f"git knows no commit '{revision}'") from None


@contextlib.contextmanager
def checked_out(revisions):
    """Both commits in a temporary folder, which is removed afterwards."""
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


def lend_benchmarks(old, new):
    """Gives OLD the benchmarks of NEW, if it has none. Whether it was done."""
    if (old.folder / "perf").exists():
        return False
    shutil.copytree(new.folder / "perf", old.folder / "perf")
    with (old.folder / "CMakeLists.txt").open("a", encoding="utf-8") as file:
        file.write("\nadd_subdirectory(perf)\n")
    return True


def build(commit, target):
    print(f"building {target} of {commit.revision}", file=sys.stderr)
    tree = commit.folder / "build"
    configure = ["cmake", "-S", commit.folder, "-B", tree, "-G", "Ninja", "--log-level=WARNING"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DQUARTZ_TESTS=OFF", "-DQUARTZ_PERF=ON"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    # Two folders of the same sources share what ccache keeps.
    settings = os.environ | {"CCACHE_BASEDIR": str(commit.folder), "CCACHE_NOHASHDIR": "true"}
    jobs = len(os.sched_getaffinity(0))
    for command in (configure, ["cmake", "--build", tree, "--target", target, "--parallel", jobs]):
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env=settings,
            timeout=BUILD_SECONDS,
        )
        if done.returncode != 0:
            raise Failure(f"{commit.revision} does not build:\n{errors_of(done.stdout)}")


def errors_of(log, most=10):
    """The first errors of a build's output, or its last lines where it names none."""
    lines = log.splitlines()
    return "\n".join([line for line in lines if re.search(r"\berror\b", line, re.I)][:most]
                     or lines[-most:])  # fmt: skip


def build_benchmarks(old, new):
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


def run_benchmarks(commit, settings):
    """Items per second by benchmark."""
    results = commit.folder / "perf.json"
    command = [commit.program("perf/quartz-perf"), f"--benchmark_out={results}"]
    command += ["--benchmark_out_format=json", f"--benchmark_filter={settings.filter}"]
    command += [f"--benchmark_min_time={settings.min_time}"]
    bench_programs.run(command, PERF_SECONDS)
    return rates_of(json.loads(results.read_text()))


def compare_benchmarks(commits, settings):
    rates = {commit.label: {} for commit in commits}
    for round_number in range(settings.rounds):
        for commit in order_of(round_number, commits):
            print(f"round {round_number + 1}: {commit.label}", file=sys.stderr)
            for name, rate in run_benchmarks(commit, settings).items():
                rates[commit.label].setdefault(name, []).append(rate)
    old, new = rates["old"], rates["new"]
    bench_tables.print_table(perf_table(old, new))
    for line in only_in_one(old, new):
        print(line)
    return rates


def run_quartz(commit, circuit, seed, settings):
    """What one run leaves of a circuit, in each measure."""
    output = commit.folder / "out.qasm"
    stats = commit.folder / "out.json"
    command = [commit.program("bin/quartz-opt"), circuit, "--output", output, "--stats", stats]
    command += ["--gate-set", settings.gate_set, "--cost", settings.cost, "--quiet"]
    command += ["--time", settings.time, "--seed", seed, "--threads", settings.threads]
    # Each commit has a cache of its own: the formats of what is in it may differ.
    environment = ["env", f"XDG_CACHE_HOME={commit.folder / 'cache'}"]
    allowed = bench.seconds_of(settings.time) + bench.GRACE_SECONDS
    bench_programs.run([*environment, *command, *shlex.split(settings.extra)], allowed)
    after = json.loads(stats.read_text())["after"]
    return {measure: after[measure] for measure in MEASURES}


def circuits_in(folder):
    """The circuits to optimize. Raises Failure where there are none."""
    circuits = sorted(folder.glob("*.qasm"))
    if not circuits:
        raise Failure(f"{folder}: no .qasm files")
    return circuits


def compare_circuits(commits, settings):
    circuits = circuits_in(settings.circuits)
    smallest = min(circuits, key=lambda circuit: circuit.stat().st_size)
    for commit in commits:  # so that class tables are cached before anything is measured
        run_quartz(commit, smallest, 0, settings)
    sizes = {circuit.stem: {commit.label: [] for commit in commits} for circuit in circuits}
    for seed in range(settings.seeds):
        for number, circuit in enumerate(circuits):
            for commit in order_of(seed + number, commits):
                result = run_quartz(commit, circuit, seed, settings)
                sizes[circuit.stem][commit.label].append(result)
            pair = [found[-1][settings.measure] for found in sizes[circuit.stem].values()]
            print(f"seed {seed}, {circuit.stem}: {pair[0]}, {pair[1]}", file=sys.stderr)
    bench_tables.print_table(circuits_table(sizes, settings.measure))
    print()
    rows = [["new/old of", "mean sizes", "geometric mean of ratios"]]
    for measure in MEASURES:
        rows.append([measure, *(f"{ratio:.4f}" for ratio in mean_ratios(sizes, measure))])
    bench_tables.print_table(rows)
    return sizes


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", metavar="OLD", help="a commit, as git names them")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("--filter", default=".", metavar="REGEX", help="benchmarks that match")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each commit's benchmarks")
    parser.add_argument("--min-time", default="0.5", help="seconds a benchmark takes at least")
    parser.add_argument("--circuits", type=pathlib.Path, metavar="FOLDER", help="of .qasm files")
    parser.add_argument("--time", default="5s", help="of a run of quartz-opt")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each circuit")
    parser.add_argument("--gate-set", default="nam")
    parser.add_argument("--cost", default="total")
    parser.add_argument("--measure", choices=MEASURES, default="total", help="of the table")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--extra", default="", help="more options of quartz-opt, in one string")
    parser.add_argument("--json", type=pathlib.Path, help="also write all measurements here")
    settings = parser.parse_args()
    if settings.rounds < 1 or settings.seeds < 1:
        parser.error("--rounds and --seeds are at least 1")

    try:
        if settings.circuits:
            circuits_in(settings.circuits)  # before minutes are spent on building
        with checked_out((settings.old, settings.new)) as (old, new):
            if settings.circuits:
                for commit in (old, new):
                    build(commit, "quartz-opt")
                found = {"circuits": compare_circuits((old, new), settings)}
            else:
                build_benchmarks(old, new)
                found = {"rates": compare_benchmarks((old, new), settings)}
    except Failure as failure:
        sys.exit(f"{pathlib.Path(__file__).name}: {failure}")
    if settings.json:
        settings.json.write_text(json.dumps(bench_programs.record() | found, indent=1) + "\n")


if __name__ == "__main__":
    main()

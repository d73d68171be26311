#!/usr/bin/env python3
"""Compares the results of quartz-opt for the bundled circuits with reduction.csv, bit for bit.

    reduction.py FOLDER_OF_THE_COMMANDS             fails if a result differs from its row
    reduction.py FOLDER_OF_THE_COMMANDS --update    writes the results into the file
    ... --only REGEX                                only rows whose options match
    ... --portable                                  only rows marked as portable

Each row is one run: the columns up to `threads` are its options. `portable` is "no" if rounding in
double precision decides what the search finds, which fused multiply-add changes. The other columns
are its result, with the SHA-256 digest of the OpenQASM text written. An empty `time` means that no
time limit ends the search. Every result must have been checked by quartz-opt as equal to its
circuit.

Class tables are built in a temporary cache, so that the user's cache is neither read nor written.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = pathlib.Path(__file__).resolve().parent / "reduction.csv"
OPTIONS = ["circuit", "gate_set", "cost", "search", "time", "steps", "seed", "threads"]
KEYS = [*OPTIONS, "portable"]
COUNTS = ["total", "two_qubit", "t", "depth"]
RESULTS = [*COUNTS, "sha256"]
# Replaces an empty `time`: long enough never to end a search.
NO_TIME_LIMIT = "1000000s"
# Limit in seconds that keeps a hanging run from hanging the suite; a run takes about one second.
LONGEST_RUN = 300


class Failure(Exception):
    """A run without a result to compare; the text says why."""


@dataclasses.dataclass(frozen=True)
class Row:
    options: dict  # keys: the names in KEYS
    results: dict  # keys: the names in RESULTS; empty strings in a new row

    def describe(self):
        """Returns the options of quartz-opt that the row describes."""
        text = f"{self.options['circuit']} --gate-set {self.options['gate_set']}"
        for name in OPTIONS[2:]:
            text += f" --{name} {self.options[name]}" if self.options[name] else ""
        return text

    def with_results(self, results):
        return Row(self.options, results)


def parse_rows(text):
    """Parses a CSV text. Raises ValueError for another header, a short row, or two rows with the
    same options."""
    lines = list(csv.reader(io.StringIO(text)))
    if not lines or lines[0] != KEYS + RESULTS:
        raise ValueError(f"the header is not {','.join(KEYS + RESULTS)}")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(KEYS + RESULTS):
            raise ValueError(f"line {number}: {len(line)} columns, expected {len(lines[0])}")
        row = Row(
            dict(zip(KEYS, line, strict=False)),
            dict(zip(RESULTS, line[len(KEYS) :], strict=True)),
        )
        if row.options["portable"] not in ("yes", "no"):
            raise ValueError(f"line {number}: portable is neither yes nor no")
        if any(row.describe() == other.describe() for other in rows):
            raise ValueError(f"line {number}: a second row of {row.describe()}")
        rows.append(row)
    return rows


def format_rows(rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(KEYS + RESULTS)
    for row in rows:
        writer.writerow([*row.options.values(), *row.results.values()])
    return text.getvalue()


def command_of(row, quartz_opt, output, stats):
    """Returns the command line of a row's run."""
    command = [quartz_opt, row.options["circuit"]]
    command += ["--output", output, "--stats", stats, "--quiet", "--check-time", "5min"]
    for name in OPTIONS[1:]:
        value = row.options[name] or (NO_TIME_LIMIT if name == "time" else "")
        if value:
            command += [f"--{name.replace('_', '-')}", value]
    return [str(part) for part in command]


def results_of(stats, text, limited):
    """Returns the results of a run, from the report of --stats and the text written. Raises Failure
    for a result that was not checked as equal to the circuit, and for one that depends on the speed
    of the machine: a search that was cut off, unless the row has a time limit (of 0 s)."""
    if not stats["checked"].startswith("equal ("):
        raise Failure(f"the result was not checked as equal: {stats['checked']}")
    if not limited and stats["stop_reason"] not in ("exhausted", "converged", "step limit"):
        raise Failure(
            f"the search has to end by itself or by its steps: {stats['stop_reason']}"
        )
    results = {name: str(stats["after"][name]) for name in COUNTS}
    return results | {"sha256": hashlib.sha256(text).hexdigest()}


def run(row, quartz_opt, cache):
    """Runs a row in the root of the repository, to which the file names in the row are relative,
    and returns its results."""
    with tempfile.TemporaryDirectory() as name:
        output, stats = pathlib.Path(name, "out.qasm"), pathlib.Path(name, "stats.json")
        done = subprocess.run(
            command_of(row, quartz_opt, output, stats),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=LONGEST_RUN,
            cwd=ROOT,
            env=os.environ | {"XDG_CACHE_HOME": cache},
        )
        if done.returncode != 0:
            raise Failure(f"exit status {done.returncode}: {done.stderr.strip()}")
        limited = row.options["time"] != ""
        return results_of(json.loads(stats.read_text()), output.read_bytes(), limited)


def run_all(rows, quartz_opt, jobs):
    """Returns for each row its results, or the Failure."""

    def attempt(row):
        try:
            return run(row, quartz_opt, cache)
        except (Failure, subprocess.TimeoutExpired) as failure:
            return failure

    with (
        tempfile.TemporaryDirectory() as cache,
        concurrent.futures.ThreadPoolExecutor(jobs) as pool,
    ):
        return list(pool.map(attempt, rows))


def difference(row, results):
    """Describes what differs from the row; returns an empty string if nothing does."""
    changes = [
        f"{name} {row.results[name] or 'unknown'} -> {results[name]}"
        for name in COUNTS
        if row.results[name] != results[name]
    ]
    if not changes and row.results["sha256"] != results["sha256"]:
        changes = ["the same counts, but another circuit"]
    return ", ".join(changes)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commands", type=pathlib.Path, help="the folder that contains quartz-opt")
    parser.add_argument("--update", action="store_true", help="write the results into the file")
    parser.add_argument("--only", type=re.compile, default="", help="only rows that match this")
    parser.add_argument("--portable", action="store_true", help="only rows marked as portable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of runs at a time")
    parser.add_argument("--file", type=pathlib.Path, default=ROWS, help="instead of reduction.csv")
    settings = parser.parse_args()

    rows = parse_rows(settings.file.read_text(encoding="utf-8"))
    chosen = [
        i
        for i, row in enumerate(rows)
        if re.search(settings.only, row.describe())
        and (row.options["portable"] == "yes" or not settings.portable)
    ]
    quartz_opt = settings.commands.resolve() / "quartz-opt"
    found = run_all([rows[i] for i in chosen], quartz_opt, settings.jobs)
    failed = changed = 0
    for i, results in zip(chosen, found, strict=True):
        if isinstance(results, Exception):
            print(f"{rows[i].describe()}: {results}")
            failed += 1
        elif change := difference(rows[i], results):
            print(f"{rows[i].describe()}: {change}")
            rows[i] = rows[i].with_results(results)
            changed += 1
    if settings.update:
        settings.file.write_text(format_rows(rows), encoding="utf-8")
        print(f"{changed} of {len(chosen)} rows updated")
    elif changed:
        print(
            f"{changed} of {len(chosen)} results differ from {settings.file.name}. If that is "
            f"intended, run {pathlib.Path(__file__).name} with --update, and say in the commit why."
        )
    else:
        print(f"{len(chosen) - failed} results equal those in {settings.file.name}")
    sys.exit(1 if failed or (changed and not settings.update) else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures quartz-opt over a folder of circuits, and other optimizers beside it.

    bench.py [FOLDER] --time 30s --jobs 2 --peers --json results.json

Each circuit is optimized; each output is compared with its input by MQT QCEC, an independent
checker from PyPI, and by quartz-check where QCEC cannot decide. Sizes are counted here, from the
files written, alike for all. Needs the release build (scripts/run.sh makes it); the Python packages
go into build/venv.
"""

import argparse
import concurrent.futures
import datetime
import json
import math
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import time

import bench_peers
import flat_qasm

SCRIPTS = pathlib.Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
COMMANDS = ROOT / "build/bin"
VENV = ROOT / "build/venv"
MEASURING_CIRCUITS = ROOT.parent / "shared/circuits/nam"
PEERS = list(bench_peers.PEERS)
CHECK_SECONDS = 60
GRACE_SECONDS = 120  # what a program may overrun before it is ended
MEASURES = ["total", "two_qubit", "t", "depth"]
# Which of the measures each named cost of quartz-opt is, and what a reference file calls its best.
COSTS = {
    "total": ("total", "best_known_total"),
    "two-qubit": ("two_qubit", "best_known_cx_nam_set"),
    "t": ("t", None),
    "depth": ("depth", None),
}


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


def run(command, seconds):
    """Standard output of a program."""
    try:
        done = call(command, seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"no answer within {seconds:.0f} s") from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"exit status {done.returncode}: {last}")
    return done.stdout


# --- the Python packages --------------------------------------------------------------------------


def requirements():
    """Package and version of each line of bench_requirements.txt."""
    lines = (SCRIPTS / "bench_requirements.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def make_venv(packages):
    """build/venv with these packages; does nothing where they are there already."""
    wanted = [f"{name}=={version}" for name, version in requirements().items() if name in packages]
    marker = VENV / "bench_packages.json"
    if marker.exists() and set(wanted) <= set(json.loads(marker.read_text())):
        return VENV / "bin/python"
    print(f"installing into {VENV.relative_to(ROOT)}: {' '.join(wanted)}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    pip = [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *wanted], check=True, stdin=subprocess.DEVNULL)
    marker.write_text(json.dumps(wanted))
    return VENV / "bin/python"


# --- one circuit ----------------------------------------------------------------------------------


def answer_of(command, seconds):
    """The JSON in the last line that bench_peers.py prints."""
    return json.loads(run(command, seconds).splitlines()[-1])


def check(python, left, right):
    """The verdict on two files and who gave it."""
    try:
        command = [python, SCRIPTS / "bench_peers.py", "check", left, right, CHECK_SECONDS]
        verdict = answer_of(command, CHECK_SECONDS + GRACE_SECONDS)["verdict"]
    except Failure as failure:
        verdict = f"undecided: {failure}"
    if not verdict.startswith("undecided"):
        return {"verdict": verdict, "checked_by": "qcec"}
    done = call([COMMANDS / "quartz-check", "--json", left, right])
    words = {0: "equivalent", 10: "not equivalent", 11: "undecided"}
    if done.returncode not in words:
        raise Failure(f"quartz-check: exit status {done.returncode}: {done.stderr.strip()}")
    return {
        "verdict": words[done.returncode],
        "checked_by": f"quartz-check: {json.loads(done.stdout)['method']}",
        "qcec": verdict,
    }


def measure(path):
    return flat_qasm.counts(flat_qasm.read(path.read_text()))


def first_cost(text):
    """The measure and the best key of a cost's first objective; of a file of weights, the total."""
    return COSTS.get(text.split(",")[0], ("total", None))


def cost_argument(text):
    for part in text.split(","):
        if part not in COSTS and not pathlib.Path(part).is_file():
            raise argparse.ArgumentTypeError(f"{part}: none of {', '.join(COSTS)}, and no file")
    return text


def optimize_by_quartz(settings, source, work):
    """What quartz-opt makes of one file: sizes before (in the gate set) and after, and how."""
    output, stats_file = work / "quartz.qasm", work / "quartz.json"
    command = [COMMANDS / "quartz-opt", source, "--output", output, "--stats", stats_file]
    command += ["--gate-set", settings.gate_set, "--cost", settings.cost, "--seed", settings.seed]
    command += ["--time", settings.time, "--threads", settings.threads]
    if settings.rules:
        command += ["--rules", settings.rules]
    start = time.perf_counter()
    run(command, seconds_of(settings.time) + GRACE_SECONDS)
    seconds = time.perf_counter() - start
    stats = json.loads(stats_file.read_text())
    after = measure(output)
    for key in MEASURES:
        if stats["after"][key] != after[key]:
            raise Failure(f"reports {key} {stats['after'][key]}, but the file has {after[key]}")
    return {
        "before": {key: stats["before"][key] for key in MEASURES},
        "after": after,
        "seconds": round(stats["seconds"], 3),
        "whole_process_seconds": round(seconds, 3),
        "stop_reason": stats["stop_reason"],
    }


def optimize_by_peer(python, settings, peer, source, work):
    output = work / f"{peer}.qasm"
    program = [python, SCRIPTS / "bench_peers.py"]
    command = [*program, "optimize", peer, settings.gate_set, source, output]
    answer = answer_of(command, settings.peer_timeout)
    if "not_offered" in answer:
        raise Failure(answer["not_offered"])
    return {"after": measure(output), "seconds": round(answer["seconds"], 3)}


def attempt(python, source, output, optimize):
    """The result of one optimizer with the verdict on its output, or {"failed": why}."""
    try:
        result = optimize()
        return result | check(python, source, output)
    except (Failure, ValueError, KeyError, OSError) as failure:
        return {"failed": str(failure)}


def bench_circuit(settings, python, path):
    work = settings.work / path.stem
    work.mkdir(parents=True, exist_ok=True)
    # All get, and are compared with, the same file: one register, gates that every reader knows.
    source = work / "input.qasm"
    source.write_text(flat_qasm.write(flat_qasm.read(path.read_text())))
    results = {
        "quartz": attempt(
            python, source, work / "quartz.qasm", lambda: optimize_by_quartz(settings, source, work)
        )
    }
    for peer in settings.peers:
        results[peer] = attempt(
            python,
            source,
            work / f"{peer}.qasm",
            lambda peer=peer: optimize_by_peer(python, settings, peer, source, work),
        )
    before = results["quartz"].pop("before", None) or measure(source)
    return {"before": before, "results": results}


# --- all of them ----------------------------------------------------------------------------------


def reduction(circuits, tool, key):
    """1 - geomean(after / before). A failed or wrong result counts as no reduction; an after of 0
    counts as 1; circuits that have none of it before are left out."""
    logarithms = []
    for circuit in circuits.values():
        before, result = circuit["before"][key], circuit["results"][tool]
        if before == 0:
            continue
        good = result.get("verdict") == "equivalent"
        logarithms.append(math.log(max(result["after"][key], 1) / before) if good else 0.0)
    return 1 - math.exp(sum(logarithms) / len(logarithms)) if logarithms else 0.0


def summarize(circuits, tools):
    summary = {}
    for tool in tools:
        results = [circuit["results"][tool] for circuit in circuits.values()]
        summary[tool] = {
            "equivalent": sum(result.get("verdict") == "equivalent" for result in results),
            "not_equivalent": sum(result.get("verdict") == "not equivalent" for result in results),
            "undecided": sum(result.get("verdict") == "undecided" for result in results),
            "failed": sum("failed" in result for result in results),
            "seconds": round(sum(result.get("seconds", 0) for result in results), 3),
            "reduction": {key: round(reduction(circuits, tool, key), 4) for key in MEASURES},
        }
    return summary


def print_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


def sizes(counts):
    return [str(counts[key]) for key in MEASURES[:3]]


def verdict_mark(result):
    """Such as: yes (qcec)."""
    mark = {"equivalent": "yes", "not equivalent": "NO"}.get(result["verdict"], "undecided")
    return f"{mark} ({result['checked_by'].split(':')[0]})"


def show_circuits(circuits, settings):
    measured, _ = first_cost(settings.cost)
    peers = [f"{peer} {measured}" for peer in settings.peers]
    header = ["circuit", "total", "2q", "T", "-> total", "2q", "T", "seconds", "equal", "best"]
    rows = [header + peers]
    for name, circuit in circuits.items():
        result = circuit["results"]["quartz"]
        if "failed" in result:
            row = [name, *sizes(circuit["before"]), "failed", "", "", "", ""]
        else:
            row = [name, *sizes(circuit["before"]), *sizes(result["after"])]
            row += [f"{result['seconds']:.1f}", verdict_mark(result)]
        row.append(str(circuit.get("best_known", "")))
        for peer in settings.peers:
            result = circuit["results"][peer]
            good = result.get("verdict") == "equivalent"
            size = "failed" if "failed" in result else str(result["after"][measured])
            row.append(size if good or "failed" in result else f"{size} {verdict_mark(result)}")
        rows.append(row)
    print_table(rows)
    for name, circuit in circuits.items():
        for tool, result in circuit["results"].items():
            if "failed" in result:
                print(f"{name}: {tool}: {result['failed']}")


def show_summary(summary, circuits):
    header = ["geometric mean", "total", "2q", "T", "depth", "equal", "seconds in all"]
    rows = [header]
    for tool, line in summary.items():
        percents = [f"{0.0 - 100 * line['reduction'][key]:+.1f}%" for key in MEASURES]
        equal = f"{line['equivalent']}/{len(circuits)}"
        rows.append([tool, *percents, equal, f"{line['seconds']:.1f}"])
    print_table(rows)


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
    return call(["git", "-C", ROOT, "describe", "--always", "--dirty"]).stdout.strip()


def record():
    """What every results file says of where its figures come from."""
    return {
        "command": shlex.join(["scripts/" + pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
    }


def seconds_of(text):
    """30s, 500ms, 2min or a plain number of seconds, as quartz-opt reads them."""
    for suffix, unit in (("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600)):
        if text.endswith(suffix):
            return float(text.removesuffix(suffix)) * unit
    return float(text)


def peer_list(text):
    names = text.split(",")
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(PEERS)}")
    return names


def parse_arguments():
    default_folder = MEASURING_CIRCUITS if MEASURING_CIRCUITS.is_dir() else ROOT / "circuits"
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=default_folder)
    parser.add_argument("--only", help="circuits whose name has this in it")
    parser.add_argument("--gate-set", default="nam")
    parser.add_argument("--rules", help="a rule set file; otherwise quartz-opt's own choice")
    parser.add_argument("--cost", type=cost_argument, default="total", help="as of quartz-opt")
    parser.add_argument("--time", default="30s", help="of the search, for each circuit")
    parser.add_argument("--threads", type=int, default=1, help="of each quartz-opt")
    parser.add_argument("--jobs", type=int, default=1, help="circuits at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--peers", nargs="?", type=peer_list, const=PEERS, default=[],
        metavar="NAME,...", help=f"run these beside it; all if none is named: {', '.join(PEERS)}",
    )  # fmt: skip
    parser.add_argument("--peer-timeout", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--reference", type=pathlib.Path, help="a file of best known sizes")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / "build/bench/results.json")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench/outputs")
    return parser.parse_args()


def main():
    settings = parse_arguments()
    paths = sorted(settings.folder.glob("*.qasm"))
    paths = [path for path in paths if not settings.only or settings.only in path.stem]
    if not paths:
        sys.exit(f"{settings.folder}: no circuits")
    for command in ("quartz-opt", "quartz-check"):
        if not (COMMANDS / command).exists():
            sys.exit(f"build/bin/{command} is missing: run scripts/run.sh first")
    python = make_venv(["mqt.qcec", *settings.peers])
    reference = json.loads(settings.reference.read_text())["circuits"] if settings.reference else {}
    _, best_key = first_cost(settings.cost)

    circuits = {}
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        jobs = {path.stem: pool.submit(bench_circuit, settings, python, path) for path in paths}
        for number, (name, job) in enumerate(jobs.items(), 1):
            circuits[name] = job.result()
            best = reference.get(name, {}).get(best_key)
            if best is not None:
                circuits[name]["best_known"] = best
            print(f"{number}/{len(jobs)} {name}", file=sys.stderr)

    summary = summarize(circuits, ["quartz", *settings.peers])
    results = record() | {
        "folder": settings.folder.name,
        "gate_set": settings.gate_set,
        "cost": settings.cost,
        "time": settings.time,
        "threads": settings.threads,
        "jobs": settings.jobs,
        "packages": requirements(),
        "summary": summary,
        "circuits": circuits,
    }
    settings.json.parent.mkdir(parents=True, exist_ok=True)
    settings.json.write_text(json.dumps(results, indent=1) + "\n")
    show_circuits(circuits, settings)
    print()
    show_summary(summary, circuits)
    print(f"\nwritten: {settings.json}")
    if summary["quartz"]["not_equivalent"] or summary["quartz"]["failed"]:
        sys.exit(1)


if __name__ == "__main__":
    main()

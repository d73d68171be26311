#!/usr/bin/env python3
"""Measures quartz-opt over a folder of circuits, and other optimizers beside it.

    bench.py [FOLDER] --budget 0.1s,1s,10s --peers --reference FILE.json --plot PICTURE.png
    bench.py [FOLDER] --gate-set auto                   each circuit in the gate set that it is in
    bench.py [FOLDER] --unchecked                       on a machine without Python packages; then
    bench.py --check-outputs --json ALL.json            on another, with the files of --work
    bench.py --merge PART.json PART.json --json ALL.json
    bench.py --plot-from ALL.json --plot PICTURE.png

Each circuit is optimized; each output is compared with its input by MQT QCEC, an independent
checker from PyPI, and by quartz-check where QCEC cannot decide. An output that neither can decide,
that is wrong, or that has gates outside the gate set is named, and counts as no reduction. Sizes
are counted here, from the files written, alike for all. Needs the release build (scripts/run.sh
makes it); the Python packages go into build/venv.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import shlex
import sys
import time

import bench_costs
import bench_gate_sets
import bench_peers
import bench_programs
import bench_reference
import bench_results
import bench_tables
import flat_qasm
from bench_programs import COMMANDS, ROOT, SCRIPTS, Failure

MEASURING_CIRCUITS = ROOT.parent / "shared/circuits/nam"
PEERS = list(bench_peers.PEERS)
NATIVE_PEERS = ["qiskit", "pytket"]  # those that compile into any gate set
CHECK_SECONDS = 60
NOT_CHECKED = {"verdict": "undecided", "checked_by": "nobody yet"}
GRACE_SECONDS = 120  # what a program may overrun before it is ended
WARM_UP_SECONDS = 3600  # what the first run in a gate set may take: it makes what is cached


@dataclasses.dataclass(frozen=True)
class Circuit:
    name: str
    source: pathlib.Path  # what all optimizers get, and are compared with
    gate_set: bench_gate_sets.GateSet


# --- one circuit ----------------------------------------------------------------------------------


def answer_of(command, seconds):
    """The JSON in the last line that bench_peers.py prints."""
    return json.loads(bench_programs.run(command, seconds).splitlines()[-1])


def check(python, left, right):
    """The verdict on two files and who gave it."""
    try:
        command = [python, SCRIPTS / "bench_peers.py", "check", left, right, CHECK_SECONDS]
        verdict = answer_of(command, CHECK_SECONDS + GRACE_SECONDS)["verdict"]
    except Failure as failure:
        verdict = f"undecided: {failure}"
    if not verdict.startswith("undecided"):
        return {"verdict": verdict, "checked_by": "qcec"}
    done = bench_programs.call([COMMANDS / "quartz-check", "--json", left, right])
    words = {0: "equivalent", 10: "not equivalent", 11: "undecided"}
    if done.returncode not in words:
        raise Failure(f"quartz-check: exit status {done.returncode}: {done.stderr.strip()}")
    return {
        "verdict": words[done.returncode],
        "checked_by": f"quartz-check: {json.loads(done.stdout)['method']}",
        "qcec": verdict,
    }


def quartz_command(settings, circuit, budget, output, stats_file):
    command = [COMMANDS / "quartz-opt", circuit.source, "--output", output, "--stats", stats_file]
    command += ["--gate-set", gate_set_argument(circuit), "--cost", settings.cost.text]
    command += ["--seed", settings.seed, "--threads", settings.threads]
    command += ["--time", f"{round(1000 * seconds_of(budget))}ms", "--check-time", "60s"]
    if settings.rules:
        command += ["--rules", settings.rules]
    return command + shlex.split(settings.extra)


def gate_set_argument(circuit):
    """The name of a bundled gate set, which quartz-opt carries in itself; the file of another."""
    bundled = circuit.gate_set.path.parent == bench_gate_sets.FOLDER
    return circuit.gate_set.name if bundled else circuit.gate_set.path


def optimize_by_quartz(settings, circuit, budget, output):
    """What quartz-opt makes of one file: sizes before (in the gate set) and after, and how."""
    stats_file = output.with_suffix(".json")
    start = time.perf_counter()
    command = quartz_command(settings, circuit, budget, output, stats_file)
    bench_programs.run(command, seconds_of(budget) + GRACE_SECONDS, bench_programs.WRITTEN)
    seconds = time.perf_counter() - start
    stats = json.loads(stats_file.read_text())
    after = settings.cost.sizes(output)
    before = {key: stats["before"][key] for key in bench_costs.MEASURES}
    for key in bench_costs.MEASURES:
        if stats["after"][key] != after[key]:
            raise Failure(f"reports {key} {stats['after'][key]}, but the file has {after[key]}")
    if settings.cost.weights:
        name = settings.cost.measure
        before[name] = stats["before"]["cost"][name]
        reported = stats["after"]["cost"][name]
        if abs(reported - after[name]) > 1e-6 * max(1, after[name]):
            raise Failure(f"reports {name} {reported}, but the file has {after[name]}")
    return {
        "before": before,
        "after": after,
        "seconds": round(stats["seconds"], 3),
        "whole_process_seconds": round(seconds, 3),
        "stop_reason": stats["stop_reason"],
    }


def optimize_by_peer(settings, circuit, peer, output):
    command = [settings.python, SCRIPTS / "bench_peers.py", "optimize", peer]
    command += [circuit.gate_set.path, circuit.source, output]
    answer = answer_of(command, settings.peer_timeout)
    if "not_offered" in answer:
        raise Failure(answer["not_offered"])
    return {"after": settings.cost.sizes(output), "seconds": round(answer["seconds"], 3)}


def attempt(settings, circuit, output, optimize):
    """The result of one optimizer with the verdict on its output, or {"failed": why}."""
    try:
        result = optimize(output)
        outside = circuit.gate_set.first_outside(flat_qasm.read(output.read_text()))
        if outside:
            raise Failure(f"its output has {outside}, outside the gate set {circuit.gate_set.name}")
        if settings.unchecked:
            return result | NOT_CHECKED
        return result | check(settings.python, circuit.source, output)
    except (Failure, ValueError, KeyError, OSError) as failure:
        return {"failed": str(failure)}


def output_of(run, folder):
    return folder / f"{run.replace(' ', '_')}.qasm"


def bench_circuit(settings, circuit):
    folder = circuit.source.parent
    results, before = {}, None
    for budget in settings.budgets:
        run = run_of(budget)
        results[run] = attempt(
            settings,
            circuit,
            output_of(run, folder),
            lambda output, budget=budget: optimize_by_quartz(settings, circuit, budget, output),
        )
        before = results[run].pop("before", before)
    for peer in settings.peers:
        results[peer] = attempt(
            settings,
            circuit,
            output_of(peer, folder),
            lambda output, peer=peer: optimize_by_peer(settings, circuit, peer, output),
        )
    return {
        "gate_set": circuit.gate_set.name,
        "before": before or settings.cost.sizes(circuit.source),
        "results": results,
    }


# --- all of them ----------------------------------------------------------------------------------


def input_of(name, work):
    return work / name / "input.qasm"


def read_circuits(settings, paths):
    """The circuits to measure, and {name: why} of those that cannot be."""
    bundled = bench_gate_sets.bundled()
    asked = None if settings.gate_set == "auto" else bench_gate_sets.load(settings.gate_set)
    circuits, left_out = [], {}
    for path in paths:
        try:
            # One register, and gates that every reader knows.
            text = flat_qasm.write(flat_qasm.read(path.read_text()))
            gate_set = asked or bench_gate_sets.fitting(flat_qasm.read(text), bundled)
        except (ValueError, LookupError) as reason:
            left_out[path.stem] = reason.args[0]
            continue
        source = input_of(path.stem, settings.work)
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        circuits.append(Circuit(path.stem, source, gate_set))
    return circuits, left_out


def warm_up(settings, circuits):
    """Runs the smallest circuit of each gate set once, so that rules and tables are made and cached
    before anything is timed. Seconds by gate set."""
    smallest = {}
    for circuit in circuits:
        size = circuit.source.stat().st_size
        name = circuit.gate_set.name
        if name not in smallest or size < smallest[name].source.stat().st_size:
            smallest[name] = circuit
    seconds = {}
    for name, circuit in smallest.items():
        output = circuit.source.with_name("warm_up.qasm")
        command = quartz_command(
            settings, circuit, settings.budgets[0], output, output.with_suffix(".json")
        )
        start = time.perf_counter()
        try:
            bench_programs.run(command, WARM_UP_SECONDS)
        except Failure as failure:
            print(f"warm-up in {name}: {failure}", file=sys.stderr)
        seconds[name] = round(time.perf_counter() - start, 3)
    return seconds


def new_document(settings, reference, left_out):
    part = bench_programs.record()
    return part | {
        "parts": [part],
        "folder": settings.folder.name,
        "gate_set": settings.gate_set,
        "cost": settings.cost.text,
        "cost_measure": settings.cost.measure,
        "least_cost": settings.cost.least(),
        "seed": settings.seed,
        "threads": settings.threads,
        "rules": settings.rules,
        "extra": settings.extra,
        "jobs": settings.jobs,
        "packages": bench_programs.requirements(),
        "runs": {
            run_of(budget): {"budget_seconds": seconds_of(budget)} for budget in settings.budgets
        }
        | {peer: {} for peer in settings.peers},
        "sources": {
            name: {"seconds": source.seconds, "measured": source.measured}
            for name, source in reference.items()
        },
        "warm_up_seconds": {},
        "left_out": left_out,
        "circuits": {},
    }


def write_document(path, document):
    """Renamed into place, so that a run that is cut off leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(json.dumps(document, indent=1) + "\n")
    unfinished.replace(path)


def is_finished(document, name, runs):
    results = document["circuits"].get(name, {}).get("results", {})
    return all("failed" not in results.get(run, {"failed": ""}) for run in runs)


def measure(settings):
    """Runs all, and returns the document; it is written after every circuit."""
    bench_programs.require_commands("quartz-opt", "quartz-check")
    paths = sorted(settings.folder.glob("*.qasm"))
    paths = [path for path in paths if not settings.only or settings.only in path.stem]
    if not paths:
        sys.exit(f"{settings.folder}: no circuits")
    circuits, left_out = read_circuits(settings, paths)
    reference = {}
    if settings.reference:
        reference = bench_reference.read(settings.reference, settings.gate_set)
    fresh = new_document(settings, reference, left_out)
    document = bench_results.summarized(fresh)
    if settings.resume and settings.json.exists():
        document = bench_results.merged([json.loads(settings.json.read_text()), fresh])
        runs = list(fresh["runs"])
        circuits = [each for each in circuits if not is_finished(document, each.name, runs)]
    packages = [] if settings.unchecked else ["mqt.qcec"]
    settings.python = bench_programs.make_venv(packages + settings.peers)
    warm_up_seconds = warm_up(settings, circuits)

    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        jobs = {pool.submit(bench_circuit, settings, circuit): circuit for circuit in circuits}
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            name = jobs[job].name
            published = {
                source: about.circuits[name]
                for source, about in reference.items()
                if name in about.circuits
            }
            part = fresh | {
                "circuits": {name: job.result() | {"published": published}},
                "warm_up_seconds": warm_up_seconds,
            }
            document = bench_results.merged([document, part])
            write_document(settings.json, document)
            print(f"{number}/{len(jobs)} {name}", file=sys.stderr)
    return document


def check_outputs(settings):
    """The document of an --unchecked run with the verdicts on the outputs that it left."""
    bench_programs.require_commands("quartz-check")
    document = json.loads(settings.json.read_text())
    python = bench_programs.make_venv(["mqt.qcec"])
    for name, circuit in document["circuits"].items():
        source = input_of(name, settings.work)
        for run, result in circuit["results"].items():
            if result.items() >= NOT_CHECKED.items():
                result |= check(python, source, output_of(run, source.parent))
                write_document(settings.json, document)
                print(f"{name}, {run}: {result['verdict']}", file=sys.stderr)
    return bench_results.summarized(document)


def draw(results, picture):
    python = bench_programs.make_venv(["matplotlib"])
    bench_programs.run([python, SCRIPTS / "bench_plot.py", results, picture], GRACE_SECONDS)
    print(f"drawn: {picture}")


# --- the command line -----------------------------------------------------------------------------


def seconds_of(text):
    """30s, 500ms, 2min or a plain number of seconds, as quartz-opt reads them."""
    for suffix, unit in (("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600)):
        if text.endswith(suffix):
            return float(text.removesuffix(suffix)) * unit
    return float(text)


def run_of(budget):
    """The name of a run of quartz-opt; one name for 500ms and 0.5s."""
    return f"quartz {seconds_of(budget):g}s"


def budget_list(text):
    try:
        budgets = sorted(text.split(","), key=seconds_of)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: no list of times such as 0.1s,1s") from None
    if seconds_of(budgets[0]) < 0.001:
        raise argparse.ArgumentTypeError(f"{budgets[0]}: less than 1 ms")
    return budgets


def peer_list(text):
    names = text.split(",")
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(PEERS)}")
    return names


def cost_argument(text):
    for part in text.split(","):
        if part not in bench_costs.NAMED and not pathlib.Path(part).is_file():
            names = ", ".join(bench_costs.NAMED)
            raise argparse.ArgumentTypeError(f"{part}: none of {names}, and no file")
    try:
        return bench_costs.read(text)
    except (KeyError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text}: {error!r}") from None


def parse_arguments():
    default_folder = MEASURING_CIRCUITS if MEASURING_CIRCUITS.is_dir() else ROOT / "circuits"
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folder", nargs="?", type=pathlib.Path, default=default_folder)
    add("--only", help="circuits whose name has this in it")
    add("--gate-set", default="nam",
        help="or auto: for each circuit the bundled one that it is in; peers are then"
        f" {', '.join(NATIVE_PEERS)} if none is named")  # fmt: skip
    add("--rules", help="a rule set file; otherwise quartz-opt's own choice")
    add("--cost", type=cost_argument, default="total", help="as of quartz-opt")
    add("--budget", "--time", dest="budgets", type=budget_list, default="30s", metavar="TIME,...",
        help="of the search, for each circuit; each of a list is a run of its own")  # fmt: skip
    add("--threads", type=int, default=1, help="of each quartz-opt")
    add("--extra", default="", metavar="OPTIONS", help='more options of quartz-opt: --extra="..."')
    add("--jobs", type=int, default=1, help="circuits at a time")
    add("--seed", type=int, default=0)
    add("--peers", nargs="?", type=peer_list, const=PEERS, metavar="NAME,...",
        help=f"run these beside it; all if none is named: {', '.join(PEERS)}")  # fmt: skip
    add("--peer-timeout", type=float, default=600, metavar="SECONDS")
    add("--reference", type=pathlib.Path, metavar="FILE",
        help="published sizes to compare with, or an earlier results file")  # fmt: skip
    add("--json", type=pathlib.Path, default=ROOT / "build/bench/results.json", metavar="FILE",
        help="where results go, after every circuit")  # fmt: skip
    add("--resume", action="store_true", help="keep what --json has already, and measure the rest")
    add("--unchecked", action="store_true",
        help="compare no output with its input: --check-outputs does so later")  # fmt: skip
    add("--check-outputs", action="store_true",
        help="measure nothing: compare the outputs in --work that --json has as unchecked")  # fmt: skip
    add("--merge", nargs="+", type=pathlib.Path, metavar="FILE",
        help="measure nothing: make one of these results files")  # fmt: skip
    add("--plot", type=pathlib.Path, metavar="PICTURE.png", help="mean reduction against time")
    add("--plot-from", type=pathlib.Path, metavar="FILE", help="only draw --plot, from this file")
    add("--work", type=pathlib.Path, default=ROOT / "build/bench/outputs")
    settings = parser.parse_args()
    if settings.plot_from and not settings.plot:
        parser.error("--plot-from needs --plot PICTURE.png")
    if settings.peers is None:
        settings.peers = NATIVE_PEERS if settings.gate_set == "auto" else []
    return settings


def main():
    settings = parse_arguments()
    if settings.plot_from:
        draw(settings.plot_from, settings.plot)
        return
    try:
        if settings.merge:
            parts = [json.loads(path.read_text()) for path in settings.merge]
            document = bench_results.merged(parts)
        elif settings.check_outputs:
            document = check_outputs(settings)
        else:
            document = measure(settings)
    except ValueError as error:
        sys.exit(str(error))
    write_document(settings.json, document)
    bench_tables.show(document)
    print(f"\nwritten: {settings.json}")
    if settings.plot:
        draw(settings.json, settings.plot)
    runs = [document["summary"][run] for run in bench_results.quartz_runs(document)]
    if any(run["not_equivalent"] or run["failed"] for run in runs):
        sys.exit(1)


if __name__ == "__main__":
    main()

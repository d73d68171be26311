"""Measures quartz-opt on a folder of circuits, and other optimizers on the same files.

    bench.py circuits [FOLDER] --budget 0.1s,1s,10s --peers --reference FILE.json --plot PICTURE.png
    bench.py circuits [FOLDER] --gate-set auto          each circuit in the gate set that it is in
    bench.py circuits [FOLDER] --unchecked              on a machine without Python packages; then
    bench.py check-outputs --json ALL.json              on another one, with the files of --work

Every output is compared with its input by MQT QCEC, and by quartz-check where QCEC cannot decide.
An output that is undecided, wrong, or has gates outside the gate set is named, and counts as no
reduction. Sizes are counted from the files written, the same way for all optimizers. Needs the
release build; Python packages are installed into build/venv.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import pathlib
import shlex
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks import (
    checking,
    costs,
    gate_sets,
    packages,
    peers,
    plots,
    programs,
    provenance,
    qasm,
    references,
    reports,
    results,
)
from benchmarks.programs import COMMANDS, GRACE_SECONDS, ROOT, Failure, seconds_of

# The circuits measured by default, where this folder exists; the bundled ones otherwise.
SHARED_CIRCUITS = ROOT.parent / "shared/circuits/nam"
OUTPUTS = programs.RESULTS / "outputs"
DEFAULT_RESULTS = programs.RESULTS / "results.json"
# The first run in a gate set may take this long, because it builds what is then cached.
WARM_UP_SECONDS = 3600

Settings = argparse.Namespace


@dataclasses.dataclass(frozen=True)
class Circuit:
    name: str
    source: pathlib.Path  # the file that all optimizers get, and that outputs are compared with
    gate_set: gate_sets.GateSet


# --- one circuit ----------------------------------------------------------------------------------


def quartz_command(
    settings: Settings, circuit: Circuit, budget: str, output: pathlib.Path
) -> list[Any]:
    """Returns the command line of quartz-opt. It writes its statistics beside the output."""
    return [
        COMMANDS / "quartz-opt",
        circuit.source,
        *programs.options(
            output=output,
            stats=output.with_suffix(".json"),
            gate_set=circuit.gate_set.argument,
            cost=settings.cost.text,
            seed=settings.seed,
            threads=settings.threads,
            time=f"{round(1000 * seconds_of(budget))}ms",
            check_time="60s",
            rules=settings.rules,
        ),
        *shlex.split(settings.extra),
    ]


def optimize_by_quartz(
    settings: Settings, circuit: Circuit, budget: str, output: pathlib.Path
) -> dict[str, Any]:
    """Runs quartz-opt on one file. Returns the sizes before (in the gate set) and after, and the
    times."""
    start = time.perf_counter()
    command = quartz_command(settings, circuit, budget, output)
    programs.run(command, seconds_of(budget) + GRACE_SECONDS, programs.WRITTEN)
    seconds = time.perf_counter() - start
    stats = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    before = {measure: stats["before"][measure] for measure in costs.MEASURES}
    reported = {measure: stats["after"][measure] for measure in costs.MEASURES}
    if settings.cost.weights:
        name = settings.cost.measure
        before[name] = stats["before"]["cost"][name]
        reported[name] = stats["after"]["cost"][name]
    after = settings.cost.sizes(output)
    for measure, value in reported.items():
        # Sums of weights are rounded; numbers of gates are not.
        tolerance = 0 if measure in costs.MEASURES else 1e-6 * max(1, after[measure])
        if abs(value - after[measure]) > tolerance:
            raise Failure(f"reports {measure} {value}, but the file has {after[measure]}")
    return {
        "before": before,
        "after": after,
        "seconds": round(stats["seconds"], 3),
        "whole_process_seconds": round(seconds, 3),
        "stop_reason": stats["stop_reason"],
    }


def optimize_by_peer(
    settings: Settings, circuit: Circuit, peer: str, output: pathlib.Path
) -> dict[str, Any]:
    """Runs another optimizer on one file. Returns the sizes after, and the time."""
    command = packages.module_command(
        settings.python, "peers", "optimize", peer, circuit.gate_set.path, circuit.source, output
    )
    answer = checking.last_line_as_json(command, settings.peer_timeout)
    if "not_offered" in answer:
        raise Failure(answer["not_offered"])
    return {"after": settings.cost.sizes(output), "seconds": round(answer["seconds"], 3)}


def attempt(
    settings: Settings,
    circuit: Circuit,
    output: pathlib.Path,
    optimize: Callable[[pathlib.Path], dict[str, Any]],
) -> dict[str, Any]:
    """Returns the result of one optimizer with the verdict on its output, or {"failed": reason}."""
    try:
        result = optimize(output)
        outside = circuit.gate_set.first_outside(qasm.read(output.read_text(encoding="utf-8")))
        if outside:
            raise Failure(f"its output has {outside}, outside the gate set {circuit.gate_set.name}")
        if settings.unchecked:
            return result | checking.NOT_CHECKED
        return result | checking.check(settings.python, circuit.source, output)
    except (Failure, ValueError, KeyError, OSError) as failure:
        return {"failed": str(failure)}


def output_of(run: str, folder: pathlib.Path) -> pathlib.Path:
    """Returns the file that a run writes."""
    return folder / f"{run.replace(' ', '_')}.qasm"


def measure_circuit(settings: Settings, circuit: Circuit) -> dict[str, Any]:
    """Runs quartz-opt with each budget, and each of the other optimizers."""
    folder = circuit.source.parent
    found: dict[str, Any] = {}
    before = None
    for budget in settings.budgets:
        run = run_of(budget)
        optimize = functools.partial(optimize_by_quartz, settings, circuit, budget)
        found[run] = attempt(settings, circuit, output_of(run, folder), optimize)
        before = found[run].pop("before", before)
    for peer in settings.peers:
        optimize = functools.partial(optimize_by_peer, settings, circuit, peer)
        found[peer] = attempt(settings, circuit, output_of(peer, folder), optimize)
    return {
        "gate_set": circuit.gate_set.name,
        "before": before or settings.cost.sizes(circuit.source),
        "results": found,
    }


# --- all of them ----------------------------------------------------------------------------------


def input_of(name: str, work: pathlib.Path) -> pathlib.Path:
    """Returns the file that the optimizers get for a circuit."""
    return work / name / "input.qasm"


def read_circuits(
    settings: Settings, paths: list[pathlib.Path]
) -> tuple[list[Circuit], dict[str, str]]:
    """Returns the circuits to measure, and the reason for each that cannot be measured."""
    bundled = gate_sets.bundled()
    asked = None if settings.gate_set == "auto" else gate_sets.load(settings.gate_set)
    circuits, left_out = [], {}
    for path in paths:
        try:
            # With one register, and gates that every reader knows.
            text = qasm.write(qasm.read(path.read_text(encoding="utf-8")))
            gate_set = asked or gate_sets.fitting(qasm.read(text), bundled)
        except (ValueError, LookupError) as reason:
            left_out[path.stem] = reason.args[0]
            continue
        source = input_of(path.stem, settings.work)
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        circuits.append(Circuit(path.stem, source, gate_set))
    return circuits, left_out


def warm_up(settings: Settings, circuits: list[Circuit]) -> dict[str, float]:
    """Runs the smallest circuit of each gate set once, so that rules and class tables are cached
    before anything is timed. Returns the seconds by gate set."""
    smallest: dict[str, Circuit] = {}
    for circuit in circuits:
        size = circuit.source.stat().st_size
        name = circuit.gate_set.name
        if name not in smallest or size < smallest[name].source.stat().st_size:
            smallest[name] = circuit
    seconds = {}
    for name, circuit in smallest.items():
        output = circuit.source.with_name("warm_up.qasm")
        command = quartz_command(settings, circuit, settings.budgets[0], output)
        start = time.perf_counter()
        try:
            programs.run(command, WARM_UP_SECONDS)
        except Failure as failure:
            print(f"warm-up in {name}: {failure}", file=sys.stderr)
        seconds[name] = round(time.perf_counter() - start, 3)
    return seconds


def new_document(
    settings: Settings, sources: references.Sources, left_out: dict[str, str]
) -> results.Document:
    """Returns a results document without circuits."""
    part = provenance.record()
    budgets = {run_of(each): {"budget_seconds": seconds_of(each)} for each in settings.budgets}
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
        "packages": packages.requirements(),
        "runs": budgets | {peer: {} for peer in settings.peers},
        "sources": {
            name: {"seconds": source.seconds, "measured": source.measured}
            for name, source in sources.items()
        },
        "warm_up_seconds": {},
        "left_out": left_out,
        "circuits": {},
    }


def is_finished(document: results.Document, name: str, runs: list[str]) -> bool:
    """Returns whether a document has a result of each run for a circuit."""
    found = document["circuits"].get(name, {}).get("results", {})
    return all("failed" not in found.get(run, {"failed": ""}) for run in runs)


def measure(settings: Settings) -> results.Document:
    """Measures all circuits. The results are written after every circuit."""
    programs.require_commands("quartz-opt", "quartz-check")
    paths = sorted(settings.folder.glob("*.qasm"))
    paths = [path for path in paths if not settings.only or settings.only in path.stem]
    if not paths:
        sys.exit(f"{settings.folder}: no circuits")
    circuits, left_out = read_circuits(settings, paths)
    sources = references.read(settings.reference, settings.gate_set) if settings.reference else {}
    fresh = new_document(settings, sources, left_out)
    document = results.summarized(fresh)
    if settings.resume and settings.json.exists():
        document = results.merged([json.loads(settings.json.read_text()), fresh])
        runs = list(fresh["runs"])
        circuits = [each for each in circuits if not is_finished(document, each.name, runs)]
    needed = [] if settings.unchecked else ["mqt.qcec"]
    settings.python = packages.make_venv(needed + [peers.package_of(peer) for peer in settings.peers])
    warm_up_seconds = warm_up(settings, circuits)

    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        jobs = {pool.submit(measure_circuit, settings, circuit): circuit for circuit in circuits}
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            name = jobs[job].name
            published = {
                source: about.circuits[name]
                for source, about in sources.items()
                if name in about.circuits
            }
            part = fresh | {
                "circuits": {name: job.result() | {"published": published}},
                "warm_up_seconds": warm_up_seconds,
            }
            document = results.merged([document, part])
            provenance.write_json(settings.json, document)
            print(f"{number}/{len(jobs)} {name}", file=sys.stderr)
    return document


def report(document: results.Document, path: pathlib.Path) -> int:
    """Writes a document and prints its tables. Returns 1 if quartz-opt failed or was wrong."""
    provenance.write_json(path, document)
    reports.show(document)
    print(f"\nwritten: {path}")
    runs = [document["summary"][run] for run in results.quartz_runs(document)]
    return int(any(run["not_equivalent"] or run["failed"] for run in runs))


# --- the command line -----------------------------------------------------------------------------


def run_of(budget: str) -> str:
    """Returns the name of a run of quartz-opt. It is the same for 500ms and 0.5s."""
    return f"quartz {seconds_of(budget):g}s"


def budget_list(text: str) -> list[str]:
    try:
        budgets = sorted(text.split(","), key=seconds_of)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of times such as 0.1s,1s"
        ) from None
    if seconds_of(budgets[0]) < 0.001:
        raise argparse.ArgumentTypeError(f"{budgets[0]} is less than 1 ms")
    return budgets


def peer_list(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in peers.PEERS:
            raise argparse.ArgumentTypeError(
                f"unknown optimizer '{name}': expected {', '.join(peers.PEERS)}"
            )
    return names


def cost_argument(text: str) -> costs.Cost:
    for part in text.split(","):
        if part not in costs.NAMED and not pathlib.Path(part).is_file():
            names = ", ".join(costs.NAMED)
            raise argparse.ArgumentTypeError(f"'{part}' is neither a cost ({names}) nor a file")
    try:
        return costs.read(text)
    except (KeyError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text}: {error!r}") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    folder = SHARED_CIRCUITS if SHARED_CIRCUITS.is_dir() else ROOT / "circuits"
    add = parser.add_argument
    add("folder", nargs="?", type=pathlib.Path, default=folder, metavar="FOLDER",
        help="folder of .qasm files")  # fmt: skip
    add("--only", metavar="TEXT", help="only circuits with this text in their name")
    add("--gate-set", default="nam",
        help="or auto: for each circuit the bundled gate set that it is in; the other optimizers"
        f" are then {', '.join(peers.NATIVE_PEERS)} by default")  # fmt: skip
    add("--rules", metavar="FILE", help="a rule set; by default the one that quartz-opt chooses")
    add("--cost", type=cost_argument, default="total", help="as for quartz-opt")
    add("--budget", "--time", dest="budgets", type=budget_list, default="30s", metavar="TIME,...",
        help="time of each search; each item of a list is a separate run")  # fmt: skip
    add("--threads", type=int, default=1, help="threads of each quartz-opt")
    add("--extra", default="", metavar="OPTIONS", help='more options of quartz-opt: --extra="..."')
    add("--jobs", type=int, default=1, help="number of circuits at the same time")
    add("--seed", type=int, default=0)
    add("--peers", nargs="?", type=peer_list, const=peers.USUAL_PEERS, metavar="NAME,...",
        help=f"also run other optimizers: {', '.join(peers.PEERS)}; by default the first"
        f" {len(peers.USUAL_PEERS)}")  # fmt: skip
    add("--peer-timeout", type=float, default=600, metavar="SECONDS")
    add("--reference", type=pathlib.Path, metavar="FILE",
        help="published sizes to compare with, or an earlier results file")  # fmt: skip
    add("--json", type=pathlib.Path, default=DEFAULT_RESULTS, metavar="FILE",
        help="results file, written after every circuit")  # fmt: skip
    add("--resume", action="store_true",
        help="keep the results in --json, and measure what is missing")  # fmt: skip
    add("--unchecked", action="store_true",
        help="do not compare outputs with inputs; check-outputs does so later")  # fmt: skip
    add("--plot", type=pathlib.Path, metavar="PICTURE.png", help="draw mean reduction against time")
    add("--work", type=pathlib.Path, default=OUTPUTS, metavar="FOLDER",
        help="folder of the inputs and outputs")  # fmt: skip


def run(settings: Settings) -> int:
    settings.work = settings.work.resolve()
    if settings.peers is None:
        settings.peers = peers.NATIVE_PEERS if settings.gate_set == "auto" else []
    status = report(measure(settings), settings.json)
    if settings.plot:
        plots.draw_in_venv(settings.json, settings.plot)
    return status


# --- results files --------------------------------------------------------------------------------


def check_outputs(settings: Settings) -> results.Document:
    """Returns the document of an --unchecked run with the verdicts on the outputs in --work."""
    programs.require_commands("quartz-check")
    document = json.loads(settings.json.read_text(encoding="utf-8"))
    python = packages.make_venv(["mqt.qcec"])
    for name, circuit in document["circuits"].items():
        source = input_of(name, settings.work)
        for run_name, result in circuit["results"].items():
            if result.items() >= checking.NOT_CHECKED.items():
                result |= checking.check(python, source, output_of(run_name, source.parent))
                provenance.write_json(settings.json, document)
                print(f"{name}, {run_name}: {result['verdict']}", file=sys.stderr)
    return results.summarized(document)


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=pathlib.Path, default=DEFAULT_RESULTS, metavar="FILE")
    parser.add_argument("--work", type=pathlib.Path, default=OUTPUTS, metavar="FOLDER")


def run_check(settings: Settings) -> int:
    """Compares the outputs of an --unchecked run with their inputs."""
    settings.work = settings.work.resolve()
    return report(check_outputs(settings), settings.json)


def add_merge_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="+", type=pathlib.Path, metavar="PART.json")
    parser.add_argument("--json", type=pathlib.Path, required=True, metavar="ALL.json")


def run_merge(settings: Settings) -> int:
    """Merges results files that measured different circuits or runs."""
    parts = [json.loads(path.read_text(encoding="utf-8")) for path in settings.parts]
    return report(results.merged(parts), settings.json)


def add_plot_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=pathlib.Path, metavar="RESULTS.json")
    parser.add_argument("picture", type=pathlib.Path, metavar="PICTURE.png")


def run_plot(settings: Settings) -> int:
    """Draws the mean reduction against time from a results file."""
    plots.draw_in_venv(settings.results, settings.picture)
    return 0

"""The best circuits that are known for public suites: verifies them, and tries to find better ones.

    records.py verify ORIGINALS             proves every record equal to its original, and counts its gates
    records.py improve ORIGINALS --time 60s optimizes the originals, and keeps what is better
    records.py adopt ORIGINALS FOLDER       takes what is better from another folder of records
    records.py table                        prints the records beside the published figures, and writes them to
                                            records/README.md

ORIGINALS is a folder with the original files, such as clones of the repositories that records/*.json
name; they are found in it by their digests, whatever their names. Needs the release build.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import dataclasses
import fnmatch
import hashlib
import json
import lzma
import pathlib
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from benchmarks import costs, gate_sets, programs, provenance, qasm
from benchmarks.programs import COMMANDS, GRACE_SECONDS, ROOT, Failure, InvalidInput

RECORDS = ROOT / "records"
GATE_SETS = ["nam", "ibm"]
# For each cost that has records, the value of --cost, and the measures that decide, in this order.
COSTS = {
    "total": ("total", ("total", "two_qubit")),
    "two-qubit": ("two-qubit,total", ("two_qubit", "total")),
    "t": ("t,total", ("t", "total")),
}
CHECK_SECONDS = 120
VERIFY_SECONDS = 600  # for what took less than that, on a machine that may be slower or busier
# Larger circuits are kept compressed, which takes about a tenth of the space.
LARGEST_PLAIN_BYTES = 100_000
# Exit statuses of quartz-check.
EQUAL, UNDECIDED = 0, 11

Key = tuple[str, str, str]  # circuit, gate set, cost


@dataclasses.dataclass(frozen=True)
class Record:
    """A circuit, and how it was found."""

    circuit: str
    gate_set: str
    cost: str
    sizes: dict[str, int]  # by measure
    found: dict[str, Any]  # command, version, commit, date, processor

    @property
    def key(self) -> Key:
        return self.circuit, self.gate_set, self.cost

    @property
    def objectives(self) -> tuple[int, ...]:
        """The sizes that decide which of two records is better; the smaller one is."""
        return objectives(self.cost, self.sizes)


class Undecided(Failure):
    """Two circuits are neither proved equal nor found to differ in the time of the check."""


def objectives(cost: str, sizes: costs.Sizes) -> tuple[int, ...]:
    """Returns the sizes that a cost compares, the most important one first."""
    return tuple(int(sizes[measure]) for measure in COSTS[cost][1])


@dataclasses.dataclass(frozen=True)
class Proof:
    """What quartz-check needs to prove a record equal to its original, besides the two circuits:
    nothing in most cases."""

    start: pathlib.Path | None = None  # a circuit that both are proved equal to, one after the other
    journal: pathlib.Path | None = None  # the rewrites that lead from there to the record


@dataclasses.dataclass
class Suite:
    """A public suite of circuits with its records: the file NAME.json, and the folder NAME."""

    file: pathlib.Path
    about: dict[str, Any]  # title and source
    circuits: dict[str, dict[str, Any]]  # by name: sha256 and published figures
    records: dict[Key, Record]

    def path(self, key: Key, suffix: str) -> pathlib.Path:
        """Returns the file of a record: its circuit (.qasm) or its journal (.qj), which only those
        have that quartz-check cannot decide without one: a journal takes megabytes."""
        circuit, gate_set, cost = key
        return self.file.with_suffix("") / circuit / f"{gate_set}-{cost}{suffix}"

    def circuit(self, key: Key) -> pathlib.Path:
        """Returns the file of the circuit of a record: .qasm, or .qasm.xz if it is large."""
        return stored(self.path(key, ".qasm"))

    def proof(self, key: Key) -> Proof:
        """Returns what a record is proved with, besides its circuit."""
        start, journal = stored(self.path(key, ".start.qasm")), self.path(key, ".qj")
        return Proof(start if start.exists() else None, journal if journal.exists() else None)

    def keep(self, key: Key, circuit: pathlib.Path, proof: Proof) -> None:
        """Writes the files of a record, in place of those before."""
        self.path(key, ".qasm").parent.mkdir(parents=True, exist_ok=True)
        contents = {".qasm": read_bytes(circuit)}
        if proof.start:  # it may be the record that is replaced
            contents[".start.qasm"] = read_bytes(proof.start)
        for suffix in (".qasm", ".start.qasm"):
            remove_stored(self.path(key, suffix))
        for suffix, content in contents.items():
            store(self.path(key, suffix), content)
        self.path(key, ".qj").unlink(missing_ok=True)
        if proof.journal:
            shutil.copyfile(proof.journal, self.path(key, ".qj"))

    def published(self, key: Key) -> int | None:
        """Returns the best published figure, in the measure of the cost; None if none is known."""
        circuit, gate_set, cost = key
        figure = self.circuits[circuit]["published"].get(gate_set, {}).get(cost)
        return figure["value"] if figure else None

    def write(self) -> None:
        """Writes the file of the suite, with its records in order."""
        document = {
            **self.about,
            "circuits": self.circuits,
            "records": [dataclasses.asdict(self.records[key]) for key in sorted(self.records)],
        }
        provenance.write_json(self.file, document)


def read_bytes(circuit: pathlib.Path) -> bytes:
    """Reads a circuit that may be compressed."""
    content = circuit.read_bytes()
    return lzma.decompress(content) if circuit.suffix == ".xz" else content


def compressed(file: pathlib.Path) -> pathlib.Path:
    """Returns the name of a file after its compression."""
    return file.with_name(file.name + ".xz")


def stored(file: pathlib.Path) -> pathlib.Path:
    """Returns the file that has a circuit: compressed if there is such a file."""
    return compressed(file) if compressed(file).exists() else file


def store(file: pathlib.Path, content: bytes) -> None:
    """Writes a circuit, compressed if it is large."""
    if len(content) > LARGEST_PLAIN_BYTES:
        compressed(file).write_bytes(lzma.compress(content, preset=9))
    else:
        file.write_bytes(content)


def remove_stored(file: pathlib.Path) -> None:
    """Removes a circuit, compressed or not."""
    file.unlink(missing_ok=True)
    compressed(file).unlink(missing_ok=True)


@contextlib.contextmanager
def plain(circuit: pathlib.Path) -> Iterator[pathlib.Path]:
    """Provides a circuit that may be compressed as a file that quartz-check reads."""
    if circuit.suffix != ".xz":
        yield circuit
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / circuit.stem
        file.write_bytes(read_bytes(circuit))
        yield file


def read_suite(file: pathlib.Path) -> Suite:
    """Reads the file of a suite. Raises InvalidInput if it is not one."""
    document = json.loads(file.read_text(encoding="utf-8"))
    try:
        circuits, records = document.pop("circuits"), document.pop("records")
        found = [Record(**record) for record in records]
    except (KeyError, TypeError) as error:
        raise InvalidInput(f"{file}: not the file of a suite of records: {error}") from None
    return Suite(file, document, circuits, {record.key: record for record in found})


def read_suites(folder: pathlib.Path) -> list[Suite]:
    """Reads all suites of a folder."""
    return [read_suite(file) for file in sorted(folder.glob("*.json"))]


def originals(folder: pathlib.Path, suite: Suite) -> dict[str, pathlib.Path]:
    """Finds the original files of a suite by their digests. Raises Failure if one is missing."""
    names = {circuit["sha256"]: name for name, circuit in suite.circuits.items()}
    found: dict[str, pathlib.Path] = {}
    for path in sorted(folder.rglob("*.qasm")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest in names:
            found.setdefault(names[digest], path)
    missing = sorted(set(suite.circuits) - set(found))
    if missing:
        source = suite.about["source"]
        raise Failure(
            f"{folder}: no file has the digest of {', '.join(missing)}; the originals are in "
            f"{source['folder']} of {source['repository']} at {source['commit']}"
        )
    return found


# --- verification ---------------------------------------------------------------------------------


def measured_sizes(path: pathlib.Path, gate_set: str) -> dict[str, int]:
    """Counts the gates of a file. Raises Failure if one is outside of the gate set."""
    circuit = qasm.read(read_bytes(path).decode("utf-8"))
    outside = gate_sets.load(gate_set).first_outside(circuit)
    if outside:
        raise Failure(f"{path}: {outside} is outside of the gate set {gate_set}")
    return qasm.counts(circuit)


def prove_equal(
    first: pathlib.Path,
    second: pathlib.Path,
    journal: pathlib.Path | None,
    seconds: float = CHECK_SECONDS,
) -> str:
    """Has quartz-check decide, with a journal if there is one, and returns its method. Raises
    Undecided if it cannot, and Failure if the circuits differ."""
    command = [COMMANDS / "quartz-check", "--json", "--time", f"{seconds:.0f}s"]
    given = ["--journal", journal] if journal else []
    with plain(first) as left, plain(second) as right:
        done = programs.call([*command, *given, left, right])
    if done.returncode == EQUAL:
        return str(json.loads(done.stdout)["method"])
    last = (done.stderr.strip().splitlines() or [done.stdout.strip() or "no message"])[-1]
    failure = f"{second}: quartz-check: exit status {done.returncode}: {last}"
    raise Undecided(failure) if done.returncode == UNDECIDED else Failure(failure)


def prove(original: pathlib.Path, circuit: pathlib.Path, proof: Proof, seconds: float) -> str:
    """Proves a circuit equal to its original, and returns the methods. Raises Failure."""
    if proof.start is None:
        return prove_equal(original, circuit, proof.journal, seconds)
    first = prove_equal(original, proof.start, None, seconds)
    return f"{first}, then {prove_equal(proof.start, circuit, proof.journal, seconds)}"


def content_of(files: Iterable[pathlib.Path | None]) -> tuple[bytes | None, ...]:
    """Returns what files contain, to find equal ones."""
    return tuple(hashlib.sha256(file.read_bytes()).digest() if file else None for file in files)


class Verifier:
    """Verifies records. A circuit that is the record for several costs is proved once. Can be
    called from several threads."""

    def __init__(self, suite: Suite, files: dict[str, pathlib.Path]) -> None:
        self._suite = suite
        self._files = files
        self._lock = threading.Lock()
        self._proofs: dict[tuple[Any, ...], concurrent.futures.Future[str]] = {}

    def verify(self, key: Key) -> str:
        """Verifies one record, and returns the method of its proof. Raises Failure if it does not
        hold."""
        circuit, proof = self._suite.circuit(key), self._suite.proof(key)
        sizes = measured_sizes(circuit, key[1])
        recorded = self._suite.records[key].sizes
        if sizes != recorded:
            raise Failure(f"{circuit}: it has {sizes}, but {recorded} are recorded")
        content = (key[0], *content_of((circuit, proof.start, proof.journal)))
        with self._lock:
            known = self._proofs.get(content)
            found = self._proofs.setdefault(content, concurrent.futures.Future())
        if known is None:
            try:
                found.set_result(prove(self._files[key[0]], circuit, proof, VERIFY_SECONDS))
            except Exception as failure:  # others may wait for it
                found.set_exception(failure)
        return found.result()


def run_verify(settings: argparse.Namespace) -> int:
    """Verifies all records, and says which do not hold."""
    failures = []
    number = 0
    for suite in selected_suites(settings):
        files = originals(settings.originals, suite)
        keys = selected(sorted(suite.records), settings)
        with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
            verifier = Verifier(suite, files)
            proofs = {key: pool.submit(verifier.verify, key) for key in keys}
            for key, proof in proofs.items():
                number += 1
                try:
                    verdict = f"equal ({proof.result()})"
                except (Failure, OSError, ValueError) as failure:
                    failures.append(str(failure))
                    verdict = f"FAILED: {failure}"
                print(" ".join(key), suite.records[key].objectives, verdict, flush=True)
    print(f"{number - len(failures)} of {number} records hold")
    return 1 if failures else 0


# --- improvement ----------------------------------------------------------------------------------


class Keeper:
    """Keeps the better of each record and what is found. Can be called from several threads."""

    def __init__(self, suite: Suite, proves: bool = True) -> None:
        self._suite = suite
        self._proves = proves
        self._lock = threading.Lock()

    def content(self, key: Key) -> bytes:
        """Returns the circuit of a record. Raises Failure if there is none."""
        with self._lock:
            if key not in self._suite.records:
                raise Failure(f"there is no record {' '.join(key)} to start from")
            return read_bytes(self._suite.circuit(key))

    def offer(
        self,
        records: Iterable[Record],
        original: pathlib.Path,
        circuit: pathlib.Path,
        proof: Proof,
    ) -> None:
        """Takes a circuit for those of its records that are better than what is kept, if it is
        proved equal to the original, with as much of the proof as this takes."""
        better = list(filter(self._is_better, records))
        if not better:
            return
        needed = self._needed(original, circuit, proof, better[0].circuit) if self._proves else proof
        with self._lock:
            for record in filter(self._is_better, better):
                self._keep(record, circuit, needed)
            self._suite.write()

    def _needed(
        self, original: pathlib.Path, circuit: pathlib.Path, proof: Proof, name: str
    ) -> Proof:
        """Proves a circuit, and returns what this takes: nothing, another record of the original
        that is proved without anything, or the proof that is given. A circuit that is the record
        for another cost already is not proved again."""
        with self._lock:
            others = [key for key in sorted(self._suite.records) if key[0] == name]
            content = read_bytes(circuit)
            for key in others:
                if read_bytes(self._suite.circuit(key)) == content:
                    return self._suite.proof(key)
            starts = {self._suite.circuit(key) for key in others if self._suite.proof(key) == Proof()}
        try:
            prove_equal(original, circuit, None)
            return Proof()
        except Undecided as failure:
            undecided = failure
        for start in sorted(starts):
            with contextlib.suppress(Undecided):
                prove_equal(start, circuit, None)
                return Proof(start)
        if proof.journal is None and proof.start is None:
            raise undecided
        prove(original, circuit, proof, CHECK_SECONDS)
        return proof

    def _is_better(self, record: Record) -> bool:
        before = self._suite.records.get(record.key)
        return before is None or record.objectives < before.objectives

    def _keep(self, record: Record, circuit: pathlib.Path, proof: Proof) -> None:
        before = self._suite.records.get(record.key)
        self._suite.keep(record.key, circuit, proof)
        self._suite.records[record.key] = record
        known = f" for {before.objectives}" if before else ""
        print(" ".join(record.key), f"{record.objectives}{known}", flush=True)


def improve(
    keeper: Keeper, key: Key, original: pathlib.Path, settings: argparse.Namespace
) -> None:
    """Optimizes an original, or the record that --start names, for one cost, and offers the result
    for every cost."""
    circuit, gate_set, cost = key
    given = programs.options(
        gate_set=gate_set,
        cost=COSTS[cost][0],
        time=settings.time,
        threads=settings.threads,
        seed=settings.seed,
        check_time=f"{CHECK_SECONDS}s",  # a large result is not discarded for want of time
    )
    with tempfile.TemporaryDirectory() as folder:
        output, journal = pathlib.Path(folder) / "output.qasm", pathlib.Path(folder) / "output.qj"
        start = None
        if settings.start:
            start = pathlib.Path(folder) / f"{circuit}-{settings.start}.qasm"
            start.write_bytes(keeper.content((circuit, *settings.start.split("-", 1))))
        written = programs.options(output=output, journal=journal, quiet=True)
        programs.run(
            [COMMANDS / "quartz-opt", start or original, *given, *written],
            programs.seconds_of(settings.time) + CHECK_SECONDS + GRACE_SECONDS,
        )
        sizes = measured_sizes(output, gate_set)
        about = provenance.record()
        found = {
            "command": " ".join(["quartz-opt", start.name if start else f"{circuit}.qasm", *given]),
            "commit": settings.commit or about["commit"],
            "date": about["date"],
            "processor": about["machine"]["processor"],
        }
        records = [Record(circuit, gate_set, each, sizes, found) for each in COSTS]
        keeper.offer(records, original, output, Proof(start, journal))


def run_improve(settings: argparse.Namespace) -> int:
    """Optimizes the originals, and keeps what is better than the records."""
    failed = False
    for suite in selected_suites(settings):
        files = originals(settings.originals, suite)
        keys = [(name, set_, cost) for cost in COSTS for set_ in GATE_SETS for name in files]
        keeper = Keeper(suite, proves=not settings.unproved)
        with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
            runs = {
                key: pool.submit(improve, keeper, key, files[key[0]], settings)
                for key in selected(keys, settings)
            }
            for key, run in runs.items():
                try:
                    run.result()
                except Failure as failure:
                    failed = True
                    print(" ".join(key), f"FAILED: {failure}", file=sys.stderr, flush=True)
    write_tables(settings.records)
    return 1 if failed else 0


def run_adopt(settings: argparse.Namespace) -> int:
    """Takes the better records of another folder, and names those that are not proved."""
    failed = False
    theirs = {suite.file.name: suite for suite in read_suites(settings.folder)}
    for suite in selected_suites(settings):
        if suite.file.name not in theirs:
            continue
        files = originals(settings.originals, suite)
        other = theirs[suite.file.name]
        keeper = Keeper(suite)
        for key in selected(sorted(other.records), settings):
            circuit = other.circuit(key)
            record = dataclasses.replace(
                other.records[key], sizes=measured_sizes(circuit, key[1])
            )
            try:
                keeper.offer([record], files[key[0]], circuit, other.proof(key))
            except Failure as failure:
                failed = True
                print(" ".join(key), f"FAILED: {failure}", file=sys.stderr, flush=True)
    write_tables(settings.records)
    return 1 if failed else 0


# --- tables ---------------------------------------------------------------------------------------

README = "README.md"
TABLES = "The tables below are written by"


def cell(suite: Suite, key: Key) -> str:
    """Returns the figure of a record, and the published one in brackets; bold if it is better."""
    record, published = suite.records.get(key), suite.published(key)
    theirs = "" if published is None else f" ({published})"
    if record is None:
        return theirs.strip()
    ours = record.objectives[0]
    return (f"**{ours}**" if published is not None and ours < published else f"{ours}") + theirs


def standing(suite: Suite, gate_set: str, cost: str) -> str:
    """Says on how many circuits the records are at, below and above the published figures."""
    pairs = [
        (record.objectives[0], published)
        for key, record in suite.records.items()
        if key[1:] == (gate_set, cost) and (published := suite.published(key)) is not None
    ]
    below = sum(ours < theirs for ours, theirs in pairs)
    above = sum(ours > theirs for ours, theirs in pairs)
    return f"{below} below, {len(pairs) - below - above} equal, {above} above"


def table(suite: Suite, gate_set: str) -> list[str]:
    """Returns a table in Markdown: the records of a suite in one gate set."""
    lines = ["| circuit | " + " | ".join(COSTS) + " |", "|---|" + "---|" * len(COSTS)]
    for circuit in suite.circuits:
        cells = [cell(suite, (circuit, gate_set, cost)) for cost in COSTS]
        lines.append(f"| {circuit} | " + " | ".join(cells) + " |")
    last = [standing(suite, gate_set, cost) for cost in COSTS]
    return [*lines, "| compared with published figures | " + " | ".join(last) + " |"]


def tables(suites: Iterable[Suite]) -> str:
    """Returns the tables of all suites and gate sets that have records."""
    lines = []
    for suite in suites:
        for gate_set in GATE_SETS:
            if any(key[1] == gate_set for key in suite.records):
                lines += ["", f"## {suite.about['title']}: {gate_set}", "", *table(suite, gate_set)]
    return "\n".join(lines) + "\n"


def with_tables(page: str, suites: Iterable[Suite]) -> str:
    """Returns a page whose tables are those of the suites."""
    before, _, rest = page.partition(TABLES)
    return before + TABLES + rest.partition("\n")[0] + "\n" + tables(suites)


def write_tables(folder: pathlib.Path) -> None:
    """Brings the tables of the page of a folder of records up to date, if it has one."""
    page = folder / README
    if page.exists():
        text = with_tables(page.read_text(encoding="utf-8"), read_suites(folder))
        page.write_text(text, encoding="utf-8")


def run_table(settings: argparse.Namespace) -> int:
    """Writes the tables of the records beside the published figures."""
    write_tables(settings.records)
    print(tables(read_suites(settings.records)).strip())
    return 0


# --- the command line -----------------------------------------------------------------------------


def selected_suites(settings: argparse.Namespace) -> list[Suite]:
    """Reads the suites that --suite selects: all of them without it. Raises Failure for a name that
    none has."""
    suites = read_suites(settings.records)
    known = [suite.file.stem for suite in suites]
    if settings.suite not in (None, *known):
        raise Failure(f"{settings.records}: no suite is called {settings.suite}: there are {', '.join(known)}")
    return [suite for suite in suites if settings.suite in (None, suite.file.stem)]


def selected(keys: Iterable[Key], settings: argparse.Namespace) -> list[Key]:
    """Returns the keys that --only, --gate-set and --cost select."""
    return [
        key
        for key in keys
        if fnmatch.fnmatch(key[0], settings.only)
        and settings.gate_set in (None, key[1])
        and settings.cost in (None, key[2])
    ]


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    result = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    result.add_argument("--records", type=pathlib.Path, default=RECORDS, help="folder of records")
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    for name, run, takes_originals in (
        ("verify", run_verify, True),
        ("improve", run_improve, True),
        ("adopt", run_adopt, True),
        ("table", run_table, False),
    ):
        command = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        command.set_defaults(run=run)
        if not takes_originals:
            continue
        command.add_argument("originals", type=pathlib.Path, help="folder with the original files")
        if name == "adopt":
            command.add_argument("folder", type=pathlib.Path, help="the other folder of records")
        command.add_argument("--suite", metavar="NAME", help="the one suite to read (default: all)")
        command.add_argument("--only", default="*", help="pattern of names of circuits")
        command.add_argument("--gate-set", choices=GATE_SETS)
        command.add_argument("--cost", choices=list(COSTS))
        if name != "adopt":
            command.add_argument("--jobs", type=int, default=1, help="number of processes at a time")
        if name == "improve":
            command.add_argument("--time", default="60s", help="time of each search")
            command.add_argument("--threads", type=int, default=2, help="threads of each search")
            command.add_argument("--seed", type=int, default=0)
            command.add_argument("--start", metavar="GATE_SET-COST",
                                 help="optimize this record of each circuit in place of the original")
            command.add_argument("--unproved", action="store_true",
                                 help="leave the proof to adopt, where the records are brought together")
            command.add_argument("--commit", help="the commit that was built, outside of a checkout")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line, and returns the exit status."""
    settings = parser().parse_args(arguments)
    if settings.run is not run_table:
        programs.require_commands("quartz-opt", "quartz-check")
    try:
        return int(settings.run(settings))
    except Failure as failure:
        print(f"records.py: {failure}", file=sys.stderr)
        return 1

"""Runs the commands that README.md, docs/tutorial.md, docs/how-to.md and docs/clusters.md show, and compares their
outputs.

test_documented_commands.py FOLDER_OF_THE_COMMANDS

A page is read block by block, in a temporary folder of its own:

- a block after "save this as `FILE`" (or "save ... as `FILE`") is written to that file;
- a block with lines `$ COMMAND` is a session: each command must print what follows it, where a line `...` stands for any
  lines;
- any other block without a language, or of the language `sh`, is a list of commands, which must succeed. Since they show
  no output, they run with a short time limit and in small sizes (`smaller`);
- programs in other languages are run by the tests that RUN_ELSEWHERE lists.

A block that cannot be run has a comment in the paragraph before it: `<!-- not run: REASON -->`. Any other block that was
not run fails the test.
"""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else ROOT / "build/bin"

SHELL_LANGUAGES = ("", "sh")
# Programs of the pages, by page and language, and the test that runs them.
RUN_ELSEWHERE = {
    ("README.md", "python"): "python/tests/test_readme.py",
    ("README.md", "cpp"): "tests/install/check_install.cmake",
    ("docs/clusters.md", "python"): "python/tests/test_clusters.py",
}
# Files of the reader, which no block of the pages makes: copies of files of the repository, and texts.
COPIES = {
    "in.qasm": "circuits/tof_3.qasm",
    "a.qasm": "circuits/tof_3.qasm",
    "b.qasm": "circuits/qft_4.qasm",
    "before.qasm": "circuits/tof_3.qasm",
    "after.qasm": "circuits/tof_3.qasm",
    "my_gates.json": "gatesets/nam.json",
    "circuits/vbe_adder_3.qasm": "circuits/vbe_adder_3.qasm",
    "costs/ibm_heron_errors.json": "costs/ibm_heron_errors.json",
}
TEXTS = {
    "routed.qasm": 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\nh q[0];\ncz q[0], q[1];\nh q[0];\n',
    "line.json": '{"format": "quartz-coupling", "version": 1, "pairs": [[0, 1], [1, 2]]}',
    "props_torino.json": json.dumps({"backend_name": "toy", "qubits": [[], []], "gates": [
        {"gate": gate, "qubits": qubits, "parameters": [
            {"name": "gate_error", "value": 0.001}, {"name": "gate_length", "unit": "ns", "value": 30}]}
        for gate, qubits in (("rz", [0]), ("sx", [0]), ("x", [0]), ("rz", [1]), ("sx", [1]), ("x", [1]), ("cz", [0, 1]))
    ]}),
    "conf_torino.json": json.dumps({
        "backend_name": "toy", "n_qubits": 2, "simulator": False, "basis_gates": ["cz", "id", "rz", "sx", "x"],
        "coupling_map": [[0, 1], [1, 0]]}),
    "garnet.json": json.dumps({
        "paradigm": {"qubitCount": 2, "nativeGateSet": ["CZ", "PRX"], "connectivity": {
            "fullyConnected": False, "connectivityGraph": {"0": ["1"], "1": ["0"]}}},
        "standardized": {
            "oneQubitProperties": {qubit: {"oneQubitFidelity": [
                {"fidelityType": {"name": "RANDOMIZED_BENCHMARKING"}, "fidelity": 0.999}]} for qubit in "01"},
            "twoQubitProperties": {"0-1": {"twoQubitGateFidelity": [
                {"gateName": "CZ", "fidelity": 0.99,
                 "fidelityType": {"name": "INTERLEAVED_RANDOMIZED_BENCHMARKING"}}]}}},
        "provider": {"properties": {}}}),
}
TIME_LIMIT = 120  # seconds for one command
# What Open MPI needs to run as root, with more processes than cores, and without a remote shell.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm_rsh_agent": "", "OMPI_MCA_plm": "isolated",
}


def smaller(command):
    """Returns a command without an output with the same options, and less work."""
    if re.match(r"(mpirun -n \d+ )?quartz-opt ", command):
        command = re.sub(r" (-t|--time) \S+", "", command) + " --time 0.3s"
    command = re.sub(r"--steps \d+", "--steps 20000", command)
    command = re.sub(r"--gates \d+", "--gates 2", command)
    return re.sub(r"--cost \d+\b", "--cost 3", command)


def with_time_to_end(command, output):
    """Returns the command with steps in place of its time limit, unless the documented search ended by the limit: on a
    busy machine, a search that ends by itself may take longer."""
    if "stopped: time limit" in output:
        return command
    return re.sub(r"(-t|--time) \S+", "--steps 3000000", command)


@dataclasses.dataclass
class Block:
    """A block of code, and the text between it and the block or the heading before it."""

    page: str
    line: int
    language: str
    text: str
    before: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def reason_not_to_run(self):
        found = re.search(r"<!-- not run: (.+?) -->", self.before, re.S)
        return found[1] if found else None

    @property
    def file(self):
        """Returns the name of the file that the block is to be saved as."""
        found = re.search(r"\b[Ss]ave\b[^`]*?\bas\s+`([\w./-]+)`", self.before.strip().rsplit("\n\n", 1)[-1])
        return found[1] if found and not self.is_session else None

    @property
    def is_session(self):
        return self.language in SHELL_LANGUAGES and self.text.startswith("$ ")

    def session(self):
        """Returns pairs of a command and its output."""
        parts = re.split(r"^\$ ", self.text.replace("\\\n", " "), flags=re.M)[1:]
        for part in parts:
            command, _, output = part.partition("\n")
            yield command, output.rstrip("\n")

    def commands(self):
        """Returns the lines of a list of commands, without comments."""
        for line in self.text.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+#.*", "", line).strip()
            if command:
                yield command


def blocks_of(page):
    """Returns the code blocks of a page."""
    blocks = []
    before = ""
    lines = iter(enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        fence = re.match(r"^```(\w*)$", line)
        if fence:
            blocks.append(Block(page, number, fence[1], text_until_fence(lines), before))
            before = ""
        elif line.startswith("#"):
            before = ""
        else:
            before += line + "\n"
    return blocks


def text_until_fence(lines):
    text = ""
    for _, line in lines:
        if line == "```":
            return text
        text += line + "\n"
    raise AssertionError("a block of code does not end")


# Lines of which a part depends on the speed of the machine or on the version of Z3.
VARIABLE = (
    (r"\b\d+\.\d+ s\b", "N s"),
    (r"^(seconds +)\d.*", r"\1N"),
    (r"\bz3 \d+\.\d+\.\d+", "z3 N"),
)


def normalized(output):
    for pattern, replacement in VARIABLE:
        output = re.sub(pattern, replacement, output, flags=re.M)
    return output.rstrip()


def number_of(word):
    found = re.fullmatch(r"([+-]?\d+(?:\.\d+)?)(%?),?", word)
    return (float(found[1]), found[2]) if found else None


# The part by which numbers may differ: what a search minimizes ends nearly the same, but as few gates may
# have a depth of 38 or of 50.
PART, PART_OF_DEPTH = 0.15, 0.3


def is_near(word, expected, part=PART):
    """Returns whether a word of an output is like the documented one: a number may differ by a part, or by 3."""
    found, wanted = number_of(word), number_of(expected)
    if found is None or wanted is None or found[1] != wanted[1]:
        return word == expected
    tolerance = 10 + part * abs(wanted[0]) if wanted[1] == "%" else max(3, part * abs(wanted[0]))
    return abs(found[0] - wanted[0]) <= tolerance


def differences(output, expected):
    """Returns the pairs of lines that differ. Where the documented search ended by its time limit, numbers may differ
    by a part, and the global phase and the method of the check by anything."""
    if "..." in expected.splitlines():
        lines = [re.escape(line) if line != "..." else r"[^\0]*" for line in normalized(expected).splitlines()]
        return [] if re.fullmatch("\n".join(lines), normalized(output)) else [(output, expected)]
    found, wanted = normalized(output).splitlines(), normalized(expected).splitlines()
    if len(found) != len(wanted):
        return [(output, expected)]
    if "stopped: time limit" not in expected:
        return [pair for pair in zip(found, wanted) if pair[0] != pair[1]]
    pairs = []
    for line, wanted_line in zip(found, wanted):
        words, wanted_words = line.split(), wanted_line.split()
        is_free = wanted_words[:1] in (["phase"], ["checked"]) and words[:2] == wanted_words[:1] + words[1:2]
        part = PART_OF_DEPTH if wanted_words[:1] == ["depth"] else PART
        is_same = len(words) == len(wanted_words) and all(
            is_near(word, wanted_word, part) for word, wanted_word in zip(words, wanted_words))
        if not is_free and not is_same:
            pairs.append((line, wanted_line))
    return pairs


class Page:
    """Runs the blocks of one page in a folder, and counts what it did with them."""

    def __init__(self, page, folder, cache):
        self.blocks = blocks_of(page)
        self.folder = folder
        self.environment = {
            **os.environ, "PATH": f"{COMMANDS}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(cache),
            "NO_COLOR": "1", "OMP_NUM_THREADS": "2", "LC_ALL": "C.UTF-8", **MPI_ENVIRONMENT,
        }
        self.faults = []
        self.run = self.written = self.not_run = self.elsewhere = 0

    def execute(self, command):
        return subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=TIME_LIMIT, check=False, stdin=subprocess.DEVNULL,
        )

    def run_session(self, block):
        for command, expected in block.session():
            done = self.execute(with_time_to_end(command.replace("build/bin/", ""), expected))
            # quartz-check ends with 10 if the circuits are not equal.
            codes = (10,) if expected.startswith("not equal") else (0,)
            output = done.stdout + done.stderr
            if done.returncode not in codes:
                self.faults.append(f"{block.place}: {command}: exit code {done.returncode}\n{output}")
            for found, wanted in differences(output, expected):
                self.faults.append(f"{block.place}: {command}\n  prints:     {found}\n  documented: {wanted}")
            self.run += 1

    def run_commands(self, block):
        for command in block.commands():
            done = self.execute(smaller(command))
            if done.returncode != 0:
                self.faults.append(f"{block.place}: {command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
            self.run += 1

    def visit(self, block):
        if block.reason_not_to_run:
            self.not_run += 1
        elif block.file:
            (self.folder / block.file).write_text(block.text, encoding="utf-8")
            self.written += 1
        elif block.is_session:
            self.run_session(block)
        elif block.language in SHELL_LANGUAGES:
            self.run_commands(block)
        elif (block.page, block.language) in RUN_ELSEWHERE:
            self.elsewhere += 1
        else:
            self.faults.append(f"{block.place}: a block of '{block.language}' that is neither run nor written nor marked")


class DocumentedCommands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)

    def run_page(self, page, **least):
        folder = pathlib.Path(self.temporary.name) / page.replace("/", "_")
        folder.mkdir()
        for name, source in COPIES.items():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / source, folder / name)
        for name, text in TEXTS.items():
            (folder / name).write_text(text, encoding="utf-8")
        result = Page(page, folder, pathlib.Path(self.temporary.name) / "cache")
        for block in result.blocks:
            result.visit(block)
        self.assertEqual(result.faults, [], "\n" + "\n\n".join(result.faults))
        for name, count in least.items():
            self.assertGreaterEqual(getattr(result, name), count, f"{page}: {name}")
        return result

    def test_of_the_tutorial(self):
        result = self.run_page("docs/tutorial.md", run=15, written=6)
        self.assertEqual(result.not_run, 0)

    def test_of_the_readme(self):
        self.run_page("README.md", run=1, elsewhere=2)

    def test_of_the_how_to(self):
        self.run_page("docs/how-to.md", run=25)

    @unittest.skipUnless(shutil.which("mpirun"), "MPI is not installed")
    def test_of_the_page_on_clusters(self):
        self.run_page("docs/clusters.md", run=2, elsewhere=5)

    def test_that_programs_are_run_elsewhere(self):
        for test in RUN_ELSEWHERE.values():
            self.assertTrue((ROOT / test).is_file(), test)


if __name__ == "__main__":
    unittest.main()

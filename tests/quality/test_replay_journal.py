"""scripts/replay_journal.py certifies journals of quartz-opt, and refuses wrong ones, as quartz-check does.

test_replay_journal.py FOLDER_OF_THE_COMMANDS
"""

import contextlib
import importlib.util
import io
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from random import Random

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import replay_journal  # noqa: E402  (the path comes first)

COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"

RUNS = [("tof_3", "nam", "fold"), ("tof_3", "clifford_t", "anneal"), ("tof_3", "ibm_eagle", "blocks"),
        ("tof_3", "google", "backtrack"), ("qft_4", "ibm", "intermediate"), ("qft_4", "ibm_heron", "anneal"),
        ("qft_4", "ionq_aria", "blocks"), ("ising_8", "rigetti", "blocks"), ("grover_3", "clifford_t", "fold")]

NEEDS_ZSTD = unittest.skipUnless(shutil.which("zstd") or importlib.util.find_spec("zstandard"),
                                 "neither zstd nor the module zstandard is installed")


def frame(content):
    """A Zstandard frame that holds its content uncompressed (RFC 8878), in blocks of at most 2^16 bytes."""
    blocks = [content[start:start + 65536] for start in range(0, len(content), 65536)] or [b""]
    result = b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little")
    for block in blocks:
        result += (len(block) << 3 | (block is blocks[-1])).to_bytes(3, "little") + block
    return result


def leb(value):
    result = b""
    while value > 127:
        result, value = result + bytes([value & 127 | 128]), value >> 7
    return result + bytes([value])


def differences(numbers):
    """The list of the removed gates: its length, and each number minus the one before."""
    result, last = leb(len(numbers)), 0
    for number in numbers:
        step, last = number - last, number
        result += leb(2 * step if step >= 0 else -2 * step - 1)
    return result


def gate(text):
    return b"\x01" + leb(len(text)) + text.encode()


def swap(*places):
    """A record of kind 6, with a qubit and a place for each operand."""
    return b"\x06" + b"".join(leb(wire) + leb(after) for wire, after in places)


def rewrite(removed, inserted, gaps=()):
    """A record of kind 2. A gate is a code and indices of qubits, a gap a qubit and a place."""
    result = b"\x02" + differences(removed) + leb(len(gaps)) + b"".join(leb(a) + leb(b) for a, b in gaps)
    return result + leb(len(inserted)) + b"".join(leb(code) + leb(len(on)) + bytes(on) for code, on in inserted)


def exchange(removed, inserted):
    """A record of kind 4. A gate is a code and pairs of a qubit and a place."""
    result = b"\x04" + differences(removed) + leb(len(inserted))
    for code, places in inserted:
        result += leb(code) + leb(len(places)) + b"".join(leb(qubit) + leb(place) for qubit, place in places)
    return result


def in_context(resets, removed, inserted):
    """A record of kind 5: an exchange that depends on resets."""
    return b"\x05" + differences(resets) + exchange(removed, inserted)[1:]


def lemma(gates):
    """A record of kind 7. A gate is a code and its wires."""
    return b"\x07" + leb(len(gates)) + b"".join(leb(code) + leb(len(on)) + bytes(on) for code, on in gates)


def proved(numbers):
    """A record of kind 8: the end of a lemma, with the numbers of its gates."""
    return b"\x08" + differences(numbers)


def use(number, removed):
    """A record of kind 9, which uses a lemma."""
    return b"\x09" + leb(number) + differences(removed)


def journal(*records):
    """A journal with these records and the one at the end, which takes the number of operations."""
    content = b"".join(records)
    return b"QUARTZJ\x01" + len(frame(content)).to_bytes(4, "little") + frame(content) + bytes(4)


def end(steps, operations):
    return b"\x00" + leb(steps) + leb(operations)


def program(body, qubits=3, order=None):
    comment = f"// output permutation: {order}\n" if order else ""
    return f'{comment}OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[{qubits}];\ncreg c[{qubits}];\n{body}\n'


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def replayed(self, *arguments):
        """Runs the script. Returns its exit code and what it prints."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            code = replay_journal.main([str(argument) for argument in arguments])
        return code, text.getvalue()

    def checked(self, before, after, path, options=()):
        """Says whether quartz-check certifies a journal."""
        command = [COMMANDS / "quartz-check", "--journal", path, *options, before, after]
        done = subprocess.run(command, capture_output=True)
        self.assertNotEqual(done.returncode, 1, done.stderr)
        return done.returncode == 0

    def verdict(self, before, after, path, options=()):
        """Returns the exit code of the script, on which quartz-check must agree."""
        code, text = self.replayed(*options, before, after, path)
        self.assertEqual(code == 0, self.checked(before, after, path, options), text)
        return code, text

    def by_hand(self, before, after, *records, qubits=3, order=None):
        """Returns the verdict about programs and records, as by verdict(); with an order, about a result that states
        this output permutation."""
        files = [self.folder / name for name in ("a.qasm", "b.qasm", "c.qj")]
        files[0].write_text(program(before, qubits))
        files[1].write_text(program(after, qubits, order))
        files[2].write_bytes(journal(*records))
        return self.verdict(*files, ["--permutation", "free"] if order else [])


@NEEDS_ZSTD
class Written(Folder):
    """Journals of quartz-opt."""

    def optimized(self, circuit, gate_set, search, steps=300, cost=None):
        before = circuit if isinstance(circuit, pathlib.Path) else ROOT / f"circuits/{circuit}.qasm"
        after, path = self.folder / "after.qasm", self.folder / "journal.qj"
        subprocess.run([COMMANDS / "quartz-opt", before, "-o", after, "-g", gate_set, "--search", search, "--steps",
                        str(steps), "--threads", "1", "--journal", path, "--quiet", "--no-check",
                        *(["--cost", cost] if cost else [])], check=True)
        return before, after, path

    @staticmethod
    def t_count(path):
        """Returns the number of rotations by odd multiples of pi/4."""
        return sum(line.startswith("rz") and "/4" in line for line in path.read_text().splitlines())

    def test_they_are_certified(self):
        for run in RUNS:
            with self.subTest(run=run):
                code, text = self.verdict(*self.optimized(*run))
                self.assertEqual(code, 0, text)
                self.assertRegex(text, r"\nphase      0\n")

    def test_repeated_steps_are_certified(self):
        source = self.folder / "source.qasm"
        step = "".join(f"h q[{i}]; rz(0.3) q[{i}]; h q[{i}];" for i in range(4))
        step += "".join(f"cx q[{i}],q[{i + 1}]; rz(0.1) q[{i + 1}]; cx q[{i}],q[{i + 1}];" for i in range(3))
        source.write_text(program(20 * step, 4))
        before, after, path = self.optimized(source, "nam", "repetitions", 20_000)
        code, text = self.verdict(before, after, path)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"\nlemmas     \d+, used ([2-9]|\d\d+) times")

    def test_fewer_products_are_certified(self):
        before, after, path = self.optimized("gf2_mult_4", "nam", "products", 100_000)
        # Sixteen products leave 68 rotations by odd multiples of pi/4, which nine products do not.
        self.assertLessEqual(self.t_count(after), 63)
        code, text = self.verdict(before, after, path)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"\nphase      0\n")

    def test_fewer_rotations_of_several_layers_are_certified(self):
        # Too many qubits for any proof but that by rotations, which compares one layer at a time.
        folded = self.t_count(self.optimized("cuccaro_adder_8", "nam", "simplify", 100_000, "t,total")[1])
        before, after, path = self.optimized("cuccaro_adder_8", "nam", "ranks", 100_000, "t,total")
        self.assertLess(self.t_count(after), folded)
        code, text = self.verdict(before, after, path)
        self.assertEqual(code, 0, text)

    def test_gates_far_apart_are_certified(self):
        # The proofs have gates on many qubits in between.
        for search in ("functions", "cancellation"):
            with self.subTest(search=search):
                before, after, path = self.optimized("barenco_tof_10", "nam", search)
                code, text = self.verdict(before, after, path)
                self.assertEqual(code, 0, text)
                self.assertRegex(text, r", [1-9]\d+ exchanges")  # ten at least

    def test_parameters_measurements_and_definitions(self):
        source = self.folder / "source.qasm"
        source.write_text("""OPENQASM 3.0;
            include "stdgates.inc";
            input float theta;
            input angle[32] phi;
            qubit[3] q;
            bit[2] c;
            gate both(a) x, y { cx x, y; rz(a/2) y; cx x, y; h x; gphase(a/4); }
            gphase(pi/8);
            h q;
            both(theta) q[0], q[1];
            cp(phi/2) q[1], q[2];
            U(theta, phi, pi/4) q[2];
            cu(0.3, phi, pi/8, 0.1) q[0], q[2];
            barrier q;
            ccx q[0], q[1], q[2];
            c[0] = measure q[0];
            reset q[0];
            rx(0.7853981633974483) q[0];
            both(-2*phi + pi/3) q[0], q[1];
            measure q[1] -> c[1];""")
        for search in ("fold", "backtrack"):
            code, text = self.verdict(*self.optimized(source, "nam", search))
            self.assertEqual(code, 0, text)
            self.assertRegex(text, r"\nphase      0\n")

    def test_programs_are_certified_under_the_same_assumptions(self):
        source = self.folder / "program.qasm"
        source.write_text(program("x q[0]; ccx q[0],q[1],q[2]; h q[1]; cx q[1],q[2]; t q[2]; cz q[0],q[1];"
                                  "measure q[1] -> c[1]; measure q[2] -> c[2];"))
        after, path = self.folder / "after.qasm", self.folder / "journal.qj"
        for edges in (["--initial-state", "zero"], ["--final-state", "discarded"],
                      ["--initial-state", "zero", "--final-state", "discarded"]):
            with self.subTest(edges=edges):
                subprocess.run([COMMANDS / "quartz-opt", source, "-o", after, "-g", "nam", "--steps", "300", "--threads",
                                "1", "--journal", path, "--quiet", *edges], check=True)
                for arguments, expected in (edges, True), ([], False):
                    self.assertEqual(self.replayed(*arguments, source, after, path)[0] == 0, expected)
                    done = subprocess.run([COMMANDS / "quartz-check", source, after, "--journal", path, *arguments],
                                          capture_output=True)
                    self.assertEqual(done.returncode == 0, expected, done.stderr)

    def test_output_permutations_are_certified(self):
        source = self.folder / "swaps.qasm"
        source.write_text(program("h q[0]; swap q[0],q[1]; cx q[1],q[2]; t q[2]; swap q[1],q[2]; h q[2]; cx q[2],q[0];"))
        after, path = self.folder / "after.qasm", self.folder / "journal.qj"
        free = ["--permutation", "free"]
        subprocess.run([COMMANDS / "quartz-opt", source, "-o", after, "-g", "nam", "--steps", "300", "--threads", "1",
                        "--journal", path, "--quiet", *free], check=True)
        self.assertEqual(self.replayed(*free, source, after, path)[0], 0)
        self.assertEqual(self.replayed(source, after, path)[0], 1)
        after.write_text(after.read_text().replace("// output permutation: [1, 2, 0]", "// output permutation: [2, 1, 0]"))
        code, text = self.replayed(*free, source, after, path)
        self.assertEqual((code, text.splitlines()[0]), (1, "not certified"))

    def test_output_permutations_on_coupled_qubits_are_certified(self):
        source = self.folder / "mapped.qasm"
        gates = "h q[0]; cx q[0],q[1]; cx q[1],q[0]; t q[1]; swap q[0],q[1]; cx q[1],q[2]; cx q[2],q[1]; cx q[1],q[2];"
        source.write_text(program(gates))
        after, path = self.folder / "after.qasm", self.folder / "journal.qj"
        free = ["--permutation", "free"]
        for coupling in ([], ["--coupling", "auto"]):
            subprocess.run([COMMANDS / "quartz-opt", source, "-o", after, "-g", "nam", "--steps", "300", "--threads", "1",
                            "--journal", path, "--quiet", *free, *coupling], check=True)
            self.assertIn("// output permutation: ", after.read_text())
            code, text = self.replayed(*free, source, after, path)
            self.assertEqual(code, 0, text)
            done = subprocess.run([COMMANDS / "quartz-check", source, after, "--journal", path, *free], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_damaged_files_are_refused(self):
        before, after, path = self.optimized("qft_4", "nam", "anneal")
        data = path.read_bytes()
        damaged = self.folder / "damaged.qj"
        for wrong in (data[:len(data) // 2], data[:-1], data + b"\0", b"", b"QUARTZJ\x02" + data[8:],
                      *(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]
                        for place in range(16, len(data) - 4, len(data) // 12))):
            damaged.write_bytes(wrong)
            self.assertNotEqual(self.verdict(before, after, damaged)[0], 0)

    def test_another_result_is_refused(self):
        before, after, path = self.optimized("tof_3", "nam", "fold")
        text = after.read_text()
        for old, new in ("rz(pi/4)", "rz(-pi/4)"), ("\ncx ", "\ncz "), ("\nh ", "\nx "):
            other = self.folder / "other.qasm"
            other.write_text(text.replace(old, new, 1))
            self.assertEqual(self.verdict(before, other, path)[0], 1)
        self.assertEqual(self.verdict(before, before, path)[0], 1)


class SumsOverPaths(unittest.TestCase):
    """Circuits that are compared as sums over paths."""

    def toffoli(self, one, two, target):
        turn = replay_journal.pi
        steps = [(replay_journal.H, target, None)]
        for place, eighths in (two, -1), (one, 1), (two, -1), (one, 1):
            steps += [(replay_journal.CX, place, target), (replay_journal.P, target, turn(eighths, 4))]
        steps += [(replay_journal.P, one, turn(1, 4)), (replay_journal.P, two, turn(1, 4))]
        steps += [(replay_journal.CX, one, two), (replay_journal.P, two, turn(-1, 4)), (replay_journal.CX, one, two)]
        return [*steps, (replay_journal.H, target, None)]

    def random_steps(self, random, qubits, count):
        steps = []
        for _ in range(count):
            first, second, third = random.sample(range(qubits), 3)
            steps += random.choice([
                [(replay_journal.H, first, None)], [(replay_journal.X, first, None)],
                [(replay_journal.CX, first, second)], [(replay_journal.CZ, first, second)],
                [(replay_journal.P, first, replay_journal.pi(random.randrange(8), 4))],
                [(replay_journal.P, first, replay_journal.Angle({(0, "a"): Fraction(1)}))],
                self.toffoli(first, second, third)])
        return steps

    def test_it_agrees_with_matrices(self):
        random = Random(5)
        proved = 0
        for _ in range(300):
            left = self.random_steps(random, 4, 8)
            right = [*left, *(inner := self.random_steps(random, 4, 2)), *replay_journal.inverse(inner)]
            if random.random() < 0.5:
                del right[random.randrange(len(right))]
            exact = replay_journal.by_matrices(left, right, 4, 2.0**29)
            proof = replay_journal.by_path_sums(left, right, 4)
            if proof is not None:
                proved += 1
                self.assertIsInstance(exact, replay_journal.Proof)
                self.assertEqual((proof.phase - exact.phase).eighth % 8, 0)
        self.assertGreater(proved, 100)

    def test_pairs_around_toffoli_gates(self):
        pair = [(replay_journal.CX, 0, 2)]
        middle = self.toffoli(0, 1, 2)
        self.assertIsNotNone(replay_journal.by_path_sums([*pair, *middle, *pair], middle, 3))
        self.assertIsNone(replay_journal.by_path_sums([*pair, *self.toffoli(1, 2, 0), *pair], self.toffoli(1, 2, 0), 3))


class SumsOfParities(unittest.TestCase):
    """Commuting rotations whose phase polynomials are compared."""

    def parity(self, qubits, eighths):
        """Returns the rotation about the parity of some qubits."""
        cnots = [(replay_journal.CX, qubit, qubits[-1]) for qubit in qubits[:-1]]
        return [*cnots, (replay_journal.P, qubits[-1], replay_journal.pi(eighths, 4)), *reversed(cnots)]

    def ccz(self, qubits, factor=None):
        """Returns a CCZ gate; with a factor, on the parity of that qubit and the last one in place of the last."""
        steps = [step for size in (1, 2, 3) for chosen in itertools.combinations(qubits, size)
                 for step in self.parity(chosen, 1 if size % 2 else -1)]
        cnot = [] if factor is None else [(replay_journal.CX, factor, qubits[-1])]
        return cnot + steps + cnot

    def test_products_with_two_common_factors(self):
        frame = [(replay_journal.H, 0, None), (replay_journal.P, 1, replay_journal.pi(1, 2)),
                 (replay_journal.CX, 1, 3), (replay_journal.H, 2, None), (replay_journal.CX, 2, 4)]
        left = frame + self.ccz((0, 1, 2)) + self.ccz((0, 1, 3))
        right = frame + self.ccz((0, 1, 2), 3)
        proof = replay_journal.by_rotations(left, right, 5)
        self.assertIsNotNone(proof)
        self.assertEqual(proof.phase, replay_journal.ZERO)
        half = (replay_journal.P, 3, replay_journal.pi(1, 1))
        for other in ((replay_journal.P, 0, replay_journal.pi(1, 2)), (replay_journal.P, 2, replay_journal.pi(1, 4)),
                      (replay_journal.CZ, 0, 1), half):
            self.assertIsNone(replay_journal.by_rotations(left, [*right, other], 5), other)

    def test_spider_nests(self):
        nest = [step for size in (1, 2, 3, 4) for chosen in itertools.combinations(range(4), size)
                for step in self.parity(chosen, 1 if size % 2 else -1)]
        proof = replay_journal.by_rotations(nest, [], 4)
        self.assertEqual(proof.phase, replay_journal.ZERO)
        turns = [step for size in (1, 2, 3, 4) for chosen in itertools.combinations(range(4), size)
                 for step in self.parity(chosen, 0 if size % 2 else 2)]
        ones = [step for size in (1, 2, 3, 4) for chosen in itertools.combinations(range(4), size)
                for step in self.parity(chosen, 1)]
        self.assertEqual(replay_journal.by_rotations(ones, turns, 4).phase, replay_journal.ZERO)


@NEEDS_ZSTD
class ByHand(Folder):
    """Journals that are made here."""

    def right(self, *arguments, **options):
        code, text = self.by_hand(*arguments, **options)
        self.assertEqual(code, 0, text)
        return text

    def wrong(self, reason, *arguments):
        code, text = self.by_hand(*arguments)
        self.assertEqual(code, 1, text)
        self.assertRegex(text, reason)

    def test_rewrites(self):
        before, record = "h q[0]; x q[0]; h q[0];", gate("z")
        self.right(before, "z q[0];", record, rewrite([0, 1, 2], [(0, [0])]), end(1, 1))
        self.wrong("step 1: .*not proved", before, "y q[0];", gate("y"), rewrite([0, 1, 2], [(0, [0])]), end(1, 1))
        self.wrong("not the second", before, "x q[0];", record, rewrite([0, 1, 2], [(0, [0])]), end(1, 1))
        self.wrong("numbers of steps", before, "z q[0];", record, rewrite([0, 1, 2], [(0, [0])]), end(2, 1))
        self.wrong("numbers of steps", before, "z q[0];", record, rewrite([0, 1, 2], [(0, [0])]), end(1, 2))
        self.wrong("does not exist", before, "z q[0];", record, rewrite([0, 1, 3], [(0, [0])]), end(1, 1))
        self.wrong("consecutive", before, "z q[0];", record, rewrite([0, 2, 1], [(0, [0])]), end(1, 1))
        self.wrong("consecutive", before, "x q[0];", rewrite([0, 2], []), end(1, 1))
        self.wrong("not defined", before, "z q[0];", record, rewrite([0, 1, 2], [(1, [0])]), end(1, 1))

    def test_lemmas(self):
        # The phases of two uses are added up.
        before = "s q[0]; s q[0]; cx q[0],q[1]; s q[2]; s q[2]; cx q[2],q[0];"
        after = "rz(pi) q[0]; cx q[0],q[1]; rz(pi) q[2]; cx q[2],q[0];"
        codes = [gate("s"), gate("cx"), gate("rz(pi)")]
        first = [(0, [0]), (0, [0]), (1, [0, 1])]
        steps = [rewrite([0, 1], [(2, [0])])]
        whole = [*codes, lemma(first), *steps, proved([3, 2])]
        uses = [use(0, [0, 1, 2]), use(0, [3, 4, 5])]
        text = self.right(before, after, *whole, *uses, end(3, 4))
        self.assertRegex(text, r"\nlemmas     1, used 2 times\nd")
        self.assertRegex(text, r"\nphase      -?(1\*)?pi\n")
        self.wrong("numbers of steps", before, after, *whole, *uses, end(2, 4))
        self.wrong("no lemma 1", before, after, *whole, uses[0], use(1, [3, 4, 5]), end(3, 4))
        # Wrong gates, wires and places.
        self.wrong("lemma 0", before, after, *whole, uses[0], use(0, [3, 4]), end(3, 4))
        self.wrong("consecutive", before, after, *whole, use(0, [1, 0, 2]), end(2, 5))
        self.wrong("does not exist", before, after, *whole, use(0, [0, 1, 9]), end(2, 5))
        self.wrong("not proved|gate 1 of lemma 0", before.replace("s q[2]; s q[2]", "s q[2]; t q[2]"), after, *whole, *uses, end(3, 4))
        self.wrong("lemma 0", before.replace("cx q[2],q[0]", "cx q[0],q[2]"), after, *whole, *uses, end(3, 4))
        self.wrong("order of the circuit|path", "s q[0]; cx q[0],q[2]; cx q[2],q[1]; s q[1];", "s q[0]; cx q[0],q[2];",
                   *codes, lemma([(0, [0]), (0, [1])]), proved([0, 1]), use(0, [0, 3]), use(0, [1, 2]), end(2, 4))

    def test_lemmas_are_proved(self):
        before, after = "s q[0]; s q[0];", "z q[0];"
        start = [gate("s"), gate("z"), lemma([(0, [0]), (0, [0])])]
        step = rewrite([0, 1], [(1, [0])])
        self.right(before, after, *start, step, proved([2]), use(0, [0, 1]), end(2, 1))
        self.wrong("not proved", before, after, *start, rewrite([0], [(1, [0])]), end(2, 1))
        self.wrong("at the end of a lemma|gates at", before, after, *start, step, proved([]), use(0, [0, 1]), end(2, 1))
        self.wrong("does not exist", before, after, *start, step, proved([0]), use(0, [0, 1]), end(2, 1))
        self.wrong("within a lemma", before, after, *start, step, end(1, 1))
        self.wrong("within another", before, after, *start, step, lemma([(0, [0])]), end(1, 1))
        self.wrong("not begun", before, before, proved([0, 1]), end(0, 2))
        self.wrong("no gates", before, before, lemma([]), proved([]), end(0, 2))
        self.wrong("wire 1", before, before, gate("s"), lemma([(0, [1])]), proved([0]), end(0, 2))
        self.wrong("final SWAP", before, before, *start, swap((0, 2), (1, 0)), end(1, 2))

    def test_contexts(self):
        # A control in |0>, a target in |+>, and a phase on a known state.
        self.right("reset q[0]; cx q[0],q[1];", "reset q[0];", in_context([0], [1], []), end(1, 1))
        self.wrong("not proved", "reset q[0]; cx q[0],q[1];", "reset q[0];", exchange([1], []), end(1, 1))
        self.wrong("not proved", "reset q[1]; cx q[0],q[1];", "reset q[1];", in_context([0], [1], []), end(1, 1))
        self.right("reset q[1]; h q[1]; cx q[0],q[1];", "reset q[1]; h q[1];", in_context([0], [2], []), end(1, 2))
        self.right("reset q[0]; x q[0]; ccx q[0],q[1],q[2];", "reset q[0]; x q[0]; cx q[1],q[2];", gate("cx"),
                   in_context([0], [2], [(0, [(1, 0), (2, 0)])]), end(1, 3))
        # Qubits that are discarded, also after a measurement and behind a barrier.
        self.right("cx q[0],q[1]; reset q[0]; reset q[1];", "reset q[0]; reset q[1];", in_context([1, 2], [0], []),
                   end(1, 2))
        self.wrong("not proved", "cx q[0],q[1]; reset q[0];", "reset q[0];", in_context([1], [0], []), end(1, 1))
        measured = "barrier q; measure q[0] -> c[0]; reset q[0];"
        self.right("rz(1/3) q[0]; " + measured, measured, in_context([3], [0], []), end(1, 3))
        self.wrong("not proved", "h q[0]; " + measured, measured, in_context([3], [0], []), end(1, 3))
        self.right("t q[0]; cx q[0],q[1]; " + measured, "cx q[0],q[1]; " + measured, in_context([4], [0], []), end(1, 4))
        self.wrong("not proved", "t q[1]; cx q[0],q[1]; " + measured, "cx q[0],q[1]; " + measured,
                   in_context([4], [0], []), end(1, 4))
        self.wrong("not a reset", "h q[0]; cx q[0],q[1];", "h q[0];", in_context([0], [1], []), end(1, 1))

    def test_final_swaps(self):
        # Behind the SWAP gate, the measurement is on the other qubit.
        before, after = "h q[0]; measure q[0] -> c[0];", "h q[0]; swap q[0],q[1]; measure q[1] -> c[0];"
        self.right(before, after, swap((0, 1), (1, 0)), end(1, 3), order=[1, 0, 2])
        self.wrong("output permutation", before, after, swap((0, 1), (1, 0)), end(1, 3))
        for gates in ("h q[0];", "barrier q[0],q[2]; h q[2];", "measure q[0] -> c[0]; x q[0];"):
            self.wrong("not final", gates, gates, swap((0, 0), (1, 0)), end(1, 2))
        self.wrong("twice", "h q[0];", "h q[0];", swap((0, 1), (0, 1)), end(1, 2))
        self.wrong("path", "cx q[0],q[1];", "cx q[0],q[1];", swap((0, 0), (1, 1)), end(1, 2))
        # Two SWAP gates, of which nothing remains.
        self.right("h q[0];", "h q[0];", swap((0, 1), (1, 0)), swap((0, 2), (1, 2)), rewrite([1, 2], []), end(3, 1))

    def loops(self, before, after, *records, order):
        """Returns the verdict about OpenQASM 3 programs with loops."""
        head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'
        files = [self.folder / name for name in ("a.qasm", "b.qasm", "c.qj")]
        files[0].write_text(head + before)
        files[1].write_text(f"// output permutation: {order}\n{head}{after}")
        files[2].write_bytes(journal(*records))
        return self.verdict(*files, ["--permutation", "free"])

    def test_no_permutation_is_carried_through_a_loop(self):
        for body in ("swap q[0],q[1];", "cx q[0],q[1]; cx q[1],q[0]; cx q[0],q[1];"):
            before = f"x q[0]; while (c[0]) {{ {body} c[0] = measure q[0]; }} c[1] = measure q[0];"
            # The SWAP gate is removed as if the body were executed once.
            carried = "x q[0]; while (c[0]) { c[0] = measure q[1]; } c[1] = measure q[1];"
            for operations in (5, 6):
                code, text = self.loops(before, carried, end(0, operations), order=[1, 0])
                self.assertEqual(code, 1, text)
            # It is at the end of the body.
            right = "x q[0]; while (c[0]) { c[0] = measure q[1]; swap q[0],q[1]; } c[1] = measure q[0];"
            code, text = self.loops(before, right, end(0, 6), order=[0, 1])
            self.assertEqual(code, 0, text)
            self.assertEqual(self.loops(before, right, end(0, 6), order=[1, 0])[0], 1)
        # A box is executed once.
        before = "x q[0]; box { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];"
        after = "x q[0]; box { c[0] = measure q[1]; } c[1] = measure q[1];"
        code, text = self.loops(before, after, end(0, 5), order=[1, 0])
        self.assertEqual(code, 0, text)
        # A final SWAP gate in a body.
        before = "while (c[0]) { c[0] = measure q[0]; }"
        code, text = self.loops(before, before, swap((0, 2), (1, 1)), end(1, 4), order=[1, 0])
        self.assertEqual(code, 1, text)
        self.assertRegex(text, "not final")

    def test_a_removed_record_is_missed(self):
        records = [gate("z"), rewrite([0, 1, 2], [(0, [0])]), rewrite([4, 3], [])]
        before = "h q[0]; x q[0]; h q[0]; z q[0];"
        self.right(before, "", *records, end(2, 0))
        self.assertNotEqual(self.by_hand(before, "", *records[1:], end(2, 0))[0], 0)
        self.assertNotEqual(self.by_hand(before, "", records[0], records[2], end(2, 0))[0], 0)
        self.assertNotEqual(self.by_hand(before, "", *records[:2], end(2, 0))[0], 0)

    def test_a_global_phase_is_summed(self):
        text = self.right("z q[0];", "rz(pi) q[0];", gate("rz(pi)"), rewrite([0], [(0, [0])]), end(1, 1))
        self.assertIn("phase      -1/2*pi\n", text)

    def test_renumbering(self):
        records = [gate("z"), rewrite([0, 1, 2], [(0, [0])]), b"\x03", rewrite([1, 0], [])]
        self.right("h q[0]; x q[0]; h q[0]; z q[0];", "", *records, end(2, 0))

    def test_a_window_must_be_convex(self):
        between = "cx q[0],q[1]; cx q[1],q[2]; cx q[2],q[0]; cx q[0],q[1];"
        self.wrong("path|consecutive", between, "cx q[1],q[2]; cx q[2],q[0];", rewrite([0, 3], []), end(1, 2))
        # On each qubit the two gates are consecutive, but what follows the first precedes the second.
        before = "x q[0]; cx q[0],q[1]; x q[1];"
        swapped = [gate("x"), rewrite([0, 2], [(0, [1]), (0, [0])]), end(1, 3)]
        self.wrong("path", before, before, *swapped)
        self.right("x q[0]; x q[1];", "x q[0]; x q[1];", *swapped[:1], rewrite([0, 1], [(0, [1]), (0, [0])]), end(1, 2))

    def test_gaps(self):
        records = [gate("h"), rewrite([], [(0, [0]), (0, [0])], [(1, 1)]), end(1, 4)]
        self.right("x q[1]; z q[1];", "x q[1]; h q[1]; h q[1]; z q[1];", *records)
        self.wrong("not the second", "x q[1]; z q[1];", "h q[1]; h q[1]; x q[1]; z q[1];", *records)
        for place in ((0, 1), (1, 4), (3, 0)):  # an operation on another qubit, none at all, and no qubit
            records[1] = rewrite([], [(0, [0]), (0, [0])], [place])
            self.wrong("does not exist|no qubit", "x q[1]; z q[1];", "x q[1]; h q[1]; h q[1]; z q[1];", *records)
        records[1] = rewrite([], [(0, [0]), (0, [0])], [(1, 1), (0, 1)])  # the cx is before one gap, behind the other
        self.wrong("path", "h q[0]; cx q[0],q[1];", "", gate("h"), rewrite([], [], [(0, 1), (1, 2)]), end(1, 2))

    def test_exchanges(self):
        before = "t q[1]; cx q[0],q[1]; cx q[2],q[1]; h q[0]; cx q[2],q[1]; cx q[0],q[1]; t q[1];"
        moved = [gate("s"), exchange([0, 6], [(0, [(1, 0)])]), end(1, 6)]
        self.wrong("not proved", before, "s q[1];" + before[8:-7], *moved)  # h anticommutes
        straight = before.replace("h q[0]; ", "z q[0]; ")
        self.right(straight, "s q[1];" + straight[8:-7], *moved)
        self.wrong("not the second", straight, straight[8:-7] + "s q[1];", *moved)
        self.wrong("does not exist", straight, straight[8:-7] + "s q[1];", gate("s"),
                   exchange([0, 6], [(0, [(1, 7)])]), end(1, 6))
        # A diagonal rotation passes a measurement, and no rotation passes a reset on its qubit.
        merged = [gate("s"), exchange([0, 2], [(0, [(0, 0)])]), end(1, 2)]
        self.right("t q[0]; measure q[0]->c[0]; t q[0];", "s q[0]; measure q[0]->c[0];", *merged)
        self.wrong("not proved", "t q[0]; reset q[0]; t q[0];", "s q[0]; reset q[0];", *merged)
        self.wrong("not proved", "sx q[0]; measure q[0]->c[0]; sx q[0];", "x q[0]; measure q[0]->c[0];",
                   gate("x"), *merged[1:])
        self.right("t q[0]; reset q[1]; t q[0];", "s q[0]; reset q[1];", *merged)
        around = "cx q[0],q[1]; t q[1]; cx q[0],q[1]; reset q[{}]; cx q[0],q[1]; t q[1]; cx q[0],q[1];"
        both = [gate("s"), exchange([1, 5], [(0, [(1, 1)])]), end(1, 6)]
        after = around.replace("t q[1]; cx q[0],q[1]; reset", "s q[1]; cx q[0],q[1]; reset").replace(" t q[1];", "")
        for reset in (0, 1):
            self.wrong("not proved", around.format(reset), after.format(reset), *both)
        self.right(around.format(2), after.format(2), *both)
        self.wrong("path", "h q[0]; cx q[0],q[1]; h q[1];", "", gate("cz"),
                   exchange([], [(0, [(0, 0), (1, 3)])]), end(1, 4))

    def test_measurements_are_not_removed(self):
        self.wrong("not a gate", "measure q[0]->c[0];", "", rewrite([0], []), end(1, 0))

    def test_large_angles(self):
        """Large angles are reduced before they are rounded, and are no multiples of pi because of their digits."""
        for angle, code in (("-1.0876924102997838", 0), ("pi/2+100000000000000000", 0), ("-1.0876924", 1),
                            ("63661977236758137*pi/2", 1)):
            with self.subTest(angle):
                found, text = self.by_hand("rz(1e17) q[0]; rz(pi/2) q[0];", f"rz({angle}) q[0];", gate(f"rz({angle})"),
                                           rewrite([0, 1], [(0, [0])]), end(1, 1))
                self.assertEqual(found, code, text)

    def test_angles_that_hardly_differ(self):
        """A distance is stated, and a difference that could be seen is refused."""
        for digits, code in ("0.3000000000001", 0), ("0.30001", 1):
            with self.subTest(digits):
                name = f"rz({digits})"
                found, text = self.by_hand("rz(0.1) q[0]; rz(0.2) q[0];", f"{name} q[0];", gate(name),
                                           rewrite([0, 1], [(0, [0])]), end(1, 1))
                self.assertEqual(found, code, text)
        text = self.right("rz(0.1) q[0]; rz(0.2) q[0];", "rz(0.3) q[0];", gate("rz(0.3)"),
                          rewrite([0, 1], [(0, [0])]), end(1, 1))
        self.assertIn("all exact", text)


def declaring(content):
    """A Zstandard frame without content that declares this many bytes of it (RFC 8878)."""
    return b"\x28\xb5\x2f\xfd\xe0" + content.to_bytes(8, "little") + b"\x01\x00\x00"


def run_of(byte, size):
    """A Zstandard frame with `size` equal bytes, in blocks that each repeat one byte."""
    result, most = b"\x28\xb5\x2f\xfd\xa0" + size.to_bytes(4, "little"), 1 << 17
    for start in range(0, size, most):
        length = min(most, size - start)
        result += (length << 3 | 1 << 1 | (start + length == size)).to_bytes(3, "little") + byte
    return result


@NEEDS_ZSTD
class Hostile(Folder):
    """Small journals that ask for much work. Each runs in a process, which must end by itself and with a message."""

    def refused(self, reason, data):
        self.assertLess(len(data), 1500)
        before, path = self.folder / "one.qasm", self.folder / "hostile.qj"
        before.write_text(program("h q[0];"))
        path.write_bytes(data)
        for command in ([sys.executable, ROOT / "scripts/replay_journal.py", before, before, path],
                        [COMMANDS / "quartz-check", "--journal", path, before, before]):  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            self.assertIn(done.returncode, (2, 3), done.stderr)
            self.assertRegex(done.stderr, f"error: {path}|replay_journal.py: ({reason})\n")
            self.assertNotIn("Traceback", done.stderr)

    def written(self, frame_of_records):
        return b"QUARTZJ\x01" + len(frame_of_records).to_bytes(4, "little") + frame_of_records + bytes(4)

    def test_a_frame_that_declares_an_exbibyte(self):
        self.refused("a block of the journal is damaged.*", self.written(declaring(1 << 60)))

    def test_a_block_that_is_too_large(self):
        self.refused("a block of the journal is too large", self.written(run_of(b"\x03", (1 << 24) + 1)))

    def test_endless_renumbering(self):
        self.refused("the journal renumbers .*", self.written(run_of(b"\x03", 1 << 24)))

    def test_angles_out_of_range(self):
        for angle in ("1e999999999", "1e-999999999", "1e308" + "*1e308" * 100, "(1+pi)" + "*(1+pi)" * 100):
            with self.subTest(angle[:20]):
                self.refused("(the number|an angle).* is out of range.*", journal(gate(f"rz({angle})"), end(0, 1)))

    def test_a_list_that_is_longer_than_the_journal(self):
        self.refused("the records are truncated or damaged", journal(b"\x02" + leb(1 << 60)))


@NEEDS_ZSTD
class Gates(Folder):
    """The definitions of the gates: those of the script against those of Quartz."""

    def test_each_gate_means_the_same(self):
        for name in [*replay_journal.standard(), *replay_journal.ELEMENTARY]:
            qubits, count = replay_journal.shape(name)
            angles = f"({','.join(['0.3', 'pi/8', '-0.2', '0.7'][:count])})" if count else ""
            gates = replay_journal.gate(name, replay_journal.Parser(angles).angles({"pi": replay_journal.pi()}))
            words = {replay_journal.H: "h", replay_journal.X: "x", replay_journal.CX: "cx",
                     replay_journal.CZ: "cz"}
            body, phase = "", gates.phase
            for kind, first, second in gates.steps:
                if kind == replay_journal.P:
                    body += f"p({second.value()!r}) q[{first}];\n"
                else:
                    body += f"{words[kind]} q[{first}]{'' if second is None else f',q[{second}]'};\n"
            files = [self.folder / f"{side}.qasm" for side in ("left", "right")]
            header = f'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[{qubits}] q;\n'
            files[0].write_text(f"{header}{name}{angles} {','.join(f'q[{place}]' for place in range(qubits))};\n")
            files[1].write_text(f"{header}gphase({phase.value()!r});\n{body}")
            done = subprocess.run([COMMANDS / "quartz-check", *files], capture_output=True, text=True)
            self.assertTrue(done.stdout.startswith("equal\n"), f"{name}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()

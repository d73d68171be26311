"""The gate definitions of OpenQASM 2 output mean the gates, as a reader understands them that shares no code with Quartz.

test_written_definitions.py FOLDER_OF_THE_COMMANDS

The reader is that of scripts/replay_journal.py, which has its own definitions of all gates, with their phases.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import replay_journal  # noqa: E402  (the path comes first)

COMMANDS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else ROOT / "build/bin"
GATES = list(replay_journal.standard())


class Definitions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def written(self, name, register):
        """Returns what Quartz writes in OpenQASM 2 for a circuit of one gate, in a gate set of this gate."""
        qubits, count = replay_journal.shape(name)
        source, gate_set = self.folder / "source.qasm", self.folder / "set.json"
        angles = f"({','.join(['0.3', 'pi/8', '-0.2', '0.7'][:count])})" if count else ""
        operands = ",".join(f"{register}[{place}]" for place in range(qubits))
        source.write_text(f"OPENQASM 3.0;\nqubit[{qubits}] {register};\n{name}{angles} {operands};\n")
        gate_set.write_text(json.dumps({"format": "quartz-gate-set", "version": 1, "name": "one", "description": "",
                                        "gates": [{"gate": name}],
                                        "alphabet": {"parameters": 1, "expressions": ["p0"]}}))
        done = subprocess.run([COMMANDS / "quartz-opt", source, "-g", gate_set, "-t", "0s", "--no-check", "--qasm", "2",
                               "--quiet", "-o", "-"], check=True, capture_output=True, text=True)  # fmt: skip
        self.assertRegex(done.stdout, rf"(?m)^(quartz_)?{name}\b")
        return done.stdout

    def check_definitions(self, program):
        """Compares each definition of a program with the gate of its name. Returns their names."""
        parser = replay_journal.Parser(program)
        names = []
        while parser.peek():
            if parser.take() != "gate":
                continue
            parser.definition()
            name = parser.tokens[[index for index, token in enumerate(parser.tokens) if token == "gate"][len(names)] + 1]
            names.append(name)
            parameters, operands, _ = parser.gates[name]
            own = tuple(replay_journal.Angle({(0, each): replay_journal.Fraction(1)}) for each in parameters)
            wires = tuple(range(len(operands)))
            # `known` is empty, so every definition is expanded.
            meaning = tuple(parser.expand(name, own, wires))
            known = replay_journal.gate(name.removeprefix("quartz_"), own)
            proof = replay_journal.prove(meaning, ((known, wires),))
            self.assertIsInstance(proof, replay_journal.Proof, f"{name}: {proof}")
            self.assertEqual(proof.distance, 0)
            turns = proof.phase.terms.pop((1, ""), replay_journal.Fraction(0))
            self.assertEqual((turns % 2, proof.phase.terms), (0, {}), f"the phase of {name} in\n{program}")
        return names

    def test_each_definition_is_exact(self):
        found = set()
        for name in GATES:
            with self.subTest(name):
                found.update(self.check_definitions(self.written(name, "q")))
        self.assertLessEqual({"ecr", "iswap", "ryy", "rzx", "ms", "gpi", "cs"}, found)

    def test_each_definition_is_exact_without_the_include_file(self):
        found = set()
        for name in GATES:
            with self.subTest(name):
                program = self.written(name, "h")
                self.assertNotIn("include", program)
                found.update(self.check_definitions(program))
        self.assertLessEqual({"ecr", "sx", "sxdg", "rz", "quartz_h", "p"}, found)


if __name__ == "__main__":
    unittest.main()

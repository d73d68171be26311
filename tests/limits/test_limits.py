"""Runs quartz-opt and quartz-check on inputs at their limits: many qubits, long names, deep nesting,
and with little memory. None may crash, hang or exceed its memory.

test_limits.py FOLDER_OF_THE_COMMANDS
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 and os.path.isdir(sys.argv[-1]) else "build/bin")
# Seconds after which a run that hangs is a failed test.
LIMIT = 120
HEADER = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'


def layers(qubits, gates, seed):
    """Returns a circuit of random Clifford+T gates between neighbours."""
    chosen = random.Random(seed)
    lines = [HEADER, f"qreg q[{qubits}];\n"]
    for _ in range(gates // 4):
        a = chosen.randrange(qubits - 1)
        lines.append(f"h q[{a}];\ncx q[{a}],q[{a + 1}];\nt q[{a + 1}];\ncx q[{a}],q[{a + 1}];\n")
    return "".join(lines)


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, name, *arguments):
        """Runs a command; returns its exit code, its standard error, and its peak memory in bytes."""
        errors = self.folder / "errors"
        with open(errors, "w", encoding="utf-8") as stream:
            process = subprocess.Popen([BIN / name, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=stream)  # fmt: skip
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertGreaterEqual(process.returncode, 0, "killed by a signal")
        return process.returncode, errors.read_text(encoding="utf-8"), usage.ru_maxrss * 1024

    def optimize(self, text, *arguments):
        source = self.folder / "in.qasm"
        source.write_text(text, encoding="utf-8")
        return self.run_command("quartz-opt", source, "-o", self.folder / "out.qasm", "-g", "nam",
                                "--threads", 1, *arguments)  # fmt: skip

    def assert_equal_circuits(self, *arguments):
        code, errors, _ = self.run_command("quartz-check", self.folder / "in.qasm", self.folder / "out.qasm",
                                           *arguments)  # fmt: skip
        self.assertEqual(code, 0, errors)

    def test_many_qubits(self):
        # A pair of rotations that merge on each of them.
        text = HEADER + "qreg q[100000];\n" + "h q;\n" + "t q;\n" * 2
        # The time of the check would depend on the load of the machine.
        code, errors, _ = self.optimize(text, "-t", "0s", "--check-time", f"{LIMIT}s")
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, r"total +300000 +200000")
        self.assert_equal_circuits()

    def test_long_names(self):
        name = "a" * 100_000
        text = f"{HEADER}qreg {name}[3];\ncx {name}[0],{name}[1];\ncx {name}[0],{name}[1];\nh {name}[2];\n"
        code, errors, _ = self.optimize(text, "--search", "simplify")
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, r"total +3 +1 ")
        self.assertIn(f"h {name}[2];", (self.folder / "out.qasm").read_text(encoding="utf-8"))
        parameter = (f'OPENQASM 3.0;\ninclude "stdgates.inc";\ninput float[64] {name};\nqubit[2] q;\n'
                     f"rz({name}) q[0];\nrz({name}) q[0];\n")  # fmt: skip
        code, errors, _ = self.optimize(parameter, "-t", "0s")
        self.assertEqual(code, 0, errors)
        self.assertIn(f"2*{name}", (self.folder / "out.qasm").read_text(encoding="utf-8"))

    def test_deep_nesting_is_refused(self):
        depth = 100_000
        inputs = {
            "the expression is nested": HEADER + "qreg q[1];\nrz(" + "(" * depth + "1" + ")" * depth + ") q[0];\n",
            "expression is nested": HEADER + "qreg q[1];\nrz(" + "-" * depth + "1) q[0];\n",
            "blocks are nested": "OPENQASM 3.0;\nqubit q;\nbit c;\n" + "if (c) {" * depth + "}" * depth + "\n",
            "modifiers": "OPENQASM 3.0;\nqubit q;\n" + "inv @ " * depth + "U(0.1,0,0) q;\n",
            "gate definitions are nested": HEADER
            + "gate g0 a { x a; }\n"
            + "".join(f"gate g{i} a {{ g{i - 1} a; }}\n" for i in range(1, 20_000))
            + "qreg q[1];\ng19999 q[0];\n",
        }
        for message, text in inputs.items():
            with self.subTest(message):
                code, errors, _ = self.optimize(text, "-t", "0s")
                self.assertEqual(code, 3, errors[:300])
                self.assertRegex(errors, r"in\.qasm:\d+:\d+: ")
                self.assertIn(message, errors)

    def test_memory_of_a_gate(self):
        # Reading, folding, checking and writing 200,000 gates takes 96 MiB. With the time for a direct comparison,
        # no history is replayed, whatever the load of the machine.
        code, errors, peak = self.optimize(layers(200, 200_000, seed=5), "-t", "0s", "--check-time", f"{LIMIT}s")
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, 120 * 2**20)

    def test_memory_is_limited(self):
        text = layers(200, 500_000, seed=5)
        journal = self.folder / "out.qj"
        results = set()
        for mebibytes in (128, 512):
            # The time of a check would depend on the load of the machine.
            code, errors, peak = self.optimize(text, "-t", "1s", "--memory", f"{mebibytes}MiB", "--no-check",
                                               "--journal", journal)  # fmt: skip
            with self.subTest(mebibytes=mebibytes):
                # Pages of the program and its libraries are not private.
                self.assertLess(peak, (mebibytes + 48) * 2**20)
                if code == 0:
                    # Only the journal decides whatever the search changed in its time.
                    self.assert_equal_circuits("--journal", journal, "--time", f"{LIMIT}s")
                    results.add(re.search(r"stopped: (.*)", errors).group(1))
                else:
                    self.assertEqual(code, 4, errors)
                    self.assertIn("memory", errors)
                    results.add("out of memory")
        self.assertLessEqual({"out of memory"}, results)
        self.assertLess(1, len(results), "a search ends with a result if the memory suffices")


if __name__ == "__main__":
    unittest.main()

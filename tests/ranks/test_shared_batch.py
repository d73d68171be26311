"""Tests quartz-opt under mpirun, on one machine: any number of processes writes the same results and prints the same
summary, and what processes that die have finished is not lost.

test_shared_batch.py QUARTZ_OPT MPIRUN
"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import started_ranks
from started_ranks import ENVIRONMENT, LIMIT, children_of, wait_until

QUARTZ_OPT, MPIRUN = sys.argv[-2:] if len(sys.argv) > 2 else ("build/bin/quartz-opt", "mpirun")
QUARTZ_OPT = pathlib.Path(QUARTZ_OPT).resolve()

CIRCUITS = 12
#: A search whose result depends on nothing but its options, in a fraction of a second.
STEPS = ["--gate-set", "nam", "--steps", "20000", "--seed", "3", "--threads", "1"]
#: A search of several seconds.
LONG = ["--gate-set", "nam", "--time", "1s", "--threads", "1"]


def random_circuit(seed, gates):
    draw = random.Random(seed)
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', "qreg q[4];"]
    for _ in range(gates):
        first, second = draw.sample(range(4), 2)
        lines.append(
            draw.choice([f"h q[{first}];", f"t q[{first}];", f"rz(0.3) q[{first}];", f"cx q[{first}],q[{second}];"])
        )
    return "\n".join(lines) + "\n"


def without_seconds(table):
    """Returns the lines of a summary as words, without the column of the times."""
    lines = [re.split(r"  +", line.strip()) for line in table.splitlines()]
    return [line[:3] + line[4:] for line in lines]


class SharedBatch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.cache.cleanup)
        ENVIRONMENT["XDG_CACHE_HOME"] = cls.cache.name

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.make_circuits(CIRCUITS)

    def make_circuits(self, count):
        for number in range(count):
            file = self.folder / f"in/{number % 3}/{number:02}.qasm"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(random_circuit(number, 20 + 5 * number))

    def alone(self, *arguments):
        return subprocess.run(
            [QUARTZ_OPT, *arguments], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=LIMIT
        )

    def on_ranks(self, ranks, *arguments, options=()):
        return started_ranks.run(MPIRUN, ranks, QUARTZ_OPT, *arguments, options=options, cwd=self.folder)

    def start(self, ranks, *arguments, options=()):
        process = started_ranks.start(MPIRUN, ranks, QUARTZ_OPT, *arguments, options=options, cwd=self.folder)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def files_in(self, name):
        folder = self.folder / name
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_results_and_summary_are_those_of_one_process(self):
        alone = self.alone("in", "-o", "alone", "--journal", "alone", *STEPS)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual(len(self.files_in("alone")), 2 * CIRCUITS)
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                shared = self.on_ranks(ranks, "in", "-o", f"shared{ranks}", "--journal", f"shared{ranks}", *STEPS)
                self.assertEqual(shared.returncode, 0, shared.stderr)
                self.assertEqual(self.files_in(f"shared{ranks}"), self.files_in("alone"))
                self.assertEqual(without_seconds(shared.stderr), without_seconds(alone.stderr))
                self.assertEqual(shared.stdout, "")

    def test_an_error_concerns_only_its_circuit(self):
        (self.folder / "in/bad.qasm").write_text("OPENQASM 2.0;\nqreg q[1];\nnosuchgate q[0];\n")
        shared = self.on_ranks(3, "in", "-o", "out", "--json", *STEPS)
        self.assertEqual(shared.returncode, 3, shared.stderr)
        self.assertEqual(shared.stderr.count("in/bad.qasm:3:1: "), 1, shared.stderr)
        summary = json.loads(shared.stdout)
        self.assertEqual(summary["totals"]["failed"], 1)
        self.assertEqual(summary["totals"]["verified"], CIRCUITS)
        self.assertEqual([each["file"] for each in summary["files"]], sorted(each["file"] for each in summary["files"]))
        self.assertTrue(all(each["stats"] for each in summary["files"] if each["exit_code"] == 0))

    def test_one_circuit_is_not_shared(self):
        shared = self.on_ranks(2, "in/0/00.qasm", "-o", "out.qasm", *STEPS)
        self.assertEqual(shared.returncode, 2, shared.stderr)
        self.assertEqual(len(re.findall("error: --search auto optimizes one circuit in one process", shared.stderr)), 1)

    def test_processes_with_different_arguments_do_not_share(self):
        script = self.folder / "different.sh"
        script.write_text(f'#!/bin/sh\nexec "{QUARTZ_OPT}" in/$OMPI_COMM_WORLD_RANK -o out {" ".join(STEPS)}\n')
        script.chmod(0o755)
        shared = started_ranks.run(MPIRUN, 2, script, cwd=self.folder)
        self.assertEqual(shared.returncode, 2, shared.stderr)
        self.assertIn("have different arguments", shared.stderr)
        self.assertFalse((self.folder / "out").exists())
        script.write_text(script.read_text().replace("exec", "unset OMPI_COMM_WORLD_SIZE; exec"))
        separate = started_ranks.run(MPIRUN, 2, script, cwd=self.folder)
        self.assertEqual(separate.returncode, 0, separate.stderr)
        self.assertEqual(separate.stderr.count(" of 4 files"), 2, separate.stderr)

    def test_what_a_call_that_died_has_finished_is_kept(self):
        call = ["in", "-o", "out", "--finished", "finished", *LONG]
        process = self.start(2, *call)
        wait_until(lambda: len(list(self.folder.glob("finished/*/*.json"))) >= 2)
        ranks = children_of(process)
        os.kill(ranks[-1], signal.SIGKILL)
        process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0)
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks))
        kept = self.files_in("finished")
        results = {name: self.files_in("out")[name.removesuffix(".finished.json")] for name in kept}
        self.assertLess(len(kept), CIRCUITS)

        again = self.on_ranks(3, *call)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f"{CIRCUITS} of {CIRCUITS} files", again.stderr)
        self.assertEqual(len(self.files_in("finished")), CIRCUITS)
        for name, record in kept.items():
            self.assertEqual(self.files_in("finished")[name], record)
            self.assertEqual(self.files_in("out")[name.removesuffix(".finished.json")], results[name])
        # Nothing is left to do, so that the summary is the same, times included.
        for repeated in (self.alone(*call), self.on_ranks(2, *call)):
            self.assertEqual(repeated.stderr, again.stderr)

    def test_the_circuit_of_a_process_that_died_is_given_to_another(self):
        call = ["in", "-o", "out", *LONG]
        process = self.start(3, *call, options=["--enable-recovery"])
        wait_until(lambda: len(list(self.folder.glob("out/*/*.qasm"))) >= 2)
        os.kill(max(children_of(process)), signal.SIGKILL)
        _, err = process.communicate(timeout=LIMIT)
        self.assertEqual(len(self.files_in("out")), CIRCUITS, err)
        self.assertIn(f"{CIRCUITS} of {CIRCUITS} files", err)
        self.assertIn("does not answer any more", err)

    def test_an_interrupt_ends_all(self):
        process = self.start(2, "in", "-o", "out", *LONG)
        wait_until(lambda: list(self.folder.glob("out/*/*.qasm")))
        ranks = children_of(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0)
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks))
        self.assertLess(len(self.files_in("out")), CIRCUITS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

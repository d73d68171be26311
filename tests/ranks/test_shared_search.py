"""Tests quartz-opt under mpirun with one circuit, on one machine: any number of processes writes the same result, and
processes that die or stop leave their part of the work to the others.

test_shared_search.py QUARTZ_OPT MPIRUN
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import started_ranks
from started_ranks import ENVIRONMENT, LIMIT, children_of, wait_until

QUARTZ_OPT, MPIRUN = sys.argv[-2:] if len(sys.argv) > 2 else ("build/bin/quartz-opt", "mpirun")
QUARTZ_OPT = pathlib.Path(QUARTZ_OPT).resolve()

LOCAL = ["--gate-set", "nam", "--search", "local", "--seed", "3", "--threads", "1"]
#: A search whose result depends on nothing but its options, in a second.
STEPS = [*LOCAL, "--steps", "200000"]
#: The same, in some seconds.
MORE_STEPS = [*LOCAL, "--steps", "3000000"]
#: Seconds of processor time after which a process searches segments.
STARTED = 0.6


def random_circuit(seed, qubits, gates):
    draw = random.Random(seed)
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{qubits}];", f"creg c[{qubits}];"]
    for number in range(gates):
        first, second = draw.sample(range(qubits), 2)
        kinds = [f"h q[{first}];", f"t q[{first}];", f"rz(0.3) q[{first}];"] + 2 * [f"cx q[{first}],q[{second}];"]
        lines.append(f"measure q[{first}] -> c[{first}];" if number % 2000 == 999 else draw.choice(kinds))
    return "\n".join(lines) + "\n"


def processor_seconds(pid):
    times = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


class SharedSearch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.cache.cleanup)
        ENVIRONMENT["XDG_CACHE_HOME"] = cls.cache.name

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "in.qasm").write_text(random_circuit(1, 9, 6_000))

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
        wait_until(lambda: len(children_of(process)) == ranks)
        return process

    def signal_when_it_searches(self, pid, number):
        wait_until(lambda: processor_seconds(pid) > STARTED)
        os.kill(pid, number)

    def outputs(self, name):
        return [
            "-o", f"{name}.qasm", "--journal", f"{name}.qj", "--emit-rules", f"{name}.rules.json",
            "--stats", f"{name}.json",
        ]  # fmt: skip

    def contents(self, name):
        return [(self.folder / f"{name}.{ending}").read_bytes() for ending in ("qasm", "qj", "rules.json")]

    def figures(self, name):
        stats = json.loads((self.folder / f"{name}.json").read_text())
        return [stats[key] for key in ("annealing_moves", "local_optimality", "stop_reason", "after")]

    def test_the_result_is_that_of_one_process(self):
        alone = self.alone("in.qasm", *self.outputs("alone"), *STEPS)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for ranks, cache in ((2, self.cache.name), (3, self.cache.name), (2, "no absolute path")):
            with self.subTest(ranks=ranks, cache=cache), unittest.mock.patch.dict(
                ENVIRONMENT, {"XDG_CACHE_HOME": cache, "HOME": ""}
            ):
                name = f"shared{ranks}{len(cache)}"
                shared = self.on_ranks(ranks, "in.qasm", *self.outputs(name), *STEPS)
                self.assertEqual(shared.returncode, 0, shared.stderr)
                self.assertEqual(self.contents(name), self.contents("alone"))
                self.assertEqual(self.figures(name), self.figures("alone"))
                # Only the first process reports.
                self.assertEqual(shared.stderr.count("checked "), 1, shared.stderr)
                self.assertEqual(shared.stdout, "")

    def test_a_coupling_map_holds_in_all_processes(self):
        call = ["--coupling", "auto", "--cost", "two-qubit", *STEPS]
        alone = self.alone("in.qasm", "-o", "alone.qasm", *call)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        shared = self.on_ranks(2, "in.qasm", "-o", "shared.qasm", *call)
        self.assertEqual(shared.returncode, 0, shared.stderr)
        self.assertEqual((self.folder / "shared.qasm").read_bytes(), (self.folder / "alone.qasm").read_bytes())

    def test_a_time_limit_ends_the_search(self):
        (self.folder / "large.qasm").write_text(random_circuit(2, 12, 60_000))
        shared = self.on_ranks(2, "large.qasm", "-o", "out.qasm", *LOCAL, "--time", "2s")
        self.assertEqual(shared.returncode, 0, shared.stderr)
        self.assertIn("stopped: time limit", shared.stderr)
        self.assertIn("checked ", shared.stderr)

    def test_an_error_is_reported_once(self):
        (self.folder / "bad.qasm").write_text("OPENQASM 2.0;\nqreg q[1];\nnosuchgate q[0];\n")
        for arguments, code, message in (
            (["bad.qasm", "-o", "out.qasm", *STEPS], 3, "bad.qasm:3:1: "),
            (["in.qasm", "-o", "out.qasm", "--gate-set", "nam", "--search", "anneal"], 2, "expected --search local"),
        ):
            with self.subTest(arguments=arguments):
                done = self.on_ranks(2, *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stderr.count(message), 1, done.stderr)
                self.assertFalse((self.folder / "out.qasm").exists())

    def test_processes_with_different_arguments_do_not_share(self):
        script = self.folder / "different.sh"
        script.write_text(
            f'#!/bin/sh\nexec "{QUARTZ_OPT}" in.qasm -o $OMPI_COMM_WORLD_RANK.qasm {" ".join(STEPS)}\n'
        )
        script.chmod(0o755)
        shared = started_ranks.run(MPIRUN, 2, script, cwd=self.folder)
        self.assertEqual(shared.returncode, 2, shared.stderr)
        self.assertIn("have different arguments", shared.stderr)
        self.assertFalse(list(self.folder.glob("[0-9].qasm")))

    def test_the_segments_of_a_process_that_died_are_searched_by_others(self):
        alone = self.alone("in.qasm", "-o", "alone.qasm", *MORE_STEPS)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        process = self.start(3, "in.qasm", "-o", "out.qasm", *MORE_STEPS, options=["--enable-recovery"])
        self.signal_when_it_searches(max(children_of(process)), signal.SIGKILL)
        _, err = process.communicate(timeout=LIMIT)
        self.assertIn("does not answer any more", err)
        self.assertEqual((self.folder / "out.qasm").read_bytes(), (self.folder / "alone.qasm").read_bytes())

    def test_a_process_that_is_asked_to_stop_leaves_its_segments_to_others(self):
        alone = self.alone("in.qasm", "-o", "alone.qasm", *MORE_STEPS)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        process = self.start(2, "in.qasm", "-o", "out.qasm", *MORE_STEPS)
        self.signal_when_it_searches(max(children_of(process)), signal.SIGTERM)
        _, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual((self.folder / "out.qasm").read_bytes(), (self.folder / "alone.qasm").read_bytes())

    def test_an_interrupt_ends_the_search_with_the_best_circuit(self):
        # The launcher waits for as long as this for each process, whatever they do.
        options = ["--mca", "odls_base_sigkill_timeout", "4"]
        process = self.start(2, "in.qasm", "-o", "out.qasm", *LOCAL, "--time", "100s", options=options)
        ranks = children_of(process)
        wait_until(lambda: processor_seconds(ranks[0]) > STARTED)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks))
        self.assertTrue((self.folder / "out.qasm").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

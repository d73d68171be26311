"""Tests quartz-gen under mpirun, on one machine: any number of processes writes the same bytes, and
all processes end if one fails.

test_mpirun.py QUARTZ_GEN MPIRUN
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import started_ranks
from started_ranks import LIMIT, children_of, wait_until

QUARTZ_GEN, MPIRUN = sys.argv[-2:] if len(sys.argv) > 2 else ("build/bin/quartz-gen", "mpirun")


def start(ranks, program, *arguments):
    return started_ranks.start(MPIRUN, ranks, program, *arguments)


def run(ranks, *arguments, program=QUARTZ_GEN):
    return started_ranks.run(MPIRUN, ranks, program, *arguments)


class Mpirun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_done(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_rule_sets_are_the_same(self):
        size = ["--gate-set", "nam", "--gates", "3", "--qubits", "3", "--threads", "1"]
        alone = subprocess.run([QUARTZ_GEN, *size], capture_output=True, text=True, check=True)
        for ranks in (2, 3, 4):
            with self.subTest(ranks=ranks):
                file = self.folder / f"{ranks}.json"
                made = run(ranks, *size, "--output", file)
                self.assert_done(made)
                self.assertEqual(file.read_text(), alone.stdout)
                # Only one process reports, and it writes nothing else.
                self.assertEqual(made.stdout, "")
                self.assertEqual(len(re.findall("^enumerated ", made.stderr, re.M)), 1)
                proved = run(ranks, "prove", file)
                self.assert_done(proved)
                self.assertEqual(len(re.findall("^equalities ", proved.stderr, re.M)), 1)
        written = run(2, *size)
        self.assert_done(written)
        self.assertEqual(written.stdout, alone.stdout)

    def test_only_the_first_rank_has_a_checkpoint(self):
        size = ["--gate-set", "nam", "--gates", "3", "--checkpoint", self.folder / "proofs"]
        first = run(3, *size)
        self.assert_done(first)
        again = run(2, *size)
        self.assert_done(again)
        self.assertEqual(again.stdout, first.stdout)
        self.assertRegex(again.stderr, r"\(0 different ones, \d+ known before\)")

    def test_counts_are_the_same(self):
        size = ["count", "--gate-set", "nam", "--gates", "5", "--threads", "1"]
        row = re.compile(r"^ +(\d+) +(\d+) .* ([0-9a-f]{16})$", re.M)
        alone = subprocess.run(
            [QUARTZ_GEN, *size, "--backend", "cpu"], capture_output=True, text=True, check=True
        )
        expected = row.findall(alone.stderr)
        self.assertEqual(len(expected), 5)
        for ranks in (2, 3, 4):
            with self.subTest(ranks=ranks):
                counted = run(ranks, *size)
                self.assert_done(counted)
                self.assertEqual(row.findall(counted.stderr), expected)
                self.assertIn(f"in {ranks} processes", counted.stderr)

    def test_an_error_on_all_ranks_is_reported_once(self):
        for arguments, message in (
            (["--gate-set", "no_such_set"], "no_such_set"),
            (["table", "--gate-set", "nam", "--output", "x"],
             "quartz-gen table runs in one process"),
            (["--gates", "many"], "--gates"),
        ):
            with self.subTest(arguments=arguments):
                done = run(3, *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                errors = re.findall(r"^quartz-gen: .*error: .*$", done.stderr, re.M)
                self.assertEqual(len(errors), 1, done.stderr)
                self.assertIn(message, errors[0])

    def test_a_failure_of_one_rank_ends_all(self):
        script = self.folder / "one_fails.sh"
        script.write_text(
            "#!/bin/sh\n"
            '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && set=no_such_set || set=nam\n'
            f'exec "{QUARTZ_GEN}" --gate-set $set --gates 7 --output "{self.folder}/rules.json"\n'
        )
        script.chmod(0o755)
        done = run(3, program=script)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "(?m)^quartz-gen: rank 1: error: .*no_such_set")
        self.assertFalse((self.folder / "rules.json").exists())

    def start_long_run(self):
        process = start(
            2, QUARTZ_GEN, "--gate-set", "nam", "--gates", "8", "--output",
            self.folder / "rules.json",
        )  # fmt: skip
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        wait_until(lambda: len(children_of(process)) == 2)
        time.sleep(0.5)  # until the ranks have connected
        return process

    def test_killing_one_rank_ends_all(self):
        process = self.start_long_run()
        ranks = children_of(process)
        os.kill(ranks[-1], signal.SIGKILL)
        process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0)
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks))
        self.assertFalse((self.folder / "rules.json").exists())

    def test_an_interrupt_ends_all(self):
        process = self.start_long_run()
        ranks = children_of(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0)
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks))
        self.assertFalse((self.folder / "rules.json").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

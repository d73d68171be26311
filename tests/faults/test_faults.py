"""Runs quartz-opt and quartz-check on a system that misbehaves: files that cannot be written whole,
allocations that fail, clocks that jump. A command must end with an exit code of its own, and no
output may be wrong or half written.

test_faults.py FOLDER_OF_THE_COMMANDS FAULTY_SYSTEM
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN, FAULTY_SYSTEM = sys.argv[-2:]
del sys.argv[-2:]
# Seconds after which a run that hangs is a failed test.
LIMIT = 120
CIRCUIT = ROOT / "circuits/barenco_tof_3.qasm"
# Exit codes (docs/how-to.md).
DONE, BAD_INPUT, STOPPED, NOT_EQUAL, UNDECIDED, UNVERIFIED = 0, 3, 4, 10, 11, 12


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache")}

    def run_command(self, name, *arguments, environment=None, prepare=None):
        done = subprocess.run([pathlib.Path(BIN) / name, *map(str, arguments)],
                              env=self.environment | (environment or {}), preexec_fn=prepare,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT, check=False)  # fmt: skip
        self.assertGreaterEqual(done.returncode, 0, f"killed by a signal: {arguments}")
        return done

    def optimize(self, *arguments, **keywords):
        return self.run_command("quartz-opt", CIRCUIT, "-o", self.folder / "out.qasm", "-g", "nam",
                                "--threads", 1, *arguments, **keywords)  # fmt: skip

    def assert_equal_result(self):
        done = self.run_command("quartz-check", CIRCUIT, self.folder / "out.qasm")
        self.assertEqual(done.returncode, DONE, done.stdout)


class FullDisk(Faults):
    """Writing a file fails after some bytes: the disk is full."""

    @staticmethod
    def limit_of(size):
        def prepare():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return prepare

    def test_no_file_is_half_written(self):
        options = {"out.qasm": [], "out.qj": ["--journal"], "stats.json": ["--stats"], "rules.json": ["--emit-rules"]}
        for name, option in options.items():
            with self.subTest(name):
                target = self.folder / name
                target.write_text("as it was", encoding="utf-8")
                arguments = [*option, target] if option else []
                done = self.optimize("--steps", 2000, *arguments, prepare=self.limit_of(64))
                self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
                self.assertIn("cannot write", done.stderr)
                self.assertEqual(target.read_text(encoding="utf-8"), "as it was")
                self.assertEqual([path.name for path in self.folder.glob("*.part")], [])

    def test_a_device_without_space(self):
        done = self.run_command("quartz-opt", CIRCUIT, "-o", "/dev/full", "-g", "nam", "-t", "0s")
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)

    def test_a_search_goes_on_without_its_checkpoint(self):
        kept = self.folder / "kept"
        # The first state fits, later histories do not.
        done = self.optimize("-t", "1s", "--checkpoint", kept, "--quiet", prepare=self.limit_of(8000))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assert_equal_result()
        resumed = self.optimize("-t", "1.1s", "--checkpoint", kept, "--resume")
        self.assertEqual(resumed.returncode, DONE, resumed.stderr)
        self.assert_equal_result()

    def test_a_checkpoint_that_cannot_begin(self):
        done = self.optimize("-t", "1s", "--checkpoint", self.folder / "kept", prepare=self.limit_of(10))
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)


class FailingAllocations(Faults):
    def assert_out_of_memory(self, done):
        # A circuit that does not fit into the memory is a bad input.
        self.assertIn(done.returncode, (STOPPED, BAD_INPUT), done.stderr)
        self.assertRegex(done.stderr, "out of memory|not enough memory")

    def test_commands_end_with_a_message(self):
        (self.folder / "wrong.qasm").write_text(
            CIRCUIT.read_text(encoding="utf-8").replace("cx", "cz", 1), encoding="utf-8")  # fmt: skip
        outcomes = set()
        for count in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597]:
            faulty = {"LD_PRELOAD": FAULTY_SYSTEM, "QUARTZ_FAULT_ALLOCATION": str(count)}
            with self.subTest(count=count):
                output = self.folder / "out.qasm"
                output.unlink(missing_ok=True)
                done = self.optimize("--steps", 3000, environment=faulty)
                outcomes.add(done.returncode)
                if done.returncode in (DONE, UNVERIFIED):
                    self.assert_equal_result()
                else:
                    self.assert_out_of_memory(done)
                    self.assertFalse(output.exists())
                check = self.run_command("quartz-check", CIRCUIT, self.folder / "wrong.qasm", environment=faulty)
                if check.returncode not in (NOT_EQUAL, UNDECIDED):
                    self.assert_out_of_memory(check)
        self.assertLessEqual({DONE, STOPPED}, outcomes)


class JumpingClock(Faults):
    def test_results_stay_right(self):
        for seed in range(6):
            faulty = {"LD_PRELOAD": FAULTY_SYSTEM, "QUARTZ_FAULT_CLOCK": str(seed)}
            with self.subTest(seed=seed):
                done = self.optimize("-t", "1s", "--checkpoint", self.folder / "kept", "--resume",
                                     "--quiet", environment=faulty)  # fmt: skip
                self.assertIn(done.returncode, (DONE, UNVERIFIED), done.stderr)
                self.assert_equal_result()
                check = self.run_command("quartz-check", CIRCUIT, self.folder / "out.qasm", environment=faulty)
                self.assertIn(check.returncode, (DONE, UNDECIDED))


class FlippedBits(Faults):
    def test_are_caught_or_harmless(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/inject_faults.py", "--flips", "4", "--bin", BIN],
                              capture_output=True, text=True, timeout=LIMIT, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("4 flipped bits"), 8)


if __name__ == "__main__":
    unittest.main()

"""How programs are run and measured."""

import pathlib
import sys
import tempfile
import unittest

from benchmarks import programs

ALLOCATE = "x = bytearray(300 * 2**20)"


class Options(unittest.TestCase):
    def test_values_flags_and_absent_options(self):
        found = programs.options(gate_set="nam", quiet=True, rules=None, no_check=False, seed=0)
        self.assertEqual(found, ["--gate-set", "nam", "--quiet", "--seed", "0"])


class Running(unittest.TestCase):
    def test_an_unexpected_exit_code_is_a_failure_with_the_last_message(self):
        command = [sys.executable, "-c", "import sys; sys.exit('first\\nlast')"]
        with self.assertRaisesRegex(programs.Failure, "exit status 1: last"):
            programs.run(command, 60)
        self.assertEqual(programs.run(command, 60, accepted=(0, 1)), "")

    def test_a_program_without_an_answer_is_a_failure(self):
        with self.assertRaisesRegex(programs.Failure, "no answer within 0 s"):
            programs.run([sys.executable, "-c", "import time; time.sleep(60)"], 0.05)

    def test_memory_is_that_of_the_program(self):
        little = programs.run_measured([sys.executable, "-c", ""])
        much = programs.run_measured([sys.executable, "-c", ALLOCATE])
        self.assertGreater(much.peak_memory_bytes - little.peak_memory_bytes, 250 * 2**20)
        self.assertGreaterEqual(little.processor_seconds, 0)

    def test_measured_programs_may_end_with_accepted_exit_codes_only(self):
        command = [sys.executable, "-c", "import sys; sys.exit(12)"]
        programs.run_measured(command, programs.WRITTEN)
        with self.assertRaisesRegex(programs.Failure, "exit status 12"):
            programs.run_measured(command)

    def test_a_missing_command_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "quartz-opt is missing"):
                programs.require_commands("quartz-opt", folder=pathlib.Path(folder))


if __name__ == "__main__":
    unittest.main()

"""The benchmark `processes`: its files, its ratios, and what it says of results that differ."""

import argparse
import pathlib
import tempfile
import unittest
from unittest import mock

from benchmarks import processes, programs, qasm


def settings_for(counts, rounds=1):
    return argparse.Namespace(
        files=4, processes=counts, rounds=rounds, steps=1000, gate_set="nam", mpirun="mpirun",
        programs=pathlib.Path("bin"),
    )  # fmt: skip


class Files(unittest.TestCase):
    def test_sizes_differ_and_files_do_not_change(self):
        sizes = [len(qasm.read(processes.text_of(number, 20)).statements)
                 for number in range(0, 20, 2)]  # fmt: skip
        self.assertGreater(max(sizes), 4 * min(sizes))
        self.assertEqual(processes.text_of(3, 20), processes.text_of(3, 20))
        self.assertIn("ccx", processes.text_of(3, 20))
        self.assertNotEqual(processes.text_of(0, 20), processes.text_of(2, 20))


class Ratios(unittest.TestCase):
    def test_speed_up_is_the_median_of_the_ratios_of_rounds(self):
        seconds = {1: [10.0, 12.0, 40.0], 2: [5.0, 8.0, 10.0]}
        self.assertEqual(processes.speed_up(seconds, 1), 1)
        self.assertEqual(processes.speed_up(seconds, 2), 2)
        rows = processes.rows_of(seconds, {1: 0, 2: 3})
        self.assertEqual(rows[2], ["2", "8.0", "2.00", "3"])


class Commands(unittest.TestCase):
    def test_one_process_needs_no_mpirun(self):
        one = processes.command_of(1, settings_for([1]))
        self.assertEqual(one, ["bin/quartz-opt"])
        several = processes.command_of(3, settings_for([3]))
        self.assertEqual(several[0], "mpirun")
        self.assertEqual(several[-3:], ["-n", "3", "bin/quartz-opt"])

    def test_results_that_differ_are_counted(self):
        def fake_run(command, seconds):
            del seconds
            results = pathlib.Path(command[command.index("--output") + 1])
            results.mkdir()
            is_shared = command[0] == "mpirun"
            (results / "a.qasm").write_text("x" if is_shared else "y")
            (results / "b.qasm").write_text("z")
            if is_shared:
                (results / "c.qasm").write_text("more")

        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(programs, "run", fake_run),
        ):
            seconds, differing = processes.measure(settings_for([1, 2], 2), pathlib.Path(folder))
        self.assertEqual(differing, {1: 0, 2: 4})
        self.assertEqual([len(times) for times in seconds.values()], [2, 2])


if __name__ == "__main__":
    unittest.main()

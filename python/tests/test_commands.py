"""The commands that come with the package."""

import pathlib
import subprocess
import sysconfig
import tempfile
import unittest

import quartz

import sample_circuits as circuits

SCRIPTS = pathlib.Path(sysconfig.get_path("scripts"))


class Commands(unittest.TestCase):
    def run_command(self, name, *arguments):
        return subprocess.run([SCRIPTS / name, *arguments], capture_output=True, text=True, check=False)

    def test_have_the_version_of_the_package(self):
        for name in ("quartz-gen", "quartz-opt", "quartz-check"):
            done = self.run_command(name, "--version")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(quartz.__version__, done.stdout.split())

    def test_optimize_and_check_a_circuit(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = pathlib.Path(folder, "before.qasm"), pathlib.Path(folder, "after.qasm")
            before.write_text(circuits.TOFFOLI_TWICE)
            self.assertEqual(self.run_command("quartz-opt", before, "--gate-set", "nam", "--time", "0s", "--output", after).returncode, 0)
            self.assertEqual(self.run_command("quartz-check", before, after).returncode, 0)
            self.assertTrue(quartz.check(before, after))

    def test_have_man_pages_and_completions(self):
        share = pathlib.Path(sysconfig.get_path("data"), "share")
        self.assertTrue((share / "man/man1/quartz-opt.1").is_file())
        self.assertTrue((share / "bash-completion/completions/quartz-opt").is_file())


if __name__ == "__main__":
    unittest.main()

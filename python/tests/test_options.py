"""The arguments of quartz.optimize are what scripts/make_python_options.py writes for the options of the library."""

import importlib.util
import inspect
import pathlib
import sys
import unittest

import quartz
from quartz import _core

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/make_python_options.py"


class Options(unittest.TestCase):
    def test_every_option_of_the_library_is_an_argument(self):
        parameters = inspect.signature(quartz.optimize).parameters
        described = inspect.getdoc(quartz.optimize)
        for row in _core._options():
            self.assertIn(row["name"], parameters)
            self.assertIn(row["name"], quartz.SearchOptions.__annotations__)
            self.assertRegex(described, rf"\n    {row['name']}: \S")

    @unittest.skipUnless(SCRIPT.is_file(), "the scripts are not here")
    def test_the_arguments_are_current(self):
        specification = importlib.util.spec_from_file_location("make_python_options", SCRIPT)
        script = importlib.util.module_from_spec(specification)
        sys.modules["make_python_options"] = script
        specification.loader.exec_module(script)
        for path, text in script.files(_core._options()).items():
            self.assertEqual(path.read_text(encoding="utf-8"), text, "run scripts/make_python_options.py")

    def test_a_version_that_is_none_is_the_default(self):
        circuit = quartz.Circuit(1).h(0)
        self.assertEqual(inspect.signature(quartz.optimize).parameters["qasm"].default, None)
        quartz.optimize(circuit, time=0, qasm=None)


if __name__ == "__main__":
    unittest.main()

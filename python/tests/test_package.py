"""The package itself: what its import costs, types, and names of options."""

import ast
import importlib
import inspect
import pathlib
import re
import subprocess
import sys
import unittest

import quartz

FOLDER = pathlib.Path(quartz.__file__).parent
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Options of quartz-opt that have no argument of their own, with the reason.
OTHER_OPTIONS = {
    "help",
    "version",
    "dialect",  # Circuit.to_qasm
    "include-path",  # Circuit.from_file
    "output",  # the result is returned
    "memory",  # a limit of the process
    "no-check",  # check="off"
    "require-checked",  # check="required"
    "stats",  # OptimizeResult.statistics
    "report",  # OptimizeResult.report
    "list",  # names for people; quartz.SEARCHES has those of the searches
    "quiet",
    "json",  # OptimizeResult.statistics
    "finished",  # optimize_many(on_outcome=...) gives each circuit as it is finished
}


class Package(unittest.TestCase):
    def test_the_import_loads_nothing_large(self):
        code = "import sys, quartz; print(*sorted({name.split('.')[0] for name in sys.modules}))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual({"numpy", "sympy", "qiskit", "pytket", "cirq", "pennylane", "bqskit", "tqdm", "asyncio"} & set(done.stdout.split()), set())

    def test_a_package_that_is_missing_is_named_with_its_extra(self):
        for package in ("pytket", "pennylane", "cirq", "bqskit"):
            code = f"import sys; sys.modules['{package}'] = None; import quartz.{package} as adapter; adapter.__all__; "
            code += f"adapter.from_{package}"
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
            self.assertIn(f"pip install 'quartz-superoptimizer[{package}]'", done.stderr.splitlines()[-1])

    def test_it_is_typed(self):
        self.assertTrue((FOLDER / "py.typed").is_file())
        stub = ast.parse((FOLDER / "_core.pyi").read_text())
        classes = {node.name for node in stub.body if isinstance(node, ast.ClassDef)}
        self.assertLessEqual({"Circuit", "GateSet", "Cost", "CouplingMap", "RuleSet", "ClassTable"}, classes)

    def test_every_public_name_has_a_docstring(self):
        for name in quartz.__all__:
            each = getattr(quartz, name)
            if inspect.isclass(each) or inspect.isfunction(each):
                self.assertTrue(inspect.getdoc(each), name)

    def test_every_member_of_the_extension_module_has_a_docstring(self):
        for name in quartz.__all__:
            each = getattr(quartz, name)
            if not inspect.isclass(each) or each.__module__ != "quartz._core":
                continue
            for member, value in vars(each).items():
                if not member.startswith("_"):
                    self.assertRegex(value.__doc__ or "", r"\w+ .*\.", f"{name}.{member}")

    def test_every_public_name_is_on_the_page_of_the_reference(self):
        page = ROOT / "docs/reference/python.md"
        if not page.is_file():
            self.skipTest("the documentation is not here")
        sections = re.split(r"^## (quartz[\w.]*)$", page.read_text(encoding="utf-8"), flags=re.M)[1:]
        listed = {name: set(re.findall(r"^\| `(\w+)` \|", text, re.M)) for name, text in zip(sections[::2], sections[1::2])}
        adapters = {f"quartz.{path.parent.name}" for path in FOLDER.glob("*/__init__.py")} - {"quartz.interchange"}
        self.assertEqual(set(listed), {"quartz", *adapters})
        for module, names in listed.items():
            public = {name for name in importlib.import_module(module).__all__
                      if module != "quartz" or callable(getattr(quartz, name))}
            self.assertEqual(names, public, module)

    def test_options_are_those_of_the_command(self):
        page = ROOT / "docs/reference/quartz-opt.md"
        if not page.is_file():
            self.skipTest("the documentation is not here")
        options = {line.split("--")[1].split("`")[0].split()[0] for line in page.read_text().splitlines() if "`--" in line or ",--" in line}
        arguments = {name.replace("_", "-") for name in inspect.signature(quartz.optimize).parameters}
        self.assertEqual({option.split("=")[0].strip(",") for option in options} - arguments - OTHER_OPTIONS, set())


if __name__ == "__main__":
    unittest.main()

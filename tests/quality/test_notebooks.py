"""Checks how the notebooks in examples/notebooks are stored. python/tests/test_notebooks.py runs them."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import strip_notebooks  # noqa: E402  (the path comes first)

NOTEBOOKS = sorted(strip_notebooks.FOLDER.glob("*.ipynb"))


class Notebooks(unittest.TestCase):
    def test_are_stored_without_outputs(self):
        self.assertEqual(len(NOTEBOOKS), 5)
        for path in NOTEBOOKS:
            text = path.read_text(encoding="utf-8")
            self.assertEqual(text, strip_notebooks.stripped(text), f"run scripts/strip_notebooks.py {path}")

    def test_name_no_path_of_a_machine(self):
        for path in NOTEBOOKS:
            self.assertIsNone(re.search(r"/(home|root|tmp|Users|work)\b", path.read_text(encoding="utf-8")), path)

    def test_each_is_on_the_page_about_python_with_its_title(self):
        page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        linked = dict(re.findall(r"\[([^]]+)\]\(\.\./examples/notebooks/(\w+)\.ipynb\)", page))
        titles = {}
        for path in NOTEBOOKS:
            first, *_ = json.loads(path.read_text(encoding="utf-8"))["cells"]
            titles["".join(first["source"]).splitlines()[0].removeprefix("# ")] = path.stem
        self.assertEqual(linked, titles)

    def test_each_checks_what_it_says(self):
        for path in NOTEBOOKS:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            self.assertGreaterEqual(len(re.findall(r"^ *assert ", code, re.M)), 3, path)


class Stripping(unittest.TestCase):
    def test_removes_what_a_run_leaves_behind_and_nothing_else(self):
        clean = NOTEBOOKS[0].read_text(encoding="utf-8")
        notebook = json.loads(clean)
        code = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
        code["execution_count"] = 7
        code["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["a path of a machine"]}]
        code["metadata"] = {"collapsed": True}
        notebook["metadata"]["language_info"]["version"] = "3.11.2"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "used.ipynb")
            path.write_text(json.dumps(notebook), encoding="utf-8")
            command = [sys.executable, ROOT / "scripts/strip_notebooks.py"]
            found = subprocess.run([*command, "--check", path], capture_output=True, text=True, check=False)
            self.assertEqual((found.returncode, found.stdout), (1, f"{path}\n"))
            subprocess.run([*command, path], capture_output=True, check=True)
            self.assertEqual(path.read_text(encoding="utf-8"), clean)


if __name__ == "__main__":
    unittest.main()

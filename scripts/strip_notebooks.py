#!/usr/bin/env python3
"""Removes from notebooks what running them leaves behind: outputs, execution counts, and all metadata that depend on
the machine or on the editor. What remains is the same on every machine, so that changes of a notebook can be reviewed.

    strip_notebooks.py [--check] [NOTEBOOK...]

By default these are the notebooks in examples/notebooks. With --check nothing is written, and the script exits with 1
if a notebook would change.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples/notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def stripped(text):
    """Returns the text of a notebook without outputs, in the form in which Jupyter writes files."""
    notebook = json.loads(text)
    notebook["metadata"] = METADATA
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = []
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a notebook would change")
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, default=sorted(FOLDER.glob("*.ipynb")))
    arguments = parser.parse_args()
    changed = []
    for path in arguments.notebooks:
        text = path.read_text(encoding="utf-8")
        if (wanted := stripped(text)) != text:
            changed.append(str(path))
            if not arguments.check:
                path.write_text(wanted, encoding="utf-8")
    if changed:
        print("\n".join(changed))
    return 1 if changed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())

"""Checks that scripts/check_layers.py finds each kind of violation and reports its place."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLEAN = {
    "include/quartz/base/errors.hpp": "#include <string>\n",
    "include/quartz/base/files.hpp": "#include <string>\n",
    "include/quartz/quartz.hpp": '#include "quartz/classes/class_table.hpp"\n',
    "include/quartz/algebra/angle.hpp": '#include "quartz/base/errors.hpp"\n',
    "include/quartz/circuit/circuit.hpp": '#include "quartz/algebra/angle.hpp"\n',
    "include/quartz/verify/prover.hpp": '#include "quartz/circuit/circuit.hpp"\n',
    "include/quartz/classes/class_table.hpp": '#include "quartz/circuit/circuit.hpp"\n',
    "src/base/files.cpp": '#include "quartz/base/files.hpp"\n',
    "src/algebra/ring.hpp": "#include <vector>\n",
    "src/circuit/circuit.cpp": '#include "quartz/base/files.hpp"\n#include "algebra/ring.hpp"\n',
    "src/verify/z3_prover.cpp": '#include "quartz/verify/prover.hpp"\n#include <z3++.h>\n',
    "src/verify/encoding.hpp": "#include <vector>\n",
    "src/optimize/search.cpp": '#include "quartz/classes/class_table.hpp"\n',
    "src/optimize/walk.cpp": '#include "quartz/verify/prover.hpp"\n',
    "src/classes/cuda/keys.cu": "#include <cuda_runtime.h>\n",
    "apps/quartz_opt.cpp": '#include "cli/commands.hpp"\n',
}

# For each violation, the files added to or replaced in the clean tree, and the expected report.
VIOLATIONS = {
    "a folder that includes one above it in its module": (
        {"src/optimize/state/version.hpp": '#include "optimize/searches/anneal.hpp"\n'},
        "src/optimize/state/version.hpp:1: state may not include optimize/searches/anneal.hpp",
    ),
    "a folder without arrows inside a module that has some": (
        {"src/optimize/extra/new.hpp": '#include "optimize/state/version.hpp"\n'},
        "src/optimize/extra/new.hpp:1: extra is not a folder of its module",
    ),
    "an include that no arrow permits": (
        {"src/algebra/angle.cpp": '#include <string>\n\n#include "quartz/circuit/circuit.hpp"\n'},
        "src/algebra/angle.cpp:3: algebra may not include quartz/circuit/circuit.hpp",
    ),
    "certify includes the search": (
        {"src/certify/replay.cpp": '#include "quartz/rewrite/window.hpp"\n'},
        "src/certify/replay.cpp:1: certify may not include quartz/rewrite/window.hpp",
    ),
    "an internal header where only public ones are permitted": (
        {"src/optimize/search.cpp": '#include "verify/encoding.hpp"\n'},
        "src/optimize/search.cpp:1: optimize may not include verify/encoding.hpp",
    ),
    "a public header other than the permitted one": (
        {"src/optimize/search.cpp": '#include "quartz/enumerate/generate.hpp"\n'},
        "src/optimize/search.cpp:1: optimize may not include quartz/enumerate/generate.hpp",
    ),
    "a public header that includes an internal one": (
        {"include/quartz/circuit/circuit.hpp": '#include "algebra/ring.hpp"\n'},
        "include/quartz/circuit/circuit.hpp:1: a public header may not include the internal",
    ),
    "an include in angle brackets": (
        {"src/algebra/angle.cpp": "#include <quartz/circuit/circuit.hpp>\n"},
        "src/algebra/angle.cpp:1: algebra may not include quartz/circuit/circuit.hpp",
    ),
    "an include without its module": (
        {"src/circuit/circuit.cpp": '#include "circuit.hpp"\n'},
        'src/circuit/circuit.cpp:1: "circuit.hpp" must be included with its module',
    ),
    "a bottom header that includes a module": (
        {"include/quartz/base/errors.hpp": '#include "quartz/algebra/angle.hpp"\n'},
        "include/quartz/base/errors.hpp:1: base may not include quartz/algebra/angle.hpp",
    ),
    "a header outside of the modules that includes one": (
        {"include/quartz/loose.hpp": '#include "quartz/algebra/angle.hpp"\n'},
        "include/quartz/loose.hpp:1: loose.hpp belongs to no module",
    ),
    "the umbrella header includes an internal one": (
        {"include/quartz/quartz.hpp": '#include "algebra/ring.hpp"\n'},
        "include/quartz/quartz.hpp:1: a public header may not include the internal algebra/ring.hpp",
    ),
    "a module includes the umbrella header": (
        {"src/optimize/walk.cpp": '#include "quartz/quartz.hpp"\n'},
        "src/optimize/walk.cpp:1: quartz/quartz.hpp is not one of the headers",
    ),
    "the search calls the workflow": (
        {"src/optimize/walk.cpp": '#include "quartz/workflow/superoptimize.hpp"\n'},
        "src/optimize/walk.cpp:1: optimize may not include quartz/workflow/superoptimize.hpp",
    ),
    "an unknown bottom header": (
        {"src/circuit/circuit.cpp": '#include "quartz/everything.hpp"\n'},
        "src/circuit/circuit.cpp:1: quartz/everything.hpp is not one of the headers",
    ),
    "a module without arrows": (
        {"src/utils/strings.cpp": "#include <string>\n"},
        "src/utils:1: the folder is not a module with arrows",
    ),
    "a second file that includes Z3": (
        {"src/verify/other.cpp": "#include <z3.h>\n"},
        "src/verify/z3_prover.cpp:2: Z3 may be included in one file only",
    ),
    "Z3 included in a header": (
        {"src/verify/encoding.hpp": "#include <z3++.h>\n"},
        "src/verify/encoding.hpp:1: Z3 may be included only in a .cpp file",
    ),
    "Z3 included in another module": (
        {"src/enumerate/generate.cpp": "#include <z3++.h>\n"},
        "src/enumerate/generate.cpp:1: Z3 may be included only in src/verify",
    ),
    "CUDA included in another folder": (
        {"src/fingerprint/registry.cpp": "#include <cuda_runtime.h>\n"},
        "src/fingerprint/registry.cpp:1: CUDA may be included only in the folder cuda of a module",
    ),
    "MPI included in another file": (
        {"src/cli/command.cpp": "#include <mpi.h>\n"},
        "src/cli/command.cpp:1: MPI may be included only in src/cli/mpi/mpi_ranks.cpp",
    ),
    "a CUDA source in another folder": (
        {"src/optimize/walk.cu": "#include <string>\n"},
        "src/optimize/walk.cu:1: CUDA sources belong in the folder cuda of a module",
    ),
    "a private header in the namespace of public ones": (
        {"src/algebra/ring.hpp": "namespace quartz {\n"},
        "src/algebra/ring.hpp:1: the namespace is quartz, expected quartz::algebra",
    ),
    "a source in the namespace of another module": (
        {"src/algebra/angle.cpp": "\nnamespace quartz::circuit {\n"},
        "src/algebra/angle.cpp:2: the namespace is quartz::circuit, expected quartz::algebra",
    ),
    "a public header in the namespace of its module": (
        {"include/quartz/circuit/cost.hpp": "namespace quartz::circuit {\n"},
        "include/quartz/circuit/cost.hpp:1: the namespace is quartz::circuit, expected quartz",
    ),
    "headers that include each other": (
        {
            "include/quartz/circuit/circuit.hpp": '#include "quartz/circuit/cost.hpp"\n',
            "include/quartz/circuit/cost.hpp": '#include "quartz/circuit/circuit.hpp"\n',
        },
        "headers include each other in a cycle: include/quartz/circuit/c",
    ),
}


def check(files):
    """Runs the checker on a tree of these files. Returns its exit status and output."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/check_layers.py", folder],
            capture_output=True,
            text=True,
            check=False,
        )
    return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def test_clean_tree_passes(self):
        status, output = check(CLEAN)
        self.assertEqual(status, 0, output)

    def test_each_violation_is_found(self):
        for name, (files, expected) in VIOLATIONS.items():
            with self.subTest(name):
                status, output = check(CLEAN | files)
                self.assertEqual(status, 1, output)
                self.assertIn(expected, output)


if __name__ == "__main__":
    unittest.main()

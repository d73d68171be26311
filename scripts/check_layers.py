#!/usr/bin/env python3
"""Checks that the modules include each other only along the arrows of the architecture, and that
namespaces follow folders.

Reads every #include under include/, src/, apps/ and python/. A module is a folder of src/; the public
headers of module m are include/quartz/m/*.hpp ("quartz/m/x.hpp"), its internal ones are src/m/*.hpp
("m/x.hpp"). The bindings for Python are one more module, with headers "python/bindings/x.hpp".
Prints each violation as file:line and exits with 1 if there is one.

    check_layers.py [ROOT]
"""

import dataclasses
import graphlib
import pathlib
import re
import sys

# The module that every other module may include.
BOTTOM = "base"

# Includes public headers of all modules, for programs that use the library. No module may include it.
UMBRELLA = "include/quartz/quartz.hpp"

# The C interface, which belongs to no folder of include/quartz and is for one module only.
C_HEADER = "quartz/quartz.h"
C_MODULE = "c"

# Who may include whom: each module with those that its files may include. "verify: public" is
# verify's public headers only; a name with a path is that one header.
ARROWS = {
    "base": [],
    "algebra": [],
    "flips": [],
    "parity_chains": [],
    "window_chains": ["algebra"],
    # Layouts of files: data, which the replay shares with the writer of journals.
    "formats": [],
    "circuit": ["algebra", "formats"],
    "approximation": ["algebra", "circuit"],
    "qasm": ["algebra", "circuit"],
    "target": ["algebra", "circuit"],
    "fingerprint": ["algebra", "circuit"],
    "journal": ["algebra", "circuit", "formats"],
    "verify": ["algebra", "circuit"],
    "rules": ["algebra", "circuit", "target"],
    "classes": ["algebra", "circuit", "fingerprint", "target"],
    "enumerate": [
        "algebra",
        "circuit",
        "classes",
        "fingerprint",
        "rules",
        "target",
        "verify: public",
    ],
    "rewrite": ["algebra", "circuit", "fingerprint", "rules"],
    "optimize": [
        "algebra",
        "circuit",
        "target",
        "rules",
        "rewrite",
        "quartz/classes/class_table.hpp",
        "classes/table/class_table.hpp",
        "flips",
        "parity_chains",
        "window_chains",
        "verify: public",
        "verify/window_prover.hpp",
    ],
    # The replay of results shares no code with the search.
    "certify": ["algebra", "circuit", "formats", "rules"],
    # Certificates of several parts, which share no code with the search either.
    "compound_journal": [
        "algebra: public",
        "circuit: public",
        "qasm: public",
        "certify: public",
    ],
    # The whole job for one caller. It knows search and check, which do not know each other or it.
    "workflow": [
        "circuit/derivation.hpp",
        "circuit/history.hpp",
        "journal/history_file.hpp",
        "journal/history_writer.hpp",
        "optimize/derived_search.hpp",
        "optimize/hadamard_gadgets/gadget_circuit.hpp",
        "optimize/hamming_weights/weight_circuit.hpp",
        "optimize/local_optimality/segment_service.hpp",
        "optimize/measured_ancillas/ancilla_step.hpp",
        "optimize/measured_ancillas/obstacle_to_ancillas.hpp",
        "optimize/parallel_rotations/parallel_circuit.hpp",
        "optimize/passes/circuit_pass.hpp",
        "approximation: public",
        "circuit: public",
        "qasm: public",
        "target: public",
        "rules: public",
        "classes: public",
        "enumerate: public",
        "optimize: public",
        "certify: public",
        "compound_journal: public",
    ],
    # Reports about a run, for the commands and for Python.
    "report": [
        "algebra: public",
        "circuit: public",
        "optimize: public",
        "certify: public",
        "workflow: public",
    ],
    # The C interface.
    "c": [
        "circuit: public",
        "qasm: public",
        "target: public",
        "rules: public",
        "optimize: public",
        "certify: public",
        "workflow: public",
    ],
    "cli": [
        "algebra: public",
        "circuit: public",
        "qasm: public",
        "target: public",
        "fingerprint: public",
        "verify: public",
        "rules: public",
        "classes: public",
        "enumerate: public",
        "rewrite: public",
        "optimize: public",
        "certify: public",
        "compound_journal: public",
        "workflow: public",
        "report",
    ],
    "apps": ["cli"],
    "python": [
        "algebra: public",
        "circuit: public",
        "qasm: public",
        "target: public",
        "rules: public",
        "classes: public",
        "enumerate: public",
        "certify: public",
        "workflow: public",
        "report: public",
    ],
}

# The same within modules that consist of several folders: each folder with the folders of its module
# that it may include. "." is what lies in the module's own folder.
INNER_ARROWS = {
    "qasm": {
        "text": [],
        "syntax": ["text"],
        "gates": ["syntax", "text"],
        "scope": ["gates", "syntax", "text"],
        "builder": ["gates", "text"],
        "files": ["text"],
        "reader": ["builder", "files", "gates", "scope", "syntax", "text"],
        "writer": ["gates", "text"],
    },
    "approximation": {
        "rings": [],
        ".": ["rings"],
    },
    "classes": {
        "letters": [],
        "backend": [],
        "cpu": ["backend", "letters"],
        "cuda": ["backend"],
        ".": ["backend", "cpu", "cuda", "letters"],
        "table": [".", "backend", "cpu", "letters"],
    },
    "flips": {
        "chain": [],
        "backend": ["chain"],
        "cuda": ["backend", "chain"],
        ".": ["backend", "chain", "cuda"],
    },
    "parity_chains": {
        "chain": [],
        "backend": ["chain"],
        "cuda": ["backend", "chain"],
        ".": ["backend", "chain", "cuda"],
    },
    "window_chains": {
        "chain": [],
        "backend": ["chain"],
        "cuda": ["backend", "chain"],
        ".": ["backend", "chain", "cuda"],
    },
    "optimize": {
        "cost": [],
        "pauli": [],
        "pauli_network": ["pauli"],
        "phase_polynomial": [],
        "gate_blocks": [],
        "linear": ["gate_blocks"],
        "clifford_synthesis": ["pauli", "pauli_network"],
        "products": [],
        "algebras": ["products"],
        "product_reduction": ["algebras", "products"],
        "product_variants": ["product_reduction", "products"],
        "product_synthesis": ["linear", "products"],
        "rank_reduction": ["products"],
        "evaluation_tables": ["algebras", "products", "rank_reduction"],
        "product_layers": [
            "evaluation_tables",
            "pauli",
            "pauli_network",
            "product_reduction",
            "product_variants",
            "products",
            "rank_reduction",
        ],
        "measured_ancillas": ["pauli", "pauli_network", "product_layers", "products"],
        "hadamard_gadgets": [
            "measured_ancillas",
            "pauli",
            "pauli_network",
            "product_layers",
            "product_reduction",
            "products",
            "rank_reduction",
        ],
        "hamming_weights": [
            "measured_ancillas",
            "pauli",
            "pauli_network",
            "product_layers",
            "products",
        ],
        "parallel_rotations": ["measured_ancillas", "pauli", "pauli_network"],
        "resets": ["pauli"],
        "repetitions": ["state"],
        "state": ["cost"],
        "passes": ["cancellation", "cost", "linear", "resets", "resynthesis", "runs", "state"],
        "folding": ["pauli", "state", "windows"],
        "resynthesis": ["cost", "pauli", "state"],
        "windows": [],
        "cancellation": ["cost", "folding", "pauli", "state", "windows"],
        "runs": ["cancellation", "cost", "pauli", "state"],
        "scheduling": ["pauli", "resynthesis", "runs"],
        "instantiation": ["cost", "resynthesis", "state", "windows"],
        "window_device": [],
        "annealing": ["cost", "pauli", "phase_polynomial", "state", "window_device"],
        "local_optimality": ["annealing", "cost", "state"],
        "backtracking": ["cost"],
        "search": ["cost", "state"],
        "layer_rewriting": [
            "pauli_network",
            "product_layers",
            "product_synthesis",
            "search",
            "state",
        ],
        "searches": [
            "annealing",
            "backtracking",
            "cancellation",
            "scheduling",
            "clifford_synthesis",
            "cost",
            "folding",
            "gate_blocks",
            "instantiation",
            "layer_rewriting",
            "linear",
            "local_optimality",
            "pauli",
            "pauli_network",
            "product_layers",
            "product_synthesis",
            "products",
            "repetitions",
            "resynthesis",
            "runs",
            "search",
            "state",
            "windows",
        ],
        ".": ["search", "searches", "state", "window_device"],
    },
    "certify": {
        "problem": [],
        "order": [],
        "path_sum": ["problem"],
        "pauli": ["problem"],
        "simulation": ["problem"],
        "field": ["problem", "simulation"],
        "methods": ["field", "path_sum", "pauli", "problem", "simulation"],
        "replay": ["methods", "order", "path_sum", "pauli", "problem", "simulation"],
        ".": ["methods", "order", "path_sum", "problem", "simulation"],
    },
    "cli": {
        ".": [],
        "options": ["output"],
        "mpi": ["."],
        "output": ["."],
        "gen": [".", "output"],
        "workers": ["."],
        "opt": [".", "options", "output", "workers"],
        "check": [".", "options", "output"],
    },
    "workflow": {
        ".": ["certificate"],
        "certificate": [],
        "rotations": ["."],
        "stages": [".", "certificate", "rotations"],
        "tasks": ["."],
    },
    "report": {
        ".": ["drawing"],
        "drawing": [],
    },
}

# Headers of other libraries that only one place may include.
Z3_HEADER = re.compile(r"z3[\w+]*\.h")
CUDA_HEADER = re.compile(r"(cuda|cub/|thrust/|cooperative_groups|device_launch_parameters|nccl)")
CUDA_FOLDER = re.compile(r"src/\w+/cuda/")
MPI_HEADER = "mpi.h"
MPI_FILE = "src/cli/mpi/mpi_ranks.cpp"

# Namespaces that differ from the rule: private headers of src/x/ declare everything in quartz::x.
NAMESPACES = {"base": "quartz", "optimize": "quartz::optimizer"}
# Headers that also define a class that a public header only declares.
DEFINES_PUBLIC_CLASS = {"src/classes/table/class_table.hpp"}
NAMESPACE = re.compile(r"namespace (quartz\b[\w:]*)")
HEADERS = {".hpp", ".cuh"}

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = {".hpp", ".cpp", ".h", ".inc", ".cu", ".cuh"}


@dataclasses.dataclass(frozen=True)
class Include:
    file: pathlib.PurePosixPath  # the including file, relative to the root
    line: int
    target: str  # as written, without quotes
    quoted: bool

    def violation(self, message):
        return f"{self.file}:{self.line}: {message}"


def read_includes(root):
    """Returns every include of the source files, in the order of files and lines."""
    includes = []
    for top in ("include", "src", "apps", "python"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            file = pathlib.PurePosixPath(path.relative_to(root))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if match := INCLUDE.match(line):
                    target = match[1] or match[2]
                    includes.append(Include(file, number, target, match[1] is not None))
    return includes


def module_of_file(file):
    """Returns the module of a file; None for public headers that belong to no module."""
    parts = file.parts
    if parts[0] == "include":
        return parts[2] if len(parts) > 3 else None
    return parts[1] if parts[0] == "src" else parts[0]


def owner_of(target):
    """Returns (module, is_public) of an include with quotes."""
    parts = target.split("/")
    if parts[0] == "quartz":
        return (parts[1] if len(parts) > 2 else None), True
    return (parts[0] if len(parts) > 1 else None), False


def allowed(module, target):
    owner, public = owner_of(target)
    arrows = ARROWS[module]
    return owner in arrows or target in arrows or (public and f"{owner}: public" in arrows)


def check_arrow(include):
    """Returns the fault of an include of one of our own headers, or None."""
    module = module_of_file(include.file)
    owner, public = owner_of(include.target)
    if owner == BOTTOM and module is not None and (public or include.file.parts[0] != "include"):
        return None
    if include.target == C_HEADER and module == C_MODULE:
        return None
    if owner is None:
        if public:
            return f"{include.target} is not one of the headers that all modules may include"
        return f'"{include.target}" must be included with its module: "module/header.hpp"'
    if owner not in ARROWS:
        return f"{include.target}: {owner} is not a module listed in {sys.argv[0]}"
    if module is None and str(include.file) == UMBRELLA:
        return None if public else f"a public header may not include the internal {include.target}"
    if module is None:
        return f"{include.file.name} belongs to no module and may not include {include.target}"
    if module not in ARROWS:
        return f"{module} is not a module listed in {sys.argv[0]}"
    if include.file.parts[0] == "include" and not public:
        return f"a public header may not include the internal {include.target}"
    if owner != module and not allowed(module, include.target):
        return f"{module} may not include {include.target}: no arrow permits it"
    if owner == module and not public and module in INNER_ARROWS:
        return check_inner_arrow(include, INNER_ARROWS[module])
    return None


def check_inner_arrow(include, arrows):
    """What is wrong with an include between two folders of one module, or None."""
    folders = include.file.parts[2:-1] if include.file.parts[0] == "src" else ()
    folder = folders[0] if folders else "."
    targets = include.target.split("/")[1:-1]
    target = targets[0] if targets else "."
    if folder not in arrows:
        return f"{folder} is not a folder of its module that {sys.argv[0]} knows"
    if folder == target or target in arrows[folder]:
        return None
    return f"{folder} may not include {include.target}: there is no such arrow in its module"


def check_own(includes):
    for include in includes:
        if include.quoted or include.target.startswith("quartz/"):
            if message := check_arrow(include):
                yield include.violation(message)


def check_foreign(includes):
    z3_files = []
    for include in includes:
        if include.quoted:
            continue
        if Z3_HEADER.fullmatch(include.target):
            z3_files.append(include)
            if module_of_file(include.file) != "verify":
                yield include.violation("Z3 may be included only in src/verify")
            elif include.file.suffix != ".cpp":
                yield include.violation("Z3 may be included only in a .cpp file, not in a header")
        if CUDA_HEADER.match(include.target) and not CUDA_FOLDER.match(str(include.file)):
            yield include.violation("CUDA may be included only in the folder cuda of a module")
        if include.target == MPI_HEADER and str(include.file) != MPI_FILE:
            yield include.violation(f"MPI may be included only in {MPI_FILE}")
    first = z3_files[0].file if z3_files else None
    for include in z3_files:
        if include.file != first:
            yield include.violation(f"Z3 may be included in one file only, and {first} includes it")


def check_cycles(includes):
    """Yields the headers that include each other in a cycle."""
    graph = {}
    for include in includes:
        top = "include" if include.target.startswith("quartz/") else "src"
        if include.quoted:
            graph.setdefault(str(include.file), set()).add(f"{top}/{include.target}")
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
        yield f"{circle[0]}:1: headers include each other in a cycle: " + " -> ".join(circle)


def check_namespaces(root):
    """Yields the namespaces that headers and sources open and that do not follow their folders."""
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in SOURCES or not path.is_file():
            continue
        file = path.relative_to(root)
        own = NAMESPACES.get(file.parts[1], f"quartz::{file.parts[1]}")
        is_private = path.suffix in HEADERS and file.as_posix() not in DEFINES_PUBLIC_CLASS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = NAMESPACE.match(line)
            if not match or match[1] == own or match[1].startswith(own + "::"):
                continue
            if is_private or match[1] != "quartz":
                yield f"{file.as_posix()}:{number}: the namespace is {match[1]}, expected {own}"
    for path in sorted((root / "include").rglob("*.hpp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = NAMESPACE.match(line)
            if match and match[1] != "quartz":
                file = path.relative_to(root).as_posix()
                yield f"{file}:{number}: the namespace is {match[1]}, expected quartz"


def check_folders(root):
    """Yields folders that are not modules with arrows, and CUDA sources outside of their folder."""
    for parent in ("src", "include/quartz"):
        for folder in sorted((root / parent).iterdir()):
            if folder.is_dir() and folder.name not in ARROWS:
                yield f"{parent}/{folder.name}:1: the folder is not a module with arrows"
    for path in sorted((root / "src").rglob("*.cu*")):
        name = path.relative_to(root).as_posix()
        if not CUDA_FOLDER.match(name):
            yield f"{name}:1: CUDA sources belong in the folder cuda of a module"


def violations(root):
    includes = read_includes(root)
    yield from check_folders(root)
    yield from check_own(includes)
    yield from check_foreign(includes)
    yield from check_cycles(includes)
    yield from check_namespaces(root)


def require_acyclic_arrows():
    graph = {
        module: {arrow.split(":")[0].removeprefix("quartz/").split("/")[0] for arrow in arrows}
        for module, arrows in ARROWS.items()
    }
    graphlib.TopologicalSorter(graph).prepare()
    for arrows in INNER_ARROWS.values():
        graphlib.TopologicalSorter(arrows).prepare()


def main():
    if len(sys.argv) > 2:
        sys.exit(f"usage: {sys.argv[0]} [ROOT]")
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else here
    require_acyclic_arrows()
    found = list(violations(root))
    for violation in found:
        print(violation)
    if found:
        sys.exit(1)
    print(f"{len(read_includes(root))} includes, all permitted by the arrows")


if __name__ == "__main__":
    main()

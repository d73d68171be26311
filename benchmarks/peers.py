"""Runs one other optimizer or checker on one file or two, in a separate process.

    python -m benchmarks.peers optimize PEER GATE_SET IN.qasm OUT.qasm     prints {"seconds": ...}
    python -m benchmarks.peers check CHECKER LEFT.qasm RIGHT.qasm SECONDS  prints {"verdict": ..., "seconds": ...}

Needs an interpreter that has the packages of requirements.txt. GATE_SET is a name or a file; the
output is in it. Each optimizer is run as its own documentation recommends, with all of its
optimizations and without connectivity limits. Seconds are those of the optimization without
reading, writing and imports; those of tzap, a program of its own, are of the whole process.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks import gate_sets, qasm
from benchmarks.gate_sets import GateSet

# The names of pytket for our gates. The names of Qiskit are ours.
PYTKET_NAMES = {
    "x": "X", "y": "Y", "z": "Z", "h": "H", "s": "S", "sdg": "Sdg", "t": "T", "tdg": "Tdg",
    "sx": "SX", "sxdg": "SXdg", "rx": "Rx", "ry": "Ry", "rz": "Rz", "u1": "U1", "u2": "U2",
    "u3": "U3", "cx": "CX", "cz": "CZ", "swap": "SWAP", "rxx": "XXPhase", "ryy": "YYPhase",
    "rzz": "ZZPhase",
}  # fmt: skip
ONE_QUBIT = set(PYTKET_NAMES) - {"cx", "cz", "swap", "rxx", "ryy", "rzz"}
# The other optimizers cannot restrict a rotation to certain angles, but know these by name.
NAMED_ROTATIONS = {"sx": ("rx", "pi/2"), "x": ("rx", "pi")}

Written = dict[str, tuple[str, str]]


class NotOffered(Exception):
    """The optimizer does not compile into this gate set."""


def basis_of(gate_set: GateSet) -> tuple[list[str], Written]:
    """Returns the basis that an optimizer is given for a gate set, and how gates of its output that
    are not in the set are written there: {name: (gate, angle)}."""
    basis: list[str] = []
    written: Written = {}
    for gate, choices in gate_set.gates.items():
        named = {
            name: (gate, angle)
            for name, (rotation, angle) in NAMED_ROTATIONS.items()
            if rotation == gate and (qasm.angle_value(angle),) in (choices or [])
        }
        if named:
            basis += list(named)
            written |= named
        else:
            basis.append(gate)
    return basis, written


def in_rotations(text: str, written: Written) -> str:
    """Returns a program with named rotations replaced by those of the gate set."""
    circuit = qasm.read(text)
    circuit.statements = [
        dataclasses.replace(
            statement, name=written[statement.name][0], angles=(written[statement.name][1],)
        )
        if statement.name in written
        else statement
        for statement in circuit.statements
    ]
    return qasm.write(circuit)


def qiskit(source: str, gate_set: GateSet) -> tuple[str, float]:
    """Qiskit: transpile at level 3."""
    from qiskit import qasm2, transpile

    basis, written = basis_of(gate_set)
    circuit = qasm2.loads(source, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    start = time.perf_counter()
    circuit = transpile(circuit, basis_gates=basis, optimization_level=3, seed_transpiler=0)
    seconds = time.perf_counter() - start
    return in_rotations(qasm2.dumps(circuit), written), seconds


def pytket(source: str, gate_set: GateSet) -> tuple[str, float]:
    """pytket: FullPeepholeOptimise, then AutoRebase, RemoveRedundancies and AutoSquash. Without the
    last two, the rebase leaves runs of one-qubit gates."""
    from pytket import OpType
    from pytket.passes import AutoRebase, AutoSquash, FullPeepholeOptimise, RemoveRedundancies
    from pytket.qasm import circuit_from_qasm_str, circuit_to_qasm_str

    names, written = basis_of(gate_set)
    if not set(names) <= set(PYTKET_NAMES):
        raise NotOffered(f"no gate set {gate_set.name}")
    basis = {getattr(OpType, PYTKET_NAMES[name]) for name in names}
    circuit = circuit_from_qasm_str(source)
    on_one_qubit = {getattr(OpType, PYTKET_NAMES[name]) for name in names if name in ONE_QUBIT}
    try:
        rebase, squash = AutoRebase(basis), AutoSquash(on_one_qubit)
    except RuntimeError as error:
        raise NotOffered(str(error)) from None
    start = time.perf_counter()
    FullPeepholeOptimise(allow_swaps=False).apply(circuit)
    for step in (rebase, RemoveRedundancies(), squash, RemoveRedundancies()):
        step.apply(circuit)
    seconds = time.perf_counter() - start
    return in_rotations(circuit_to_qasm_str(circuit), written), seconds


def require_nam(gate_set: GateSet) -> None:
    """Raises NotOffered for any other gate set than {h, x, rz, cx}."""
    if set(gate_set.gates) != qasm.NAM_GATES:
        raise NotOffered(f"no gate set {gate_set.name}")


def pyzx(source: str, gate_set: GateSet) -> tuple[str, float]:
    """PyZX: teleport_reduce, then basic_optimization."""
    import pyzx as zx

    require_nam(gate_set)
    circuit = zx.Circuit.from_qasm(source)
    start = time.perf_counter()
    circuit = zx.Circuit.from_graph(zx.teleport_reduce(circuit.to_graph()))
    circuit = zx.basic_optimization(circuit.to_basic_gates())
    seconds = time.perf_counter() - start
    return qasm.write(qasm.in_nam(qasm.read(circuit.to_qasm()))), seconds


# No further circuit is made after this time.
TODD_SEEDS = 8
TODD_SECONDS = 30


def pyzx_todd(source: str, gate_set: GateSet) -> tuple[str, float]:
    """PyZX for few T gates: full_reduce and the extraction of a circuit, then full_optimize, which
    is basic_optimization and TODD (phase_block_optimize). TODD draws random numbers, and what comes
    before full_reduce matters, so there are many circuits; the one with the fewest T gates counts."""
    import random

    import pyzx as zx

    def in_basic_gates(circuit: zx.Circuit) -> zx.Circuit:
        return zx.basic_optimization(circuit.to_basic_gates())

    require_nam(gate_set)
    given = zx.Circuit.from_qasm(source).to_basic_gates()
    found = None
    start = time.perf_counter()
    teleported = zx.Circuit.from_graph(zx.teleport_reduce(given.to_graph()))
    starts = [given, in_basic_gates(given), in_basic_gates(teleported)]
    for seed in range(TODD_SEEDS * len(starts)):
        if found is not None and time.perf_counter() - start > TODD_SECONDS:
            break
        random.seed(seed)
        graph = starts[seed % len(starts)].to_graph()
        zx.full_reduce(graph)
        try:
            circuit = zx.full_optimize(zx.extract_circuit(graph).to_basic_gates())
        except TypeError as error:  # other angles than multiples of pi/4
            raise NotOffered(str(error)) from None
        if found is None or circuit.tcount() < found.tcount():
            found = circuit
    seconds = time.perf_counter() - start
    return qasm.write(qasm.in_nam(qasm.read(found.to_basic_gates().to_qasm()))), seconds


def tzap(source: str, gate_set: GateSet) -> tuple[str, float]:
    """tzap -O3."""
    require_nam(gate_set)
    program = pathlib.Path(sys.executable).with_name("tzap")
    command = [str(program), "-O3", "--decompose-ccx", "-o", "/dev/stdout", "/dev/stdin"]
    start = time.perf_counter()
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    text = done.stdout[done.stdout.index("OPENQASM") :]
    return qasm.write(qasm.in_nam(qasm.read(text))), seconds


PEERS: dict[str, Callable[[str, GateSet], tuple[str, float]]] = {
    "qiskit": qiskit,
    "pytket": pytket,
    "pyzx": pyzx,
    "tzap": tzap,
    "pyzx_todd": pyzx_todd,
}
# Those that are run unless others are named; pyzx_todd takes minutes, and more gates for fewer T.
USUAL_PEERS = ["qiskit", "pytket", "pyzx", "tzap"]
# The package of each peer whose name is another one.
PACKAGES = {"pyzx_todd": "pyzx"}
# Those that compile into any gate set.
NATIVE_PEERS = ["qiskit", "pytket"]


def package_of(peer: str) -> str:
    """Returns the package of requirements.txt that a peer needs."""
    return PACKAGES.get(peer, peer)


def check_by_qcec(left: str, right: str, limit: float) -> str:
    """Returns QCEC's verdict: equivalent, not equivalent, or undecided and why."""
    from mqt import qcec

    found = qcec.verify(left, right, timeout=limit).equivalence.name
    if found in ("equivalent", "equivalent_up_to_global_phase"):
        return "equivalent"
    return "not equivalent" if found == "not_equivalent" else f"undecided: {found}"


def check_by_pyzx(left: str, right: str, limit: float) -> str:
    """Returns PyZX's verdict: equivalent if one circuit followed by the inverse of the other one
    reduces to the identity, otherwise undecided, because PyZX proves no difference. PyZX has no time
    limit of its own."""
    import pyzx as zx

    circuits = [zx.Circuit.load(path) for path in (left, right)]
    is_identity = circuits[0].verify_equality(circuits[1])
    return "equivalent" if is_identity else "undecided: not reduced to the identity"


CHECKERS: dict[str, Callable[[str, str, float], str]] = {
    "qcec": check_by_qcec,
    "pyzx": check_by_pyzx,
}


def main() -> None:
    if sys.argv[1] == "check":
        checker, left, right, limit = sys.argv[2:6]
        start = time.perf_counter()
        verdict = CHECKERS[checker](left, right, float(limit))
        print(json.dumps({"verdict": verdict, "seconds": time.perf_counter() - start}))
        return
    peer, gate_set, source, output = sys.argv[2:6]
    try:
        program = pathlib.Path(source).read_text(encoding="utf-8")
        text, seconds = PEERS[peer](program, gate_sets.load(gate_set))
    except NotOffered as reason:
        print(json.dumps({"not_offered": str(reason)}))
        return
    pathlib.Path(output).write_text(text, encoding="utf-8")
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs one other optimizer, or the QCEC checker, on one file. Called by bench.py, one process a
call, with the Python that has the packages of bench_requirements.txt.

    bench_peers.py optimize PEER GATE_SET IN.qasm OUT.qasm     prints {"seconds": ...}
    bench_peers.py check LEFT.qasm RIGHT.qasm SECONDS          prints {"verdict": ...}

GATE_SET is a name or a file; OUT.qasm is in it. Each peer is run as its own documentation does,
with all of its optimization and no connectivity limits. Seconds are those of the optimization
without reading, writing and imports; for tzap, a program of its own, those of the whole process.
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import time

import bench_gate_sets
import flat_qasm

# The gate table's names as pytket's; Qiskit's are the same.
PYTKET_NAMES = {
    "x": "X", "y": "Y", "z": "Z", "h": "H", "s": "S", "sdg": "Sdg", "t": "T", "tdg": "Tdg",
    "sx": "SX", "sxdg": "SXdg", "rx": "Rx", "ry": "Ry", "rz": "Rz", "u1": "U1", "u2": "U2",
    "u3": "U3", "cx": "CX", "cz": "CZ", "swap": "SWAP", "rxx": "XXPhase", "ryy": "YYPhase",
    "rzz": "ZZPhase",
}  # fmt: skip
ONE_QUBIT = set(PYTKET_NAMES) - {"cx", "cz", "swap", "rxx", "ryy", "rzz"}
# Peers know no gates of certain angles only; these they know under a name of their own.
NAMED_ROTATIONS = {"sx": ("rx", "pi/2"), "x": ("rx", "pi")}


class NotOffered(Exception):
    """The peer does not compile into this gate set."""


def basis_of(gate_set):
    """The gate set's gates, and how outputs in them are written in it: {name: (gate, angle)}."""
    basis, written = [], {}
    for gate, choices in gate_set.gates.items():
        named = {
            name: (gate, angle)
            for name, (rotation, angle) in NAMED_ROTATIONS.items()
            if rotation == gate and (flat_qasm.angle_value(angle),) in (choices or [])
        }
        if named:
            basis += list(named)
            written |= named
        else:
            basis.append(gate)
    return basis, written


def in_rotations(text, written):
    """An output whose named rotations are written as the gate set has them."""
    circuit = flat_qasm.read(text)
    circuit.statements = [
        dataclasses.replace(
            statement, name=written[statement.name][0], angles=(written[statement.name][1],)
        )
        if statement.name in written
        else statement
        for statement in circuit.statements
    ]
    return flat_qasm.write(circuit)


def qiskit(source, gate_set):
    """transpile at level 3"""
    from qiskit import qasm2, transpile

    basis, written = basis_of(gate_set)
    circuit = qasm2.loads(source, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    start = time.perf_counter()
    circuit = transpile(circuit, basis_gates=basis, optimization_level=3, seed_transpiler=0)
    seconds = time.perf_counter() - start
    return in_rotations(qasm2.dumps(circuit), written), seconds


def pytket(source, gate_set):
    """FullPeepholeOptimise, then AutoRebase, RemoveRedundancies and AutoSquash: without the last
    two, the rebase leaves runs of one-qubit gates"""
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


def only_nam(gate_set):
    if set(gate_set.gates) != {"h", "x", "rz", "cx"}:
        raise NotOffered(f"no gate set {gate_set.name}")


def pyzx(source, gate_set):
    """teleport_reduce, then basic_optimization"""
    import pyzx as zx

    only_nam(gate_set)
    circuit = zx.Circuit.from_qasm(source)
    start = time.perf_counter()
    circuit = zx.Circuit.from_graph(zx.teleport_reduce(circuit.to_graph()))
    circuit = zx.basic_optimization(circuit.to_basic_gates())
    seconds = time.perf_counter() - start
    return flat_qasm.write(flat_qasm.in_nam(flat_qasm.read(circuit.to_qasm()))), seconds


def tzap(source, gate_set):
    """tzap -O3"""
    only_nam(gate_set)
    program = pathlib.Path(sys.executable).with_name("tzap")
    command = [program, "-O3", "--decompose-ccx", "-o", "/dev/stdout", "/dev/stdin"]
    start = time.perf_counter()
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    text = done.stdout[done.stdout.index("OPENQASM") :]
    return flat_qasm.write(flat_qasm.in_nam(flat_qasm.read(text))), seconds


PEERS = {"qiskit": qiskit, "pytket": pytket, "pyzx": pyzx, "tzap": tzap}


def check(left, right, seconds):
    """QCEC's verdict on two files: equivalent, not equivalent, or undecided and why."""
    from mqt import qcec

    found = qcec.verify(left, right, timeout=float(seconds)).equivalence.name
    if found in ("equivalent", "equivalent_up_to_global_phase"):
        return "equivalent"
    return "not equivalent" if found == "not_equivalent" else f"undecided: {found}"


def main():
    if sys.argv[1] == "check":
        print(json.dumps({"verdict": check(*sys.argv[2:5])}))
        return
    peer, gate_set, source, output = sys.argv[2:6]
    try:
        text, seconds = PEERS[peer](
            pathlib.Path(source).read_text(), bench_gate_sets.load(gate_set)
        )
    except NotOffered as reason:
        print(json.dumps({"not_offered": str(reason)}))
        return
    pathlib.Path(output).write_text(text)
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()

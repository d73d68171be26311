#!/usr/bin/env python3
"""Runs one other optimizer, or the QCEC checker, on one file. Called by bench.py, one process a
call, with the Python that has the packages of bench_requirements.txt.

    bench_peers.py optimize PEER GATE_SET IN.qasm OUT.qasm     prints {"seconds": ...}
    bench_peers.py check LEFT.qasm RIGHT.qasm SECONDS          prints {"verdict": ...}

OUT.qasm is in the gate set. Each peer is run as its own documentation does, with all of its
optimization and no connectivity limits. Seconds are those of the optimization without reading,
writing and imports; for tzap, a program of its own, those of the whole process.
"""

import json
import pathlib
import subprocess
import sys
import time

import flat_qasm

QISKIT_BASIS = {
    "nam": ["h", "x", "rz", "cx"],
    "clifford_t": ["h", "x", "s", "sdg", "t", "tdg", "z", "cx"],
    "ibm": ["rz", "sx", "x", "cx"],
    "ibm_heron": ["rz", "sx", "x", "cz"],
    "ibm_u": ["u1", "u2", "u3", "cx"],
}
PYTKET_BASIS = {
    "nam": ["H", "X", "Rz", "CX"],
    "ibm": ["Rz", "SX", "X", "CX"],
    "ibm_heron": ["Rz", "SX", "X", "CZ"],
    "ibm_u": ["U1", "U2", "U3", "CX"],
}


class NotOffered(Exception):
    """The peer does not compile into this gate set."""


def basis_of(table, gate_set):
    if gate_set not in table:
        raise NotOffered(f"no gate set {gate_set}")
    return table[gate_set]


def qiskit(source, gate_set):
    """transpile at level 3"""
    from qiskit import qasm2, transpile

    basis = basis_of(QISKIT_BASIS, gate_set)
    circuit = qasm2.loads(source, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    start = time.perf_counter()
    circuit = transpile(circuit, basis_gates=basis, optimization_level=3, seed_transpiler=0)
    seconds = time.perf_counter() - start
    return qasm2.dumps(circuit), seconds


def pytket(source, gate_set):
    """FullPeepholeOptimise, then AutoRebase"""
    from pytket import OpType
    from pytket.passes import AutoRebase, FullPeepholeOptimise
    from pytket.qasm import circuit_from_qasm_str, circuit_to_qasm_str

    basis = {getattr(OpType, name) for name in basis_of(PYTKET_BASIS, gate_set)}
    circuit = circuit_from_qasm_str(source)
    start = time.perf_counter()
    FullPeepholeOptimise(allow_swaps=False).apply(circuit)
    AutoRebase(basis).apply(circuit)
    seconds = time.perf_counter() - start
    return circuit_to_qasm_str(circuit), seconds


def only_nam(gate_set):
    if gate_set != "nam":
        raise NotOffered(f"no gate set {gate_set}")


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
        text, seconds = PEERS[peer](pathlib.Path(source).read_text(), gate_set)
    except NotOffered as reason:
        print(json.dumps({"not_offered": str(reason)}))
        return
    pathlib.Path(output).write_text(text)
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()

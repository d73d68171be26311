"""Qiskit and BQSKit on a block of `bench.py numeric-blocks`, in a separate process.

    python -m benchmarks.block_peers PEER unitary IN.qasm OUT.qasm    prints {"seconds": ..., "variant": ...}
    python -m benchmarks.block_peers PEER state IN.qasm OUT.qasm

Needs an interpreter that has the packages of requirements.txt. A peer may begin with the circuit, or
with what it means: its unitary, or the state that it makes of |0...0>. Variants of the peer
run one after the other; one that has fewer CNOTs than those before it is written, and a line is printed
with the seconds of all variants until then, without imports.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable, Iterator

PACKAGES = {"qiskit", "bqskit"}

# Name, number of CNOTs and program.
Variants = Iterator[tuple[str, int, str]]


def qiskit(source: str, is_state: bool) -> Callable[[], Variants]:
    """Qiskit: level 3 on the circuit, and on its unitary (quantum Shannon decomposition) or its state
    (StatePreparation)."""
    from qiskit import QuantumCircuit, qasm2, transpile
    from qiskit.circuit.library import StatePreparation, UnitaryGate
    from qiskit.quantum_info import Operator, Statevector

    circuit = qasm2.loads(source, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    meaning = QuantumCircuit(circuit.num_qubits)
    gate = StatePreparation(Statevector(circuit)) if is_state else UnitaryGate(Operator(circuit))
    meaning.append(gate, range(circuit.num_qubits))

    def variants() -> Variants:
        for name, given in (("circuit", circuit), (gate.name, meaning)):
            found = transpile(given, basis_gates=["u3", "cx"], optimization_level=3, seed_transpiler=0)
            yield name, found.count_ops().get("cx", 0), qasm2.dumps(found)

    return variants


def bqskit(source: str, is_state: bool) -> Callable[[], Variants]:
    """BQSKit: synthesis of the unitary or of the state at once, at levels 1 and 3. Its results are
    approximate, with an error of about 1e-8."""
    import bqskit as package
    import numpy
    from bqskit.compiler import Compiler
    from bqskit.ir.gates import CXGate, U3Gate
    from bqskit.ir.lang.qasm2 import OPENQASM2Language
    from bqskit.qis import StateVector

    unitary = OPENQASM2Language().decode(source).get_unitary()
    qubits = unitary.num_qudits
    meaning = StateVector(numpy.asarray(unitary)[:, 0]) if is_state else unitary
    model = package.MachineModel(qubits, gate_set={CXGate(), U3Gate()})

    def variants() -> Variants:
        with Compiler(num_workers=2) as compiler:
            for level in (1, 3):
                found = package.compile(meaning, model, optimization_level=level, compiler=compiler,
                                        max_synthesis_size=max(3, qubits), seed=0)  # fmt: skip
                yield f"level {level}", found.count(CXGate()), OPENQASM2Language().encode(found)

    return variants


PEERS: dict[str, Callable[[str, bool], Callable[[], Variants]]] = {
    "qiskit": qiskit,
    "bqskit": bqskit,
}


def main() -> None:
    peer, kind, source, output = sys.argv[1:5]
    variants = PEERS[peer](pathlib.Path(source).read_text(encoding="utf-8"), kind == "state")
    start = time.perf_counter()
    fewest = None
    for name, cnots, text in variants():
        if fewest is not None and cnots >= fewest:
            continue
        fewest = cnots
        pathlib.Path(output).write_text(text, encoding="utf-8")
        # A later variant may take too long.
        print(json.dumps({"seconds": time.perf_counter() - start, "variant": name}), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether the native gate sets are kept, and what their two-qubit counts are beside Qiskit's.

    check_native.py [--count 50] [--seed 0] [--time 1s] [--gate-set NAME ...] [--programs DIR]
                    [--json FILE]

Random circuits by Qiskit go through quartz-opt (cost two-qubit,total, on one thread) into each native gate set.
Of each output, read by Qiskit: the unitary must be the input's up to a global phase, all gates must
be the set's, with angles in its ranges, and the number of gates on two qubits or more is compared
with that of Qiskit's transpiler at level 3 for the same target, in the same run. Qiskit does not
know every native gate: where it does not, it gets one that is equal to it up to one-qubit gates.
Where nothing keeps it from that, Qiskit takes swaps out and lets the outputs stand on other qubits;
such a circuit does something else, so that the comparison is with Qiskit at level 3 without these
two steps ("qiskit"), and the count with them is shown beside it ("permuted").
Needs DIR/quartz-opt (default build/bin), and installs Qiskit into build/venv.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import bench_gate_sets
import bench_programs
import flat_qasm

PACKAGES = {"qiskit"}
# What Qiskit compiles into for each gate set. ms with theta = pi/2 is a CNOT up to one-qubit gates.
# Google's square root of iSWAP is unknown to Qiskit's synthesis, as are ranges of angles to its
# basis gates.
QISKIT_BASES = {
    "ibm": ["rz", "sx", "x", "cx"],
    "ibm_eagle": ["rz", "sx", "x", "ecr"],
    "ibm_heron": ["rz", "sx", "x", "cz"],
    "ibm_heron_fractional": ["rz", "sx", "x", "rx", "cz", "rzz"],
    "ionq_aria": ["rz", "rx", "ry", "rxx"],
    "ionq_aria_full": ["rz", "sx", "cx"],
    "ionq_forte": ["rz", "rx", "ry", "rzz"],
    "quantinuum": ["rz", "rx", "ry", "rzz"],
    "rigetti": ["rz", "rx", "cz"],
    "rigetti_ankaa": ["rz", "rx", "iswap"],
    "iqm": ["r", "cz"],
    "google": ["rz", "rx", "cz"],
}


def random_program(index, seed):
    """Every other one of all of Qiskit's gates, the others of Clifford+T gates and rotations."""
    from qiskit import QuantumCircuit
    from qiskit.circuit.random import random_circuit

    if index % 2 == 0:
        return random_circuit(3 + index // 2 % 2, 5, max_operands=3, seed=seed + index)
    rng = random.Random(seed + index)
    circuit = QuantumCircuit(4)
    for _ in range(30):
        a, b, c = rng.sample(range(4), 3)
        angle = rng.uniform(-4, 4)
        rng.choice(
            [
                lambda: circuit.h(a),
                lambda: circuit.t(a),
                lambda: circuit.cx(a, b),
                lambda: circuit.cz(a, b),
                lambda: circuit.ccx(a, b, c),
                lambda: circuit.rz(angle, a),
                lambda: circuit.rx(angle, a),
                lambda: circuit.rzz(angle, a, b),
                lambda: circuit.cp(angle, a, b),
                lambda: circuit.swap(a, b),
            ]
        )()
    return circuit


def two_qubit_gates(circuit):
    return sum(1 for each in circuit.data if len(each.qubits) >= 2)


def in_qiskit(text):
    from qiskit import qasm2

    return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def passes_of(controller):
    for task in controller.tasks:
        if hasattr(task, "tasks"):
            yield from passes_of(task)
        else:
            yield task


def transpiled(circuit, name, seed, permuting):
    """By Qiskit at level 3; without `permuting` the same function, on the same qubits."""
    from qiskit.transpiler import PassManager
    from qiskit.transpiler.passes import ElidePermutations, Split2QUnitaries
    from qiskit.transpiler.preset_passmanagers import generate_preset_pass_manager

    manager = generate_preset_pass_manager(
        optimization_level=3, basis_gates=QISKIT_BASES[name], seed_transpiler=seed
    )
    if not permuting:
        manager.init = PassManager(
            [
                Split2QUnitaries(split_swap=False) if isinstance(each, Split2QUnitaries) else each
                for each in passes_of(manager.init.to_flow_controller())
                if not isinstance(each, ElidePermutations)
            ]
        )
    return manager.run(circuit)


def first_outside(circuit, gate_set):
    """The first gate that the set does not have, as text; None if there is none."""
    statements = [
        flat_qasm.Statement(
            each.operation.name, tuple(repr(float(value)) for value in each.operation.params), ()
        )
        for each in circuit.data
    ]
    return gate_set.first_outside(flat_qasm.FlatCircuit(circuit.num_qubits, {}, statements))


def check_one(index, name, arguments, folder):
    """(failure or None, two-qubit gates of ours, of Qiskit's, of Qiskit's with permutations)."""
    from qiskit import qasm2
    from qiskit.quantum_info import Operator

    circuit = random_program(index, arguments.seed)
    source = folder / f"{name}_{index}.qasm"
    target = folder / f"{name}_{index}.out.qasm"
    source.write_text(qasm2.dumps(circuit))
    command = [arguments.programs / "quartz-opt", source, "--output", target, "--quiet"]
    command += ["--gate-set", name, "--cost", "two-qubit,total", "--time", arguments.time]
    command += ["--threads", "1", "--exactness", arguments.exactness, "--check-time", "60s"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in bench_programs.WRITTEN:
        return f"{name}, circuit {index}: {done.stderr.strip()}", 0, 0, 0
    ours = in_qiskit(target.read_text())
    theirs = transpiled(circuit, name, index, permuting=False)
    failure = None
    outside = first_outside(ours, bench_gate_sets.load(name))
    if outside:
        failure = f"{name}, circuit {index}: {outside} is not of the gate set"
    if not Operator(ours).equiv(Operator(circuit), atol=1e-7):
        failure = f"{name}, circuit {index}: another unitary"
    if not Operator(theirs).equiv(Operator(circuit), atol=1e-7):
        failure = f"{name}, circuit {index}: Qiskit's is another unitary"
    permuted = transpiled(circuit, name, index, permuting=True)
    return failure, two_qubit_gates(ours), two_qubit_gates(theirs), two_qubit_gates(permuted)


def check_set(name, arguments, folder):
    results = [check_one(i, name, arguments, folder) for i in range(arguments.count)]
    return {
        "gate_set": name,
        "circuits": len(results),
        "two_qubit": sum(ours for _, ours, _, _ in results),
        "qiskit_two_qubit": sum(theirs for _, _, theirs, _ in results),
        "qiskit_permuted_two_qubit": sum(permuted for _, _, _, permuted in results),
        "fewer": sum(ours < theirs for _, ours, theirs, _ in results),
        "more": [i for i, (_, ours, theirs, _) in enumerate(results) if ours > theirs],
        "failures": [failure for failure, _, _, _ in results if failure],
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50, help="random circuits for each gate set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", default="1s", help="quartz-opt's for each circuit")
    parser.add_argument("--exactness", default="numeric", help="quartz-opt's")
    parser.add_argument("--gate-set", action="append", choices=sorted(QISKIT_BASES))
    parser.add_argument("--programs", type=pathlib.Path, default=bench_programs.COMMANDS)
    parser.add_argument("--json", type=pathlib.Path, help="write the figures")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    bench_programs.enter_venv(PACKAGES)
    if not (arguments.programs / "quartz-opt").exists():
        sys.exit(f"{arguments.programs / 'quartz-opt'} is missing: build it, or say --programs")
    results = []
    print("gate set               ours  qiskit  permuted  fewer  more")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.gate_set or QISKIT_BASES:
            result = check_set(name, arguments, pathlib.Path(folder))
            results.append(result)
            print(
                f"{name:21} {result['two_qubit']:5}  {result['qiskit_two_qubit']:6}"
                f"  {result['qiskit_permuted_two_qubit']:8}  {result['fewer']:5}  {len(result['more']):4}  {result['more'] or ''}",
                flush=True,
            )
            for failure in result["failures"]:
                print(f"FAILED {failure}", flush=True)
    if arguments.json:
        document = {"format": "quartz-native-check", **bench_programs.record(), "sets": results}
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")
    wrong = any(each["failures"] for each in results)
    behind = any(each["two_qubit"] > each["qiskit_two_qubit"] for each in results)
    return 1 if wrong or behind else 0


if __name__ == "__main__":
    sys.exit(main())

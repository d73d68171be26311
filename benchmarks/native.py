"""Checks that the native gate sets are kept, and compares two-qubit counts with Qiskit.

    bench.py gate-sets                            every native gate set, 50 circuits each
    bench.py gate-sets --gate-set iqm --gate-set google --count 10 --time 0.2s

quartz-opt (cost two-qubit,total, one thread) optimizes random circuits of Qiskit for each native
gate set. Qiskit reads each output: the unitary must be that of the input up to a global phase, all
gates must be in the set, with angles in its ranges. The number of gates on two or more qubits is
compared with that of Qiskit's transpiler at level 3 for the same target, in the same run. Where
Qiskit does not support a native gate, it gets one that is equal to it up to one-qubit gates.

By default Qiskit removes swaps and moves outputs to other qubits. Such a circuit does something
else, so the comparison is with Qiskit without these two steps ("qiskit"); the count with them is
shown as "permuted". Needs quartz-opt, and installs Qiskit into build/venv.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import random
import tempfile
from collections.abc import Iterator
from typing import Any

from benchmarks import gate_sets, packages, programs, provenance, qasm
from benchmarks.programs import COMMANDS

PACKAGES = {"qiskit"}
# The basis that Qiskit compiles into for each gate set. ms with theta = pi/2 is a CNOT up to
# one-qubit gates. Qiskit's synthesis does not know the square root of iSWAP of Google, and its
# basis gates have no ranges of angles.
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


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One circuit in one gate set: an error, or the numbers of two-qubit gates."""

    failure: str | None
    quartz: int = 0
    qiskit: int = 0
    permuted: int = 0  # by Qiskit when outputs may move to other qubits


def random_program(index: int, seed: int) -> Any:
    """Returns a random circuit of all gates of Qiskit (even index), or of Clifford+T gates and
    rotations (odd index)."""
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


def two_qubit_gates(circuit: Any) -> int:
    return sum(1 for each in circuit.data if len(each.qubits) >= 2)


def in_qiskit(text: str) -> Any:
    from qiskit import qasm2

    return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def passes_of(controller: Any) -> Iterator[Any]:
    for task in controller.tasks:
        if hasattr(task, "tasks"):
            yield from passes_of(task)
        else:
            yield task


def transpiled(circuit: Any, name: str, seed: int, permuting: bool) -> Any:
    """Returns the circuit from Qiskit at level 3; without `permuting`, with the outputs on the same
    qubits."""
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


def first_outside(circuit: Any, gate_set: gate_sets.GateSet) -> str | None:
    """Returns the first gate that is not in the set; None if all are."""
    statements = [
        qasm.Statement(
            each.operation.name, tuple(repr(float(value)) for value in each.operation.params), ()
        )
        for each in circuit.data
    ]
    return gate_set.first_outside(qasm.FlatCircuit(circuit.num_qubits, {}, statements))


def check_circuit(
    index: int, name: str, settings: argparse.Namespace, folder: pathlib.Path
) -> Outcome:
    """Optimizes one circuit for one gate set, checks the result, and compares it with Qiskit."""
    from qiskit import qasm2
    from qiskit.quantum_info import Operator

    circuit = random_program(index, settings.seed)
    source = folder / f"{name}_{index}.qasm"
    target = folder / f"{name}_{index}.out.qasm"
    source.write_text(qasm2.dumps(circuit), encoding="utf-8")
    options = programs.options(
        output=target, quiet=True, gate_set=name, cost="two-qubit,total", time=settings.time,
        threads=1, exactness=settings.exactness, check_time="60s",
    )  # fmt: skip
    done = programs.call([settings.programs / "quartz-opt", source, *options])
    if done.returncode not in programs.WRITTEN:
        return Outcome(f"{name}, circuit {index}: {done.stderr.strip()}")
    ours = in_qiskit(target.read_text(encoding="utf-8"))
    theirs = transpiled(circuit, name, index, permuting=False)
    permuted = transpiled(circuit, name, index, permuting=True)
    problem = None
    if outside := first_outside(ours, gate_sets.load(name)):
        problem = f"{outside} is not in the gate set"
    if not Operator(ours).equiv(Operator(circuit), atol=1e-7):
        problem = "another unitary"
    if not Operator(theirs).equiv(Operator(circuit), atol=1e-7):
        problem = "Qiskit's output is another unitary"
    return Outcome(
        f"{name}, circuit {index}: {problem}" if problem else None,
        *map(two_qubit_gates, (ours, theirs, permuted)),
    )


def check_set(name: str, settings: argparse.Namespace, folder: pathlib.Path) -> dict[str, Any]:
    """Returns the figures of one gate set."""
    outcomes = [check_circuit(index, name, settings, folder) for index in range(settings.count)]
    return {
        "gate_set": name,
        "circuits": len(outcomes),
        "two_qubit": sum(each.quartz for each in outcomes),
        "qiskit_two_qubit": sum(each.qiskit for each in outcomes),
        "qiskit_permuted_two_qubit": sum(each.permuted for each in outcomes),
        "fewer": sum(each.quartz < each.qiskit for each in outcomes),
        "more": [index for index, each in enumerate(outcomes) if each.quartz > each.qiskit],
        "failures": [each.failure for each in outcomes if each.failure],
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--count", type=int, default=50, help="random circuits for each gate set")
    add("--seed", type=int, default=0)
    add("--time", default="1s", help="time of quartz-opt for each circuit")
    add("--exactness", default="numeric", help="as for quartz-opt")
    add("--gate-set", action="append", choices=sorted(QISKIT_BASES), help="may be repeated")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of quartz-opt")  # fmt: skip
    add("--json", type=pathlib.Path, metavar="FILE", help="write the figures")


def run(settings: argparse.Namespace) -> int:
    packages.enter_venv(PACKAGES)
    programs.require_commands("quartz-opt", folder=settings.programs)
    found = []
    print("gate set               ours  qiskit  permuted  fewer  more")
    with tempfile.TemporaryDirectory() as folder:
        for name in settings.gate_set or QISKIT_BASES:
            figures = check_set(name, settings, pathlib.Path(folder))
            found.append(figures)
            print(
                f"{name:21} {figures['two_qubit']:5}  {figures['qiskit_two_qubit']:6}"
                f"  {figures['qiskit_permuted_two_qubit']:8}  {figures['fewer']:5}"
                f"  {len(figures['more']):4}  {figures['more'] or ''}",
                flush=True,
            )
            for failure in figures["failures"]:
                print(f"FAILED {failure}", flush=True)
    if settings.json:
        document = {"format": "quartz-native-check", **provenance.record(), "sets": found}
        provenance.write_json(settings.json, document)
    wrong = any(each["failures"] for each in found)
    behind = any(each["two_qubit"] > each["qiskit_two_qubit"] for each in found)
    return int(wrong or behind)

#!/usr/bin/env python3
"""Compares transpile(..., optimization_method="quartz") with Qiskit alone, at the same level and seed.

    bench_qiskit.py [--target NAME]... [--circuit NAME]... [--level 3] [--time SECONDS] [--program] [--output FILE.json]

Quartz assumes what it assumes by default, which is what Qiskit does at the level. The option --program adds that circuits
whose qubits all end in measurements are complete programs (settings(program=True)).

For each of six targets and 60 circuits of MQT Bench and of Qiskit's circuit library (3 to 30 qubits):
- whether the target supports every operation of the result, by Qiskit's rules;
- whether the result is equal to that of Qiskit alone, global phase and final permutation included: by Qiskit's Operator up
  to 10 qubits, by Qiskit Aer on random states up to 24 qubits, and by MQT QCEC (up to the global phase) beyond. Where
  each qubit ends in a measurement, Qiskit Aer compares the distributions of the bits, and beyond 24 qubits, by
  matrix products, the outcomes that have 99.9% of the probability. Idle qubits do not count, and none of this uses Quartz;
- the gates on two qubits, and the seconds of both.

Prints a line for each circuit, and a table. Exits with 1 if a result is invalid, not equivalent, or worse than Qiskit's.
Needs the Python package and others:

    environment=$(scripts/python_environment.sh mqt.bench mqt.qcec qiskit-aer)
    scripts/python.sh
    $environment/bin/python scripts/bench_qiskit.py
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import random
import statistics
import sys
import time
import warnings

import numpy
from mqt import qcec
from mqt.bench import BenchmarkLevel, get_benchmark
from mqt.bench.targets import get_device
from mqt.bench.targets.gatesets import ionq
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate, Parameter, Qubit, library
from qiskit.circuit.equivalence_library import SessionEquivalenceLibrary
from qiskit.circuit.library import RXGate, RZZGate
from qiskit.converters import circuit_to_dag
from qiskit.dagcircuit import DAGCircuit
from qiskit.quantum_info import Operator, SparsePauliOp
from qiskit.synthesis import LieTrotter, synth_permutation_basic
from qiskit.transpiler import Target
from qiskit.transpiler.passes.utils import wrap_angles
from qiskit_aer import AerSimulator

import quartz.qiskit

SEED = 1
OPERATOR_QUBITS = 10
STATE_QUBITS = 24
CHECK_SECONDS = 60
SHOTS = 2000


# --- targets -------------------------------------------------------------------------------------


def fractional_heron() -> Target:
    """Returns the target of an IBM Heron with rx and with rzz by 0 to pi/2, whose error rates are those of sx and cz."""
    heron = get_device("ibm_heron_133")
    target = Target(num_qubits=heron.num_qubits)
    for name in heron.operation_names:
        operation = heron.operation_from_name(name)
        if isinstance(operation, type):
            target.add_instruction(operation, name=name)
        else:
            target.add_instruction(operation, dict(heron[name]), name=name)
    target.add_instruction(RXGate(Parameter("theta")), dict(heron["sx"]))
    target.add_instruction(RZZGate(Parameter("theta")), dict(heron["cz"]), angle_bounds=[(0, math.pi / 2)])
    return target


def wrapped_rzz(angles: list[float], qubits: list[int]) -> DAGCircuit:
    """Returns rzz by any angle, written with an angle from 0 to pi/2."""
    angle = math.remainder(angles[0], 4 * math.pi)
    circuit = QuantumCircuit(2)
    while abs(angle) > math.pi / 2:
        step = math.copysign(math.pi, angle)
        circuit.z([0, 1])
        circuit.global_phase -= step / 2
        angle -= step
    if angle < 0:
        circuit.x(0)
    circuit.rzz(abs(angle), 0, 1)
    if angle < 0:
        circuit.x(0)
    return circuit_to_dag(circuit)


TARGETS = {
    "IBM Eagle": lambda: get_device("ibm_eagle_127"),
    "IBM Heron": lambda: get_device("ibm_heron_133"),
    "IBM Heron fractional": fractional_heron,
    "IonQ Forte": lambda: get_device("ionq_forte_36"),
    "Quantinuum H2": lambda: get_device("quantinuum_h2_56"),
    "IQM Crystal": lambda: get_device("iqm_crystal_54"),
}

# --- circuits ------------------------------------------------------------------------------------

# Benchmarks of MQT Bench and their numbers of qubits.
MQT_BENCH = {
    "ae": [5, 10, 16],
    "bv": [10, 20],
    "cdkm_ripple_carry_adder": [6, 14],
    "dj": [8, 20],
    "draper_qft_adder": [6, 12],
    "ghz": [5, 30],
    "graphstate": [8, 20],
    "grover": [4, 6],
    "half_adder": [5, 9],
    "hrs_cumulative_multiplier": [5, 9],
    "modular_adder": [4, 8],
    "multiplier": [4, 8],
    "qaoa": [5, 10],
    "qft": [5, 12, 20],
    "qftentangled": [6, 12],
    "qnn": [4, 8],
    "qpeexact": [5, 10],
    "qpeinexact": [6, 12],
    "qwalk": [4, 6],
    "vbe_ripple_carry_adder": [4, 10],
    "vqe_real_amp": [5, 12],
    "vqe_su2": [5, 12],
    "vqe_two_local": [5, 10],
    "wstate": [5, 15, 30],
}


def heisenberg(qubits: int, steps: int) -> QuantumCircuit:
    """Returns Trotter steps of a Heisenberg chain."""
    terms = [(pauli * 2, [site, site + 1], 1.0) for site in range(qubits - 1) for pauli in "XYZ"]
    operator = SparsePauliOp.from_sparse_list(terms, qubits)
    circuit = QuantumCircuit(qubits)
    circuit.append(library.PauliEvolutionGate(operator, time=0.3, synthesis=LieTrotter(reps=steps)), range(qubits))
    return circuit


def molecule() -> QuantumCircuit:
    """Returns one Trotter step of the terms of a molecule on four qubits (H2, Jordan-Wigner)."""
    terms = {"ZIII": 0.17, "IZII": 0.17, "IIZI": -0.22, "IIIZ": -0.22, "ZZII": 0.17, "IZZI": 0.12, "ZIIZ": 0.12}
    terms |= {"IZIZ": 0.17, "ZIZI": 0.17, "IIZZ": 0.17, "YYXX": -0.05, "XXYY": -0.05, "YXXY": 0.05, "XYYX": 0.05}
    circuit = QuantumCircuit(4)
    circuit.append(library.PauliEvolutionGate(SparsePauliOp.from_list(list(terms.items())), time=0.7), range(4))
    return circuit


def toffoli_ladder(qubits: int) -> QuantumCircuit:
    circuit = QuantumCircuit(qubits)
    for first in [*range(qubits - 2), *range(qubits - 4, -1, -1)]:
        circuit.ccx(first, first + 1, first + 2)
    return circuit


def bound(circuit: QuantumCircuit) -> QuantumCircuit:
    """Returns a circuit with numbers in place of its parameters."""
    names = sorted(circuit.parameters, key=lambda each: each.name)
    return circuit.assign_parameters({name: 0.1 + 0.37 * (index % 9) for index, name in enumerate(names)})


LIBRARY = {
    "qft_gate_8": lambda: library.QFTGate(8).definition,
    "efficient_su2_6": lambda: bound(library.efficient_su2(6, reps=2)),
    "real_amplitudes_8_full": lambda: bound(library.real_amplitudes(8, entanglement="full", reps=2)),
    "quantum_volume_5": lambda: library.quantum_volume(5, seed=3),
    "iqp_6": lambda: library.iqp([[(i * j) % 5 for j in range(6)] for i in range(6)]),
    "heisenberg_6": lambda: heisenberg(6, 2),
    "heisenberg_12": lambda: heisenberg(12, 2),
    "molecule_4": molecule,
    "toffoli_ladder_7": lambda: toffoli_ladder(7),
    "toffoli_ladder_12": lambda: toffoli_ladder(12),
    "mcx_5": lambda: library.MCXGate(4).definition,
}


def circuits() -> dict[str, QuantumCircuit]:
    """Returns the circuits by name."""
    found = {}
    for name, sizes in MQT_BENCH.items():
        for size in sizes:
            try:
                circuit = get_benchmark(name, BenchmarkLevel.ALG, size)
            except ValueError as error:
                print(f"{name} {size}: {error}", file=sys.stderr)
                continue
            found[f"{name}_{circuit.num_qubits}"] = bound(circuit) if circuit.parameters else circuit
    for name, make in LIBRARY.items():
        circuit = QuantumCircuit(*(lambda made: (made.num_qubits,))(make()))
        circuit.compose(make(), range(circuit.num_qubits), inplace=True)
        found[name] = circuit
    return found


# --- measurement ---------------------------------------------------------------------------------


def two_qubit_gates(circuit: QuantumCircuit) -> int:
    return sum(1 for each in circuit.data if isinstance(each.operation, Gate) and len(each.qubits) > 1)


def is_valid(circuit: QuantumCircuit, target: Target) -> bool:
    """Returns whether the target supports every operation, with its angles."""
    for each in circuit.data:
        if each.operation.name == "barrier":
            continue
        places = tuple(circuit.find_bit(qubit).index for qubit in each.qubits)
        parameters = list(each.operation.params) if isinstance(each.operation, Gate) else None
        if not target.instruction_supported(each.operation.name, places, parameters=parameters):
            return False
    return True


def virtual_numbers(circuit: QuantumCircuit, at_end: bool = False) -> dict[Qubit, int]:
    """Returns the number before the layout of what is on each qubit at the beginning, or at the end. Two runs of Qiskit can
    be compared by these numbers although their layouts differ: the time that it has to improve the layout ends at
    different moments."""
    if circuit.layout is None:
        return {qubit: number for number, qubit in enumerate(circuit.qubits)}
    places = circuit.layout.final_index_layout(False) if at_end else circuit.layout.initial_index_layout()
    return {circuit.qubits[place]: number for number, place in enumerate(places)}


def used_numbers(circuit: QuantumCircuit) -> set[int]:
    """Returns the numbers before the layout of the qubits that are not idle."""
    first, last = virtual_numbers(circuit), virtual_numbers(circuit, at_end=True)
    moved = {first[qubit] for qubit in circuit.qubits if first[qubit] != last[qubit]}
    return moved | {first[qubit] for each in circuit.data if isinstance(each.operation, Gate) for qubit in each.qubits}


def on_used_qubits(circuit: QuantumCircuit, used: list[int]) -> QuantumCircuit:
    """Returns the gates of a circuit on the listed qubits only, in Qiskit's standard gates."""
    numbers = {qubit: used.index(number) for qubit, number in virtual_numbers(circuit).items() if number in used}
    small = QuantumCircuit(len(used), global_phase=circuit.global_phase)
    for each in circuit.data:
        if isinstance(each.operation, Gate):
            qubits = [numbers[qubit] for qubit in each.qubits]
            if each.operation.name in ("gpi", "gpi2", "ms", "zz"):
                small.compose(each.operation.definition, qubits, inplace=True)
            else:
                small.append(each.operation, qubits)
    return small


def in_first_order(circuit: QuantumCircuit, used: list[int]) -> QuantumCircuit:
    """Returns the gates of a circuit on the listed qubits only, with the qubits in their order before the layout at the
    beginning and at the end."""
    small = on_used_qubits(circuit, used)
    last = virtual_numbers(circuit, at_end=True)
    order = list(range(len(used)))
    for qubit, number in virtual_numbers(circuit).items():
        if number in used:
            order[used.index(last[qubit])] = used.index(number)
    if order != sorted(order):
        small.compose(synth_permutation_basic(order), inplace=True)
    return small


def is_program(circuit: QuantumCircuit) -> bool:
    """Returns whether each qubit that is not idle ends in a measurement, so that only the distribution of the bits counts."""
    last = {qubit: each.operation.name for each in circuit.data if each.operation.name != "barrier" for qubit in each.qubits}
    return bool(last) and set(last.values()) == {"measure"}


def measured_qubits(circuit: QuantumCircuit) -> list[int]:
    """Returns the numbers that the qubits of the measured bits have at the beginning, in the order of the bits."""
    numbers = virtual_numbers(circuit)
    bits = {circuit.find_bit(each.clbits[0]).index: numbers[each.qubits[0]]
            for each in circuit.data if each.operation.name == "measure"}  # fmt: skip
    return [bits[bit] for bit in sorted(bits)]


def has_same_distribution(own: QuantumCircuit, better: QuantumCircuit) -> bool:
    """Returns whether the bits of two complete programs have the same distribution."""
    distributions = []
    for circuit in (own, better):
        measured = measured_qubits(circuit)
        used = sorted(used_numbers(circuit) | set(measured))
        small = on_used_qubits(circuit, used)
        small.save_probabilities([used.index(number) for number in measured])
        simulator = AerSimulator(method="statevector", precision="double")
        distributions.append(numpy.asarray(simulator.run(small).result().data()["probabilities"]))
    return bool(abs(distributions[0] - distributions[1]).max() < 1e-9)


def has_same_state(left: QuantumCircuit, right: QuantumCircuit, seed: int) -> bool:
    """Returns whether two circuits make the same state of an entangled random state."""
    draw = random.Random(seed)
    states = []
    start = QuantumCircuit(left.num_qubits)
    for layer in range(2):
        for qubit in range(left.num_qubits):
            start.u(*(draw.uniform(0, 2 * math.pi) for _ in range(3)), qubit)
        for qubit in range(left.num_qubits - 1 if layer == 0 else 0):
            start.cx(qubit, qubit + 1)
    for circuit in (left, right):
        whole = start.compose(circuit)
        whole.save_statevector()
        simulator = AerSimulator(method="statevector", precision="double")
        states.append(numpy.asarray(simulator.run(whole).result().get_statevector()))
    return bool(abs(states[0] - states[1]).max() < 1e-6)


def has_same_outcomes(left: QuantumCircuit, right: QuantumCircuit) -> bool:
    """Returns whether two circuits on many qubits give the same probabilities to outcomes that have nearly all of it."""
    simulator = AerSimulator(method="matrix_product_state", precision="double", seed_simulator=SEED)
    counts = simulator.run(left.measure_all(inplace=False), shots=SHOTS).result().get_counts()
    outcomes = sorted(int(bits, 2) for bits in counts)
    probabilities = []
    for circuit in (left, right):
        whole = circuit.copy()
        whole.save_amplitudes(outcomes)
        probabilities.append(abs(numpy.asarray(simulator.run(whole).result().data()["amplitudes"])) ** 2)
    return bool(sum(probabilities[0]) > 0.999 and abs(probabilities[0] - probabilities[1]).max() < 1e-6)


def measurements(circuit: QuantumCircuit) -> list[tuple[object, ...]]:
    """Returns everything but gates and barriers, on qubits as they are called before the layout."""
    numbers = virtual_numbers(circuit, at_end=True)
    return sorted(
        (each.operation.name, numbers[each.qubits[0]], *map(circuit.clbits.index, each.clbits))
        for each in circuit.data
        if not isinstance(each.operation, Gate) and each.operation.name != "barrier"
    )


def equivalence(own: QuantumCircuit, better: QuantumCircuit) -> str:
    """Returns how two compiled circuits compare; measurements must be the same."""
    if measurements(own) != measurements(better):
        return "not equivalent: other measurements"
    used = sorted(used_numbers(own) | used_numbers(better))
    if is_program(own) and len(used) <= STATE_QUBITS:
        return "equivalent" if has_same_distribution(own, better) else "not equivalent"
    left, right = in_first_order(own, used), in_first_order(better, used)
    if is_program(own):
        return "equivalent" if has_same_outcomes(left, right) else "undecided"
    if len(used) <= OPERATOR_QUBITS:
        return "equivalent" if abs(Operator(left).data - Operator(right).data).max() < 1e-6 else "not equivalent"
    if len(used) <= STATE_QUBITS:
        return "equivalent" if all(has_same_state(left, right, seed) for seed in (SEED, SEED + 1)) else "not equivalent"
    verdict = qcec.verify(left, right, timeout=CHECK_SECONDS, seed=SEED).equivalence.name
    return {"equivalent": "equivalent", "equivalent_up_to_global_phase": "equivalent",
            "not_equivalent": "not equivalent"}.get(verdict, verdict)  # fmt: skip


def is_all_to_all(target: Target) -> bool:
    """Returns whether all pairs of qubits are coupled. All layouts are the same then, because the targets here have the
    same error rates for all pairs; Qiskit would look for a better one for up to a minute."""
    pairs = {pair for name in target.operation_names for pair in target[name] or () if pair and len(pair) == 2}
    return len(pairs) == target.num_qubits * (target.num_qubits - 1)


def measure(
    circuit: QuantumCircuit, target: Target, level: int, seconds: float | None, program: bool
) -> dict[str, object]:
    options = {"target": target, "optimization_level": level, "seed_transpiler": SEED}
    if is_all_to_all(target):
        options["initial_layout"] = list(range(circuit.num_qubits))
    start = time.perf_counter()
    own = transpile(circuit, **options)
    middle = time.perf_counter()
    with quartz.qiskit.settings(time=seconds, program=program and is_program(own)):
        better = transpile(circuit, optimization_method="quartz", **options)
    end = time.perf_counter()
    return {
        "qubits": circuit.num_qubits,
        "qiskit": two_qubit_gates(own),
        "quartz": two_qubit_gates(better),
        "qiskit_size": own.size(),
        "quartz_size": better.size(),
        "qiskit_seconds": middle - start,
        "quartz_seconds": end - middle,
        "valid": is_valid(better, target),
        "equivalence": equivalence(own, better),
    }


def reduction(rows: list[dict[str, object]]) -> float:
    """Returns the mean reduction in percent, over the circuits that have gates on two qubits."""
    ratios = [row["quartz"] / row["qiskit"] for row in rows if row["qiskit"]]
    return 100 * (statistics.fmean(ratios) - 1) if ratios else 0.0


def faults_of(row: dict[str, object]) -> bool:
    return not row["valid"] or row["equivalence"].startswith("not equivalent") or row["quartz"] > row["qiskit"]


def print_table(results: dict[str, dict[str, dict[str, object]]]) -> None:
    print("\n| target | circuits | two-qubit gates | fewer | more | Qiskit | with Quartz | equivalent | undecided |")
    print("|---|---|---|---|---|---|---|---|---|")
    for target, by_circuit in results.items():
        rows = list(by_circuit.values())
        fewer = sum(row["quartz"] < row["qiskit"] for row in rows)
        more = sum(row["quartz"] > row["qiskit"] for row in rows)
        seconds = [statistics.fmean(row[f"{name}_seconds"] for row in rows) for name in ("qiskit", "quartz")]
        equal = sum(row["equivalence"] == "equivalent" for row in rows)
        undecided = sum("equivalent" not in row["equivalence"] for row in rows)
        print(f"| {target} | {len(rows)} | {reduction(rows):+.1f}% | {fewer} | {more} | {seconds[0]:.2f} s "
              f"| {seconds[1]:.2f} s | {equal} | {undecided} |")  # fmt: skip
    everything = [row for by_circuit in results.values() for row in by_circuit.values()]
    print(f"\nmean over all: {reduction(everything):+.1f}% gates on two qubits")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=list(TARGETS))
    parser.add_argument("--circuit", action="append")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--time", type=float, help="seconds of the search, in place of those of the level")
    parser.add_argument("--program", action="store_true", help="assume that measured circuits are complete programs")
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    wrap_angles.WRAP_ANGLE_REGISTRY.add_wrapper("rzz", wrapped_rzz)
    ionq.add_equivalences(SessionEquivalenceLibrary)
    chosen = {name: each for name, each in circuits().items() if arguments.circuit in (None, []) or name in arguments.circuit}
    print(f"{len(chosen)} circuits")
    results: dict[str, dict[str, dict[str, object]]] = {}
    for name in arguments.target or TARGETS:
        target = TARGETS[name]()
        results[name] = {}
        for circuit_name, circuit in chosen.items():
            row = measure(circuit, target, arguments.level, arguments.time, arguments.program)
            results[name][circuit_name] = row
            print(f"{name:22} {circuit_name:26} {row['qiskit']:5} -> {row['quartz']:5}  {row['qiskit_seconds']:.2f} s"
                  f" -> {row['quartz_seconds']:.2f} s  {'' if row['valid'] else 'INVALID '}{row['equivalence']}",
                  flush=True)  # fmt: skip
            if arguments.output:
                arguments.output.write_text(json.dumps(results, indent=1) + "\n")
    print_table(results)
    return int(any(faults_of(row) for by_circuit in results.values() for row in by_circuit.values()))


if __name__ == "__main__":
    sys.exit(main())

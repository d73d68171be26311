"""Other programs that approximate rotations by Clifford+T gates.

Each takes a flat OpenQASM 2.0 program and the distance that its whole circuit may have, and returns a
program. Where a program takes the error of one rotation, the distance is divided equally among the
rotations that it has left to approximate; what an error may be is said in its own documentation.
"""

from __future__ import annotations

import functools
import math
import pathlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import qasm
from benchmarks.qasm import Statement

PACKAGES = {"qiskit", "pennylane", "pygridsynth", "tzap"}
CLIFFORD_T = ["cx", "h", "s", "sdg", "t", "tdg", "x", "z"]


def in_one_axis(circuit: qasm.FlatCircuit) -> qasm.FlatCircuit:
    """Writes controlled phases and rotations in rz, h and cx, without any optimization."""
    statements: list[Statement] = []
    for each in circuit.statements:
        if each.name in ("cu1", "cp"):
            control, target = each.qubits
            half, minus = (f"({each.angles[0]}){end}" for end in ("/2", "/-2"))
            cnot = Statement("cx", (), each.qubits)
            statements += [Statement("rz", (half,), (control,)), Statement("rz", (half,), (target,)),
                           cnot, Statement("rz", (minus,), (target,)), cnot]  # fmt: skip
        elif each.name == "rzz":
            cnot = Statement("cx", (), each.qubits)
            statements += [cnot, Statement("rz", each.angles, each.qubits[1:]), cnot]
        else:
            statements.append(each)
    plain = qasm.in_nam(qasm.FlatCircuit(circuit.qubits, circuit.bits, statements))
    return qasm.FlatCircuit(
        plain.qubits,
        plain.bits,
        [Statement(each.name, tuple(str(qasm.angle_value(angle)) for angle in each.angles),
                   each.qubits) for each in plain.statements],
    )  # fmt: skip


def is_eighth_turn(angle: float) -> bool:
    """Returns whether an angle is a multiple of pi/4, for which rz is a Clifford+T gate."""
    eighths = angle / (math.pi / 4)
    return abs(eighths - round(eighths)) < 1e-9


def rotations_of(circuit: qasm.FlatCircuit) -> int:
    """Counts the rotations that are no Clifford+T gates."""
    return sum(
        not all(is_eighth_turn(qasm.angle_value(angle)) for angle in each.angles)
        for each in circuit.statements
    )


def in_qiskit(program: str) -> Any:
    from qiskit import qasm2

    return qasm2.loads(program, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def qiskit_rotations(circuit: Any) -> int:
    return sum(
        each.operation.name == "rz" and not is_eighth_turn(float(each.operation.params[0]))
        for each in circuit.data
    )


def in_qiskit_clifford_t(program: str, error: float) -> tuple[str, int]:
    """Runs Qiskit's pass manager for Clifford+T at level 3 with an error for each rotation, and
    returns how many rotations it approximated, too."""
    from qiskit import qasm2
    from qiskit.converters import dag_to_circuit
    from qiskit.transpiler import generate_preset_clifford_t_pass_manager

    rotations = [0]

    def count(**arguments: Any) -> None:
        found = qiskit_rotations(dag_to_circuit(arguments["dag"]))
        if found > 0:
            rotations[0] = found

    manager = generate_preset_clifford_t_pass_manager(
        optimization_level=3,
        basis_gates=CLIFFORD_T,
        seed_transpiler=0,
        qubits_initially_zero=False,
        # Nothing is lost to the cache, except that it recognizes angles that differ by rounding.
        rz_synthesis_config={"rz_synthesis_error": error, "rz_cache_error": 1e-12},
    )
    circuit = without_permutation(manager).run(in_qiskit(program), callback=count)
    return qasm2.dumps(circuit), rotations[0]


def without_permutation(manager: Any) -> Any:
    """Keeps the outputs on their qubits, where Qiskit would leave out swaps."""
    from qiskit.transpiler import PassManager
    from qiskit.transpiler.passes import ElidePermutations, Split2QUnitaries

    from benchmarks.native import passes_of

    manager.init = PassManager(
        [
            Split2QUnitaries(split_swap=False) if isinstance(each, Split2QUnitaries) else each
            for each in passes_of(manager.init.to_flow_controller())
            if not isinstance(each, ElidePermutations)
        ]
    )
    return manager


def qiskit(program: str, distance: float) -> str:
    """Qiskit: generate_preset_clifford_t_pass_manager at level 3, which approximates by gridsynth.
    A first run counts the rotations, the second one has an equal part of the distance for each."""
    _, rotations = in_qiskit_clifford_t(program, distance)
    return in_qiskit_clifford_t(program, distance / max(rotations, 1))[0]


def pennylane_gates(circuit: qasm.FlatCircuit) -> Iterator[Any]:
    import pennylane as qml

    plain = {"h": qml.Hadamard, "x": qml.X, "cx": qml.CNOT, "swap": qml.SWAP, "s": qml.S,
             "t": qml.T, "z": qml.Z, "cz": qml.CZ}  # fmt: skip
    turned = {"rz": qml.RZ, "rx": qml.RX, "ry": qml.RY, "rzz": qml.IsingZZ, "p": qml.PhaseShift,
              "u1": qml.PhaseShift, "cu1": qml.ControlledPhaseShift,
              "cp": qml.ControlledPhaseShift}  # fmt: skip
    for each in circuit.statements:
        if each.name in plain:
            yield plain[each.name](wires=each.qubits)
        else:
            angles = map(qasm.angle_value, each.angles)
            yield turned[each.name](*angles, wires=each.qubits)


# The names of PennyLane's gates in OpenQASM 2.0.
OF_PENNYLANE = {
    "Hadamard": "h", "PauliX": "x", "PauliY": "y", "PauliZ": "z", "S": "s", "T": "t", "SX": "sx",
    "Adjoint(S)": "sdg", "Adjoint(T)": "tdg", "Adjoint(SX)": "sxdg", "CNOT": "cx", "CZ": "cz",
    "SWAP": "swap",
}  # fmt: skip


def pennylane(program: str, distance: float) -> str:
    """PennyLane: clifford_t_decomposition by gridsynth, whose epsilon is that of the whole circuit."""
    import pennylane as qml

    circuit = qasm.read(program)
    tape = qml.tape.QuantumScript(list(pennylane_gates(circuit)))
    (found,), _ = qml.clifford_t_decomposition(tape, epsilon=distance, method="gridsynth")
    statements = [
        Statement(OF_PENNYLANE[each.name], (), tuple(each.wires))
        for each in found.operations
        if each.name not in ("GlobalPhase", "Identity")
    ]
    return qasm.write(qasm.FlatCircuit(circuit.qubits, circuit.bits, statements))


@functools.cache
def gridsynth_word(angle: float, error: float) -> list[str]:
    """Returns the gates of rz(angle) by pygridsynth, the first one first."""
    import mpmath
    from pygridsynth.gridsynth import gridsynth_gates

    with mpmath.workdps(40):
        word = gridsynth_gates(mpmath.mpf(angle), mpmath.mpf(error))
    return [letter.lower() for letter in reversed(word) if letter in "HSTX"]


def exact_word(angle: float) -> list[str]:
    return ["t"] * (round(angle / (math.pi / 4)) % 8)


def pygridsynth(program: str, distance: float) -> str:
    """Qiskit's transpiler at level 3 into {cx, h, rz, ...}, then pygridsynth for each rotation, then
    the transpiler at level 1 for the Clifford+T gates."""
    from qiskit import qasm2
    from qiskit.transpiler import generate_preset_pass_manager

    manager = generate_preset_pass_manager(
        optimization_level=3,
        basis_gates=[*CLIFFORD_T, "rz"],
        seed_transpiler=0,
        qubits_initially_zero=False,
    )
    circuit = qasm.read(qasm2.dumps(without_permutation(manager).run(in_qiskit(program))))
    error = distance / max(rotations_of(circuit), 1)
    statements: list[Statement] = []
    for each in circuit.statements:
        if each.name != "rz":
            statements.append(each)
            continue
        angle = qasm.angle_value(each.angles[0])
        word = exact_word(angle) if is_eighth_turn(angle) else gridsynth_word(angle, error)
        statements += [Statement(name, (), each.qubits) for name in merged(word)]
    return qasm.write(qasm.FlatCircuit(circuit.qubits, circuit.bits, statements))


def merged(word: list[str]) -> list[str]:
    """Merges equal neighbours of a word."""
    powers = {"h": ["", "h"], "x": ["", "x"], "s": ["", "s", "z", "sdg"],
              "t": ["", "t", "s", "s t", "z", "z t", "sdg", "tdg"]}  # fmt: skip
    result: list[str] = []
    position = 0
    while position < len(word):
        end = position
        while end < len(word) and word[end] == word[position]:
            end += 1
        choices = powers[word[position]]
        result += choices[(end - position) % len(choices)].split()
        position = end
    return result


def run_tzap(program: str, *options: str) -> str:
    command = pathlib.Path(sys.executable).with_name("tzap")
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "in.qasm", pathlib.Path(folder) / "out.qasm"
        source.write_text(program, encoding="utf-8")
        subprocess.run([command, *options, "-o", target, source], capture_output=True, check=True)
        return target.read_text(encoding="utf-8")


# The --epsilon of tzap 0.8.0 for rotations at a distance of 1: over 180 random rotations at 1e-2 to
# 1e-4, the distance of each was at most 0.119 times --epsilon.
TZAP_EPSILON = 8


def tzap(program: str, distance: float) -> str:
    """tzap -O3 on the program in {rz, h, x, cx}, so that it merges rotations; then -O3 with
    --decompose-rotations and an --epsilon that gives each rotation an equal part of the distance."""
    folded = run_tzap(qasm.write(in_one_axis(qasm.read(program))), "-O3")
    rotations = rotations_of(qasm.read(folded))
    epsilon = repr(TZAP_EPSILON * distance / max(rotations, 1))
    return run_tzap(folded, "-O3", "--decompose-rotations", "--epsilon", epsilon)


PEERS: dict[str, Callable[[str, float], str]] = {
    "qiskit": qiskit,
    "pennylane": pennylane,
    "pygridsynth": pygridsynth,
    "tzap": tzap,
}


def approximate(peer: str, program: str, distance: float) -> str:
    """Returns the program of a peer, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PEERS[peer](program, distance)

#!/usr/bin/env python3
"""Whether Quartz reads what others write, and they what Quartz writes.

    check_exporters.py [--count 100] [--seed 0] [--folder FOLDER ...] [--gate-set NAME]
                       [--programs DIR]

Random circuits over all gates that Qiskit and pytket know, and ones with free parameters, are
written by their own exporters, read and written by Quartz in OpenQASM 2 and 3, and read by Qiskit,
pytket and mqt-core; the unitary must be the same by Qiskit's and pytket's own simulators (up to a global phase, which OpenQASM 2 has no
word for). So must every file of a FOLDER, by MQT QCEC where it is too large to simulate. With --gate-set,
quartz-opt optimizes each program for a moment as well, and its output must pass the same. Needs
DIR/qasm_round_trip and DIR/quartz-opt (default build/bin), and installs the Python packages of
bench_requirements.txt into build/venv.
"""

import argparse
import collections
import pathlib
import random
import subprocess
import sys
import tempfile

import bench_programs

PACKAGES = {"qiskit", "qiskit-qasm3-import", "pytket", "mqt.qcec", "mqt.core"}
MOST_QUBITS = 10  # that unitaries are compared on


# --- programs by the exporters --------------------------------------------------------------------


def qiskit_programs(count, seed):
    """(name, text) of random circuits, in OpenQASM 2 and 3 in turn; every fourth one measures,
    resets and has conditions."""
    from qiskit import qasm2, qasm3
    from qiskit.circuit.random import random_circuit

    for i in range(count):
        walls = i % 4 >= 2
        circuit = random_circuit(
            4, 8, max_operands=4, measure=walls, reset=walls, conditional=walls and i % 2 == 1,
            seed=seed + i,
        )  # fmt: skip
        dumps = qasm2.dumps if i % 2 == 0 else qasm3.dumps
        yield f"qiskit_{i}", dumps(circuit)


def parametric_programs(count, seed):
    """Rotations by sums of free parameters and numbers, which only OpenQASM 3 can say."""
    from qiskit import QuantumCircuit, qasm3
    from qiskit.circuit import Parameter

    names = [Parameter(name) for name in ("theta", "phi", "λ")]
    for i in range(count):
        rng = random.Random(seed + i)

        def angle(rng=rng):
            factor = rng.choice([1, -1, 2, 0.5, 0.3])
            return factor * rng.choice(names) + rng.choice([0, 1.0, -0.25, rng.uniform(0, 3)])

        circuit = QuantumCircuit(3)
        for _ in range(15):
            a, b = rng.sample(range(3), 2)
            rng.choice(
                [
                    lambda: circuit.rz(angle(), a),
                    lambda: circuit.rx(angle(), a),
                    lambda: circuit.p(angle() + angle(), a),
                    lambda: circuit.u(angle(), angle(), 0.5, a),
                    lambda: circuit.crz(angle(), a, b),
                    lambda: circuit.rzz(angle(), a, b),
                    lambda: circuit.cx(a, b),
                    lambda: circuit.h(a),
                ]
            )()
        yield f"parametric_{i}", qasm3.dumps(circuit)


def pytket_gates():
    """(type, qubits, parameters) of every gate that its OpenQASM 2 exporter writes."""
    from pytket import Circuit, OpType
    from pytket.qasm import circuit_to_qasm_str

    gates = []
    for kind in OpType.__members__.values():
        for qubits in range(1, 5):
            for parameters in range(5):
                try:
                    circuit = Circuit(4)
                    circuit.add_gate(kind, [0.1] * parameters, list(range(qubits)))
                    circuit.get_unitary()
                    circuit_to_qasm_str(circuit)
                except Exception:  # no such gate, or none of OpenQASM's
                    continue
                gates.append((kind, qubits, parameters))
    return gates


def pytket_programs(count, seed):
    from pytket import Circuit
    from pytket.qasm import circuit_to_qasm_str

    gates = pytket_gates()
    for i in range(count):
        rng = random.Random(seed + i)
        circuit = Circuit(4, 2)
        for _ in range(12):
            kind, qubits, parameters = rng.choice(gates)
            angles = [rng.choice([0.25, 0.5, 1.5, rng.uniform(0, 4)]) for _ in range(parameters)]
            circuit.add_gate(kind, angles, rng.sample(range(4), qubits))
        yield f"pytket_{i}", circuit_to_qasm_str(circuit)


# --- what the others make of a program ------------------------------------------------------------


def version_of(text):
    for line in text.splitlines():
        if line.startswith("OPENQASM"):
            return int(line.split()[1][0])
    return 2


def in_qiskit(text):
    from qiskit import qasm2, qasm3

    if version_of(text) == 3:
        return qasm3.loads(text)
    return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def in_pytket(text):
    from pytket.qasm import circuit_from_qasm_str

    return circuit_from_qasm_str(text)


def in_mqt(text):
    from mqt.core.ir import QuantumComputation

    return QuantumComputation.from_qasm_str(text)


READERS = {"qiskit": in_qiskit, "pytket": in_pytket, "mqt-core": in_mqt}


def readers_of(text):
    """pytket reads OpenQASM 2 only; free parameters are read by Qiskit only."""
    if "\ninput " in text:
        return ["qiskit"]
    return ["qiskit", "mqt-core"] if version_of(text) == 3 else list(READERS)


def unitary(reader, circuit):
    """By the reader's own simulator, without measurements at the end; None for a circuit that has
    none, or too large a one."""
    if reader == "qiskit":
        from qiskit.quantum_info import Operator

        if circuit.num_qubits > MOST_QUBITS:
            return None
        values = {each: 0.1 + sum(map(ord, each.name)) % 7 for each in circuit.parameters}
        circuit = circuit.assign_parameters(values).remove_final_measurements(inplace=False)
        try:
            return Operator(circuit.reverse_bits()).data
        except Exception:  # not unitary
            return None
    if reader == "pytket":
        if circuit.n_qubits > MOST_QUBITS:
            return None
        try:
            return circuit.get_unitary()
        except Exception:
            return None
    return None


def is_same(left, right):
    """Up to a global phase."""
    import numpy

    overlap = numpy.vdot(left, right)
    return left.shape == right.shape and abs(abs(overlap) - left.shape[0]) < 1e-7


def counts(circuit):
    """Of what is no gate, by Qiskit."""
    names = ("measure", "reset", "barrier", "delay")
    found = collections.Counter(circuit.count_ops())
    return {name: found[name] for name in names}


def qcec_verdict(left, right):
    """Where Qiskit cannot tell: mqt-core has another c3sqrtx than Qiskit and we have."""
    from mqt import qcec

    try:
        return str(qcec.verify(str(left), str(right), timeout=20).equivalence).split(".")[-1]
    except RuntimeError:  # measurements within the circuit
        return "not for this circuit"


# --- the check ------------------------------------------------------------------------------------


class Check:
    def __init__(self, programs, folder, gate_set):
        self.programs = programs
        self.folder = folder
        self.gate_set = gate_set
        self.failures = []
        self.figures = collections.Counter()
        self.notes = collections.Counter()

    def fail(self, name, what):
        self.failures.append(f"{name}: {what}")

    def rewritten(self, name, source, version):
        """By Quartz, in this version of the language; None where that version cannot say it."""
        target = self.folder / f"{name}.v{version}.qasm"
        command = [self.programs / "qasm_round_trip", source, target, "--qasm", str(version)]
        return self.output_of(command, target, name, version)

    def optimized(self, name, source, version):
        target = self.folder / f"{name}.o{version}.qasm"
        command = [self.programs / "quartz-opt", source, "--output", target, "--quiet"]
        command += ["--gate-set", self.gate_set, "--time", "0.1s", "--threads", "1"]
        command += ["--check-time", "60s"]
        command += ["--qasm", str(version)]
        return self.output_of(command, target, name, version)

    def output_of(self, command, target, name, version):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode in bench_programs.WRITTEN:
            return target
        message = done.stderr.strip()
        if "OpenQASM 2 " in message and version == 2:
            self.notes["can be said in version 3 only"] += 1
        else:
            self.fail(name, message or f"exit status {done.returncode}")
        return None

    def read_original(self, name, reader, text):
        try:
            return READERS[reader](text)
        except Exception:
            self.notes[f"originals that {reader} does not read"] += 1
            return None

    def check_file(self, name, source):
        text = source.read_text()
        originals = {reader: self.read_original(name, reader, text) for reader in readers_of(text)}
        unitaries = {
            reader: unitary(reader, circuit) for reader, circuit in originals.items() if circuit
        }
        self.figures["programs"] += 1
        for version in (2, 3):
            target = self.rewritten(name, source, version)
            if target:
                self.check_output(f"{name}, version {version}", source, target, originals, unitaries)
            better = target and self.gate_set and self.optimized(name, source, version)
            if better:
                self.figures["optimized programs"] += 1
                what = f"{name}, optimized, version {version}"
                self.check_output(what, source, better, originals, unitaries)

    def check_output(self, name, source, target, originals, unitaries):
        text = target.read_text()
        compared = False
        for reader in readers_of(text):
            try:
                circuit = READERS[reader](text)
            except Exception as error:
                # Neither the original, in its own version of the language: a limit of the reader's.
                if originals.get(reader) is None and reader in originals:
                    self.notes[f"outputs that {reader} does not read, as the original"] += 1
                else:
                    self.fail(name, f"{reader} does not read it: {error}")
                continue
            self.figures[f"read by {reader}"] += 1
            ours = unitary(reader, circuit)
            # With Qiskit's phase conventions; pytket's own where Qiskit does not read the original.
            theirs = unitaries.get(reader)
            if ours is not None and theirs is not None:
                compared = True
                self.figures[f"same unitary by {reader}"] += 1
                if not is_same(ours, theirs):
                    self.fail(name, f"another unitary by {reader}")
            elif reader == "qiskit" and originals.get(reader) is not None:
                if counts(circuit) != counts(originals[reader]):
                    self.fail(name, "other measurements, resets, barriers or delays")
        if not compared and "mqt-core" in originals and originals["mqt-core"] is not None:
            verdict = qcec_verdict(source, target)
            self.figures[f"QCEC: {verdict}"] += 1
            if verdict == "not_equivalent":
                self.fail(name, "not equivalent by QCEC")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="random circuits of each exporter")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--gate-set", help="optimize the programs into this gate set as well")
    parser.add_argument("--programs", type=pathlib.Path, default=bench_programs.COMMANDS)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    bench_programs.enter_venv(PACKAGES)
    for program in ("qasm_round_trip", "quartz-opt"):
        if not (arguments.programs / program).exists():
            sys.exit(f"{arguments.programs / program} is missing: build it, or say --programs")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check = Check(arguments.programs, folder, arguments.gate_set)
        for exporter in (qiskit_programs, pytket_programs, parametric_programs):
            for name, text in exporter(arguments.count, arguments.seed):
                source = folder / f"{name}.qasm"
                source.write_text(text)
                check.check_file(name, source)
        for root in arguments.folder:
            for source in sorted(root.rglob("*.qasm")):
                check.check_file(str(source.relative_to(root)).replace("/", "_"), source)
    for what, number in [*sorted(check.figures.items()), *sorted(check.notes.items())]:
        print(f"{number:6} {what}")
    for failure in check.failures:
        print(f"FAILED {failure}")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())

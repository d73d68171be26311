"""Checks that Quartz reads what other programs write, and that they read what Quartz writes.

    bench.py programs                             100 random circuits of each exporter
    bench.py programs --count 10 --folder FOLDER --gate-set nam

Random circuits over all gates of Qiskit and pytket (with qelib1.inc and hqslib1.inc), of Amazon
Braket, Cirq and PennyLane, and circuits with free parameters, are written by their own exporters,
read and written by Quartz in OpenQASM 2 and 3, and read by Qiskit, pytket and mqt-core. Quartz also
writes them in each dialect, which the tools that it is for read. The unitary must be the same by the
tools' own simulators, up to a global phase, which OpenQASM 2 cannot express. The same is checked for
every file of --folder, by MQT QCEC if it is too large to simulate. With --gate-set, quartz-opt also
optimizes each program for a moment, and its output must pass the same checks. Needs qasm_round_trip
and quartz-opt, and installs Python packages into build/venv. PennyLane reads programs only with its
plugin for Qiskit, which needs an older Qiskit; without the plugin it only writes.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import pathlib
import random
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import packages, programs
from benchmarks.programs import COMMANDS

PACKAGES = {
    "qiskit", "qiskit-qasm3-import", "pytket", "mqt.qcec", "mqt.core", "cirq-core", "ply",
    "pennylane", "amazon-braket-default-simulator", "amazon-braket-sdk",
}  # fmt: skip
MOST_QUBITS = 10  # largest circuits whose unitaries are compared

Programs = Iterator[tuple[str, str]]  # name and text


# --- programs that the exporters write ------------------------------------------------------------


def qiskit_programs(count: int, seed: int) -> Programs:
    """Yields random circuits, in OpenQASM 2 and 3 in turn. Half of them have measurements and
    resets, and half of those have conditions."""
    from qiskit import qasm2, qasm3
    from qiskit.circuit.random import random_circuit

    for i in range(count):
        measures = i % 4 >= 2
        circuit = random_circuit(
            4, 8, max_operands=4, measure=measures, reset=measures,
            conditional=measures and i % 2 == 1, seed=seed + i,
        )  # fmt: skip
        dumps = qasm2.dumps if i % 2 == 0 else qasm3.dumps
        yield f"qiskit_{i}", dumps(circuit)


def parametric_programs(count: int, seed: int) -> Programs:
    """Yields circuits with rotations by sums of free parameters and numbers, in OpenQASM 3."""
    from qiskit import QuantumCircuit, qasm3
    from qiskit.circuit import Parameter

    names = [Parameter(name) for name in ("theta", "phi", "λ")]
    for i in range(count):
        rng = random.Random(seed + i)

        def angle(rng: random.Random = rng) -> Any:
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


def pytket_gates(header: str) -> list[tuple[Any, int, int]]:
    """Returns type, qubits and parameters of every gate that the exporter of pytket writes with an
    include file."""
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
                    circuit_to_qasm_str(circuit, header=header)
                except Exception:  # no such gate, or not a gate of OpenQASM
                    continue
                gates.append((kind, qubits, parameters))
    return gates


def pytket_programs(count: int, seed: int) -> Programs:
    """Yields random circuits over all gates of pytket, with its two include files in turn."""
    from pytket import Circuit
    from pytket.qasm import circuit_to_qasm_str

    headers = ("qelib1", "hqslib1")
    gates_of = {header: pytket_gates(header) for header in headers}
    for i in range(count):
        header = headers[i % 2]
        gates = gates_of[header]
        rng = random.Random(seed + i)
        circuit = Circuit(4, 2)
        for _ in range(12):
            kind, qubits, parameters = rng.choice(gates)
            angles = [rng.choice([0.25, 0.5, 1.5, rng.uniform(0, 4)]) for _ in range(parameters)]
            circuit.add_gate(kind, angles, rng.sample(range(4), qubits))
        yield f"pytket_{header}_{i}", circuit_to_qasm_str(circuit, header=header)


def braket_programs(count: int, seed: int) -> Programs:
    """Yields random circuits over the gates of Amazon Braket."""
    from braket.circuits import Circuit
    from braket.circuits.serialization import IRType

    # Name, qubits and angles.
    gates = [
        *((name, 1, 0) for name in ("h", "i", "x", "y", "z", "s", "si", "t", "ti", "v", "vi")),
        *((name, 1, 1) for name in ("rx", "ry", "rz", "phaseshift", "gpi", "gpi2")),
        ("prx", 1, 2),
        *((name, 2, 0) for name in ("cnot", "cy", "cz", "cv", "ecr", "swap", "iswap")),
        *((name, 2, 1) for name in ("pswap", "xy", "xx", "yy", "zz", "cphaseshift")),
        *((f"cphaseshift{bits}", 2, 1) for bits in ("00", "01", "10")),
        ("ms", 2, 3), ("ccnot", 3, 0), ("cswap", 3, 0),
    ]  # fmt: skip
    for i in range(count):
        rng = random.Random(seed + i)
        circuit = Circuit().i(range(4))
        for _ in range(12):
            name, qubits, angles = rng.choice(gates)
            values = [rng.uniform(-3, 3) for _ in range(angles)]
            getattr(circuit, name)(*rng.sample(range(4), qubits), *values)
        if i % 3 == 0:
            circuit.measure([0, 2])
        yield f"braket_{i}", circuit.to_ir(ir_type=IRType.OPENQASM).source


def cirq_programs(count: int, seed: int) -> Programs:
    """Yields random circuits over gates of Cirq, which its exporter writes in other gates."""
    import cirq

    qubits = cirq.LineQubit.range(4)
    gates = [
        cirq.H, cirq.X, cirq.Y, cirq.Z, cirq.S, cirq.T, cirq.X**0.5, cirq.Y**0.25, cirq.CX, cirq.CZ,
        cirq.CZ**0.3, cirq.ISWAP, cirq.SWAP, cirq.XX**0.2, cirq.ZZ**0.4, cirq.CCX, cirq.rx(0.3),
        cirq.ry(1.1), cirq.rz(-0.7), cirq.FSimGate(0.4, 0.2), cirq.SQRT_ISWAP,
    ]  # fmt: skip
    for i in range(count):
        rng = random.Random(seed + i)
        circuit = cirq.Circuit(cirq.I.on_each(qubits))
        for _ in range(12):
            gate = rng.choice(gates)
            circuit.append(gate(*rng.sample(qubits, cirq.num_qubits(gate))))
        yield f"cirq_{i}", circuit.to_qasm()


def pennylane_programs(count: int, seed: int) -> Programs:
    """Yields random circuits over operations of PennyLane."""
    import pennylane as qml

    operations = [
        *((each, 1, 0) for each in (qml.Hadamard, qml.PauliX, qml.PauliY, qml.S, qml.T, qml.SX)),
        *((each, 1, 1) for each in (qml.RX, qml.RY, qml.RZ, qml.PhaseShift)),
        (qml.Rot, 1, 3), (qml.U2, 1, 2), (qml.U3, 1, 3), (qml.ISWAP, 2, 0),
        *((each, 2, 0) for each in (qml.CNOT, qml.CZ, qml.CY, qml.SWAP)),
        *((each, 2, 1) for each in (qml.CRX, qml.CRY, qml.CRZ, qml.IsingXX, qml.IsingZZ)),
        (qml.Toffoli, 3, 0), (qml.CSWAP, 3, 0),
    ]  # fmt: skip
    for i in range(count):
        rng = random.Random(seed + i)
        with qml.queuing.AnnotatedQueue() as queue:
            for wire in range(4):
                qml.Hadamard(wire)
            for _ in range(12):
                operation, wires, angles = rng.choice(operations)
                operation(*(rng.uniform(-3, 3) for _ in range(angles)), rng.sample(range(4), wires))
        tape = qml.tape.QuantumScript.from_queue(queue)
        yield f"pennylane_{i}", qml.to_openqasm(tape, measure_all=False)


# --- how the other programs read a program --------------------------------------------------------


def version_of(text: str) -> int:
    """Returns the major version of OpenQASM that a program declares."""
    for line in text.splitlines():
        if line.startswith("OPENQASM"):
            return int(line.split()[1][0])
    return 2


def in_qiskit(text: str) -> Any:
    from qiskit import qasm2, qasm3

    if version_of(text) == 3:
        return qasm3.loads(text)
    return qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)


def in_pytket(text: str) -> Any:
    from pytket.qasm import circuit_from_qasm_str

    return circuit_from_qasm_str(text)


def in_mqt(text: str) -> Any:
    from mqt.core.ir import QuantumComputation

    return QuantumComputation.from_qasm_str(text)


def in_braket(text: str) -> Any:
    from braket.circuits import Circuit

    return Circuit.from_ir(text)


def in_cirq(text: str) -> Any:
    from cirq.contrib.qasm_import import circuit_from_qasm

    return circuit_from_qasm(text)


def in_pennylane(text: str) -> Any:
    import pennylane as qml

    return qml.from_qasm(text, measurements=None)


READERS: dict[str, Callable[[str], Any]] = {
    "qiskit": in_qiskit,
    "pytket": in_pytket,
    "mqt-core": in_mqt,
    "braket": in_braket,
    "cirq": in_cirq,
    "pennylane": in_pennylane,
}

# The dialects of quartz-opt, and the tools that read them.
DIALECTS = {
    "braket": ["braket"],
    "quantinuum": ["pytket"],
    "plain": ["qiskit", "pytket", "mqt-core", "cirq", "pennylane"],
}


def dialect_readers(dialect: str) -> list[str]:
    """Returns who can read a dialect here."""
    has_plugin = importlib.util.find_spec("pennylane_qiskit") is not None
    return [name for name in DIALECTS[dialect] if name != "pennylane" or has_plugin]


def readers_of(text: str) -> list[str]:
    """Returns who can read a program: pytket reads only OpenQASM 2, and only Qiskit reads free
    parameters."""
    if "\ninput " in text:
        return ["qiskit"]
    if "include" not in text:
        return ["braket"]
    if "hqslib1.inc" in text:
        return ["pytket"]
    return ["qiskit", "mqt-core"] if version_of(text) == 3 else ["qiskit", "pytket", "mqt-core"]


def qiskit_unitary(circuit: Any) -> Any | None:
    """Returns the unitary by Qiskit's simulator, without measurements at the end. None if the
    circuit has no unitary, or is too large."""
    from qiskit.quantum_info import Operator

    if circuit.num_qubits > MOST_QUBITS:
        return None
    values = {each: 0.1 + sum(map(ord, each.name)) % 7 for each in circuit.parameters}
    circuit = circuit.assign_parameters(values).remove_final_measurements(inplace=False)
    try:
        return Operator(circuit.reverse_bits()).data
    except Exception:  # not unitary
        return None


def pytket_unitary(circuit: Any) -> Any | None:
    """Returns the unitary by pytket's simulator. None if there is none, or the circuit is too
    large."""
    if circuit.n_qubits > MOST_QUBITS:
        return None
    try:
        return circuit.get_unitary()
    except Exception:  # not unitary
        return None


def braket_unitary(circuit: Any) -> Any | None:
    """Returns the unitary by Braket's own matrices, without measurements at the end."""
    from braket.circuits import Circuit

    if circuit.parameters:
        return None
    gates = Circuit()
    for instruction in circuit.instructions:
        if instruction.operator.name != "Measure":
            gates.add_instruction(instruction)
    return gates.to_unitary() if gates.qubit_count <= MOST_QUBITS else None


def cirq_unitary(circuit: Any) -> Any | None:
    """Returns the unitary by Cirq's simulator, without measurements at the end."""
    import cirq

    circuit = cirq.drop_terminal_measurements(circuit)
    qubits = sorted(circuit.all_qubits())
    if len(qubits) > MOST_QUBITS or not cirq.has_unitary(circuit):
        return None
    return circuit.unitary(qubit_order=qubits)


def pennylane_unitary(function: Any) -> Any | None:
    """Returns the unitary by PennyLane."""
    import pennylane as qml

    tape = qml.tape.make_qscript(function)()
    try:
        return qml.matrix(tape, wire_order=sorted(tape.wires))
    except Exception:  # not unitary
        return None


SIMULATORS: dict[str, Callable[[Any], Any]] = {
    "qiskit": qiskit_unitary,
    "pytket": pytket_unitary,
    "braket": braket_unitary,
    "cirq": cirq_unitary,
    "pennylane": pennylane_unitary,
}


def unitary(reader: str, circuit: Any) -> Any | None:
    """Returns the unitary by the reader's own simulator; None if it has none."""
    return SIMULATORS[reader](circuit) if reader in SIMULATORS else None


def is_same(left: Any, right: Any) -> bool:
    """Compares unitaries up to a global phase."""
    import numpy

    overlap = numpy.vdot(left, right)
    return left.shape == right.shape and abs(abs(overlap) - left.shape[0]) < 1e-7


def counts(circuit: Any) -> dict[str, int]:
    """Counts the operations of a circuit of Qiskit that are not gates."""
    names = ("measure", "reset", "barrier", "delay")
    found = collections.Counter(circuit.count_ops())
    return {name: found[name] for name in names}


def qcec_verdict(left: pathlib.Path, right: pathlib.Path) -> str:
    """Returns the verdict of QCEC. It is asked only where Qiskit cannot compare, because mqt-core
    defines c3sqrtx differently than Qiskit and Quartz."""
    from mqt import qcec

    try:
        return str(qcec.verify(str(left), str(right), timeout=20).equivalence).split(".")[-1]
    except RuntimeError:  # measurements inside the circuit
        return "not for this circuit"


# --- the check ------------------------------------------------------------------------------------


class Check:
    """Checks programs one by one and collects the failures and counts."""

    def __init__(self, folder_of_programs: pathlib.Path, work: pathlib.Path, gate_set: str | None):
        self.programs = folder_of_programs
        self.work = work
        self.gate_set = gate_set
        self.failures: list[str] = []
        self.figures: collections.Counter[str] = collections.Counter()
        self.notes: collections.Counter[str] = collections.Counter()

    def fail(self, name: str, message: str) -> None:
        self.failures.append(f"{name}: {message}")

    def rewritten(self, name: str, source: pathlib.Path, version: int) -> pathlib.Path | None:
        """Has Quartz write the program in a version of OpenQASM. None if that cannot express it."""
        target = self.work / f"{name}.v{version}.qasm"
        command = [self.programs / "qasm_round_trip", source, target, "--qasm", version]
        return self.output_of(command, target, name, version)

    def in_dialect(self, name: str, source: pathlib.Path, dialect: str) -> pathlib.Path | None:
        """Has Quartz write the program in a dialect. None if that cannot express it."""
        target = self.work / f"{name}.{dialect}.qasm"
        command = [self.programs / "qasm_round_trip", source, target, "--dialect", dialect]
        return self.output_of(command, target, name, 2 if dialect != "braket" else 3)

    def optimized(self, name: str, source: pathlib.Path, version: int) -> pathlib.Path | None:
        """Has quartz-opt optimize the program for a moment."""
        target = self.work / f"{name}.o{version}.qasm"
        options = programs.options(
            output=target, quiet=True, gate_set=self.gate_set, time="0.1s", threads=1,
            check_time="60s", qasm=version,
        )  # fmt: skip
        return self.output_of(
            [self.programs / "quartz-opt", source, *options], target, name, version
        )

    def output_of(
        self, command: list[Any], target: pathlib.Path, name: str, version: int
    ) -> pathlib.Path | None:
        done = programs.call(command)
        if done.returncode in programs.WRITTEN:
            return target
        message = done.stderr.strip()
        if "the dialect " in message:
            self.notes["programs that a dialect cannot express"] += 1
        elif "OpenQASM 2 " in message and version == 2:
            self.notes["programs that only OpenQASM 3 can express"] += 1
        else:
            self.fail(name, message or f"exit status {done.returncode}")
        return None

    def read_original(self, reader: str, text: str) -> Any | None:
        try:
            return READERS[reader](text)
        except Exception:  # each library has its own errors
            self.notes[f"originals that {reader} does not read"] += 1
            return None

    def check_file(self, name: str, source: pathlib.Path) -> None:
        """Checks what Quartz writes for one program."""
        text = source.read_text(encoding="utf-8")
        originals = {reader: self.read_original(reader, text) for reader in readers_of(text)}
        unitaries = {
            reader: unitary(reader, circuit) for reader, circuit in originals.items() if circuit
        }
        self.figures["programs"] += 1
        for version in (2, 3):
            target = self.rewritten(name, source, version)
            if target:
                title = f"{name}, version {version}"
                self.check_output(title, source, target, originals, unitaries)
            if target and self.gate_set and (better := self.optimized(name, source, version)):
                self.figures["optimized programs"] += 1
                title = f"{name}, optimized, version {version}"
                self.check_output(title, source, better, originals, unitaries)

        for dialect in DIALECTS:
            if target := self.in_dialect(name, source, dialect):
                self.check_dialect(f"{name}, {dialect}", target, dialect, originals, unitaries)

    def check_dialect(
        self,
        name: str,
        target: pathlib.Path,
        dialect: str,
        originals: dict[str, Any],
        unitaries: dict[str, Any],
    ) -> None:
        """Checks that the tools of a dialect read an output, and find the original's unitary."""
        text = target.read_text(encoding="utf-8")
        expected = next((each for each in unitaries.values() if each is not None), None)
        for reader in dialect_readers(dialect):
            if reader == "cirq" and ("if(" in text or "reset" in text):
                self.notes["outputs that cirq does not read: resets and conditions"] += 1
                continue
            try:
                found = unitary(reader, READERS[reader](text))
            except Exception as error:  # each library has its own errors
                if "is not initialized" in str(error):
                    self.notes["programs that test a bit before its measurement, for braket"] += 1
                elif originals.get(reader, text) is None:
                    # A reader that does not read the original either is not our concern.
                    self.notes[f"outputs that {reader} does not read, as the original"] += 1
                else:
                    self.fail(name, f"{reader} does not read it: {error}")
                continue
            self.figures[f"{dialect} read by {reader}"] += 1
            if found is None or expected is None or found.shape != expected.shape:
                continue
            self.figures[f"{dialect}: same unitary by {reader}"] += 1
            if not is_same(found, expected):
                self.fail(name, f"another unitary by {reader}")

    def check_output(
        self,
        name: str,
        source: pathlib.Path,
        target: pathlib.Path,
        originals: dict[str, Any],
        unitaries: dict[str, Any],
    ) -> None:
        """Checks that every reader reads an output, and finds the same circuit in it."""
        text = target.read_text(encoding="utf-8")
        compared = False
        for reader in readers_of(text):
            original = originals.get(reader)
            try:
                circuit = READERS[reader](text)
            except Exception as error:  # each library has its own errors
                # A reader that does not read the original either is not our concern.
                if original is None and reader in originals:
                    self.notes[f"outputs that {reader} does not read, as the original"] += 1
                else:
                    self.fail(name, f"{reader} does not read it: {error}")
                continue
            self.figures[f"read by {reader}"] += 1
            compared |= self.compare(name, reader, circuit, original, unitaries.get(reader))
        if not compared and originals.get("mqt-core") is not None:
            verdict = qcec_verdict(source, target)
            self.figures[f"QCEC: {verdict}"] += 1
            if verdict == "not_equivalent":
                self.fail(name, "not equivalent by QCEC")

    def compare(
        self, name: str, reader: str, circuit: Any, original: Any | None, expected: Any | None
    ) -> bool:
        """Compares an output with the original, both as read by one reader. Returns whether their
        unitaries were compared."""
        found = unitary(reader, circuit)
        if found is not None and expected is not None:
            self.figures[f"same unitary by {reader}"] += 1
            if not is_same(found, expected):
                self.fail(name, f"another unitary by {reader}")
            return True
        if reader == "qiskit" and original is not None and counts(circuit) != counts(original):
            self.fail(name, "other measurements, resets, barriers or delays")
        return False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--count", type=int, default=100, help="random circuits of each exporter")
    add("--seed", type=int, default=0)
    add("--folder", type=pathlib.Path, action="append", default=[],
        help="also check every .qasm file in it; may be repeated")  # fmt: skip
    add("--gate-set", help="also optimize the programs for this gate set")
    add("--programs", type=pathlib.Path, default=COMMANDS, metavar="FOLDER",
        help="folder of qasm_round_trip and quartz-opt")  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    packages.enter_venv(PACKAGES)
    programs.require_commands("qasm_round_trip", "quartz-opt", folder=settings.programs)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        check = Check(settings.programs, work, settings.gate_set)
        exporters = (
            qiskit_programs, pytket_programs, parametric_programs, braket_programs, cirq_programs,
            pennylane_programs,
        )  # fmt: skip
        for exporter in exporters:
            for name, text in exporter(settings.count, settings.seed):
                source = work / f"{name}.qasm"
                source.write_text(text, encoding="utf-8")
                check.check_file(name, source)
        for root in settings.folder:
            for source in sorted(root.rglob("*.qasm")):
                check.check_file(str(source.relative_to(root)).replace("/", "_"), source)
    for description, number in [*sorted(check.figures.items()), *sorted(check.notes.items())]:
        print(f"{number:6} {description}")
    for failure in check.failures:
        print(f"FAILED {failure}")
    return int(bool(check.failures))

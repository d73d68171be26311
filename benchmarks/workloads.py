"""The circuits of `bench.py compare`: MQT Bench, mapped to devices or in {h, x, rz, cx}, and QASMBench.

Needs mqt.bench and Qiskit. The files are written once and read again by later runs, because MQT
Bench draws random parameters.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import pathlib
import tarfile
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import isolation

LOGICAL_BASIS = ["h", "x", "rz", "cx"]
# Sizes that are tried around a wanted one, because many families exist for some sizes only.
NEARBY = (0, 1, -1, 2, -2, 3, -3, 4)
SMALLEST = 3
GENERATION_SECONDS = 60


@dataclasses.dataclass(frozen=True)
class Target:
    """What circuits are compiled for."""

    name: str
    gate_set: str  # as quartz-opt names it
    basis: tuple[str, ...]  # for Qiskit
    device: str | None = None  # as MQT Bench names it; None for logical circuits
    all_to_all: bool = False  # whether all pairs of qubits are coupled


TARGETS = {
    target.name: target
    for target in (
        Target("ibm_heron", "ibm_heron", ("rz", "sx", "x", "cz"), "ibm_heron_133"),
        # Qiskit's basis gates have no ranges of angles: rzz by any angle takes one rzz of the set.
        Target(
            "ibm_heron_fractional", "ibm_heron_fractional", ("rz", "sx", "x", "rx", "cz", "rzz"),
            "ibm_heron_133",
        ),
        Target("iqm", "iqm", ("r", "cz"), "iqm_crystal_54"),
        Target(
            "ionq_forte", "ionq_forte", ("rz", "rx", "ry", "rzz"), "ionq_forte_36", all_to_all=True
        ),
        Target(
            "quantinuum", "quantinuum", ("rz", "rx", "ry", "rzz"), "quantinuum_h2_56",
            all_to_all=True,
        ),
        Target("rigetti_ankaa", "rigetti_ankaa", ("rz", "rx", "iswap"), "rigetti_ankaa_84"),
        Target("logical", "nam", ("h", "x", "rz", "cx"), all_to_all=True),
    )
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Workload:
    """One circuit for one target: a file for all optimizers, and beside it, with the ending .qpy,
    the same circuit for Qiskit, which does not read all of the OpenQASM 3 that it writes."""

    name: str
    target: Target
    path: pathlib.Path


# --- MQT Bench -----------------------------------------------------------------------------------


def families() -> list[str]:
    """Returns the names of the families of MQT Bench."""
    from mqt.bench.benchmarks import get_available_benchmark_names

    return sorted(get_available_benchmark_names())


def fractional_heron() -> Any:
    """Returns the target of an IBM Heron with rx, and with rzz by 0 to pi/2."""
    from mqt.bench.targets import get_device
    from qiskit.circuit import Parameter
    from qiskit.circuit.library import RXGate, RZZGate

    target = get_device("ibm_heron_133")
    theta = Parameter("theta")
    target.add_instruction(RXGate(theta), dict(target["sx"]))
    target.add_instruction(RZZGate(theta), dict(target["cz"]), angle_bounds=[(0, math.pi / 2)])
    return target


def device_of(target: Target) -> Any:
    """Returns Qiskit's description of the device."""
    from mqt.bench.targets import get_device
    from qiskit.transpiler.passes.utils import wrap_angles

    if "fractional" not in target.name:
        return get_device(target.device)
    wrap_angles.WRAP_ANGLE_REGISTRY.add_wrapper("rzz", wrapped_rzz)
    return fractional_heron()


def in_standard_gates(operation: Any) -> Any:
    """Returns a native gate of MQT Bench as one of Qiskit's standard gates; other operations as
    they are."""
    from qiskit.circuit import library

    turn = 2 * math.pi
    replacements: dict[str, Callable[..., Any]] = {
        "gpi": lambda phi: library.RGate(math.pi, turn * phi),
        "gpi2": lambda phi: library.RGate(math.pi / 2, turn * phi),
        "zz": lambda theta: library.RZZGate(turn * theta),
        "rxpi": library.RXGate,
        "rxpi2": library.RXGate,
        "rxpi2dg": library.RXGate,
    }
    if operation.name in replacements:
        return replacements[operation.name](*map(float, operation.params))
    if hasattr(operation, "blocks"):
        blocks = [on_used_qubits(block, list(range(block.num_qubits))) for block in operation.blocks]
        return operation.replace_blocks(blocks)
    return operation


def on_used_qubits(circuit: Any, used: list[int] | None = None) -> Any:
    """Returns the circuit in standard gates, on the qubits with an operation or on the listed ones."""
    from qiskit import QuantumCircuit

    places = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    kept = [each for each in circuit.data if each.operation.name not in ("delay", "id")]
    if used is None:
        used = sorted({places[qubit] for each in kept if each.operation.name != "barrier"
                       for qubit in each.qubits})  # fmt: skip
    numbers = {circuit.qubits[place]: number for number, place in enumerate(used)}
    small = QuantumCircuit(len(used))
    small.add_bits(circuit.clbits)
    for register in circuit.cregs:
        small.add_register(register)
    for each in kept:
        qubits = [numbers[qubit] for qubit in each.qubits if qubit in numbers]
        if each.operation.name == "barrier":
            if qubits:
                small.barrier(qubits)
        else:
            small.append(in_standard_gates(each.operation), qubits, each.clbits)
    return small


def without_barriers(circuit: Any) -> Any:
    """Returns the circuit on one register of qubits, because pytket sorts registers by name, and
    without barriers, which some optimizers refuse."""
    circuit = on_used_qubits(circuit, list(range(circuit.num_qubits)))
    copy = circuit.copy_empty_like()
    for each in circuit.data:
        if each.operation.name != "barrier":
            copy.append(each.operation, each.qubits, each.clbits)
    return copy


def wrapped_rzz(angles: list[float], _: list[int]) -> Any:
    """Returns rzz by any angle, written with an angle from 0 to pi/2, up to a global phase."""
    from qiskit import QuantumCircuit
    from qiskit.converters import circuit_to_dag

    halves, angle = divmod(angles[0], math.pi)
    circuit = QuantumCircuit(2)
    if angle > math.pi / 2:  # rzz(angle) = rzz(pi) rzz(angle - pi), and x reverses the sign
        halves, angle = halves + 1, math.pi - angle
        circuit.x(0)
        circuit.rzz(angle, 0, 1)
        circuit.x(0)
    else:
        circuit.rzz(angle, 0, 1)
    if halves % 2:
        circuit.z([0, 1])
    return circuit_to_dag(circuit)


def written(circuit: Any) -> str:
    """Returns the circuit as OpenQASM 2, or 3 where it has control flow."""
    from qiskit import qasm2, qasm3

    try:
        return qasm2.dumps(circuit)
    except qasm2.QASM2ExportError:
        return qasm3.dumps(circuit)


def write(circuit: Any, path: pathlib.Path) -> None:
    """Writes both files of a workload."""
    from qiskit import qpy

    text = written(circuit)
    with path.with_suffix(".qpy").open("wb") as file:
        qpy.dump(circuit, file)
    path.write_text(text, encoding="utf-8")


def write_mqt_circuit(family: str, size: int, target: Target, path: pathlib.Path) -> None:
    """Writes a circuit of MQT Bench. Raises ValueError for a size that the family does not have."""
    from mqt.bench import BenchmarkLevel, get_benchmark
    from qiskit import transpile

    if target.device:
        circuit = get_benchmark(family, BenchmarkLevel.MAPPED, size, device_of(target))
        write(on_used_qubits(circuit), path)
        return
    circuit = get_benchmark(family, BenchmarkLevel.ALG, size)
    circuit = transpile(circuit, basis_gates=LOGICAL_BASIS, optimization_level=0)
    write(without_barriers(circuit), path)


def mqt_workload(family: str, size: int, target: Target, folder: pathlib.Path) -> Workload | None:
    """Returns the circuit of a family whose size is nearest to the wanted one. None if there is
    none; the reason is kept in a file beside the circuits."""
    for nearby in (size + step for step in NEARBY if size + step >= SMALLEST):
        name = f"{family}_n{nearby}"
        path = folder / f"{name}.qasm"
        reason = path.with_suffix(".missing")
        if not path.exists() and not reason.exists():
            try:
                arguments = (family, nearby, target, path)
                isolation.call(write_mqt_circuit, arguments, GENERATION_SECONDS)
            except isolation.Failed as failure:
                reason.write_text(str(failure), encoding="utf-8")
        if path.exists():
            return Workload(name, target, path)
    return None


# --- QASMBench -----------------------------------------------------------------------------------


def write_logical(program: str, path: pathlib.Path) -> None:
    """Writes a program in {h, x, rz, cx}, without barriers."""
    from qiskit import qasm2, transpile

    circuit = qasm2.loads(program, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    circuit = transpile(circuit, basis_gates=LOGICAL_BASIS, optimization_level=0)
    write(without_barriers(circuit), path)


def qasmbench(archive: pathlib.Path, target: Target, folder: pathlib.Path) -> Iterator[Workload]:
    """Yields the programs of an archive of .qasm files that Qiskit reads."""
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda each: each.name):
            content = files.extractfile(member) if member.name.endswith(".qasm") else None
            if content is None:
                continue
            name = "qasmbench_" + pathlib.PurePath(member.name).stem.split("__")[-1]
            path = folder / f"{name}.qasm"
            if not path.exists():
                program = content.read().decode("utf-8")
                with contextlib.suppress(isolation.Failed):
                    isolation.call(write_logical, (program, path), GENERATION_SECONDS)
            if path.exists():
                yield Workload(name, target, path)

"""What functions accept for a circuit, a gate set, a cost, a coupling map and a device, and what they make of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import SupportsIndex, Union

from quartz import costs
from quartz._core import Backend, Circuit, Cost, CouplingMap, GateSet

#: A circuit, the path of an OpenQASM file, or OpenQASM text.
CircuitLike = Union[Circuit, str, "os.PathLike[str]"]
#: A gate set, the name of a bundled one, or the path of a JSON file.
GateSetLike = Union[GateSet, str, "os.PathLike[str]"]
#: A cost, or names of costs and paths of JSON files, separated by commas; or a list of these, the most important first.
CostLike = Union[Cost, str, "os.PathLike[str]", Sequence[Union[Cost, str, "os.PathLike[str]"]]]
#: A coupling map, its pairs, the path of a JSON file, or "auto" for the pairs that the circuit uses.
CouplingLike = Union[CouplingMap, Iterable[tuple[int, int]], str, "os.PathLike[str]"]
#: A device, the path of its own file, or the paths of both files of a Qiskit backend.
BackendLike = Union[Backend, str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

#: What takes and what converts the circuits of other packages.
_ADAPTERS = {
    "qiskit": "; quartz.qiskit.optimize takes circuits of Qiskit, and quartz.qiskit.from_qiskit converts them",
    "pytket": "; quartz.pytket.QuartzPass takes circuits of pytket, and quartz.pytket.from_pytket converts them",
    "pennylane": "; quartz.pennylane.optimize takes circuits of PennyLane, and quartz.pennylane.from_pennylane converts them",
    "cirq": "; quartz.cirq.optimize takes circuits of Cirq, and quartz.cirq.from_cirq converts them",
    "bqskit": "; quartz.bqskit.QuartzPass takes circuits of BQSKit, and quartz.bqskit.from_bqskit converts them",
}


def type_name(value: object) -> str:
    """Returns the name of the type of an argument, for messages."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def with_article(value: object) -> str:
    """Returns the name of the type of an argument with its article, for messages: "an int" or "a str"."""
    name = type_name(value)
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def counted(count: int, noun: str) -> str:
    """Returns a number with what it counts: "1 gate" or "12 gates"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def is_qasm_text(text: str) -> bool:
    """Returns whether a string is OpenQASM text and not a path: it has a semicolon or several lines."""
    return ";" in text or "\n" in text


def circuit_from(
    circuit: CircuitLike, name: str = "circuit", gate_set: GateSet | None = None, keep_gates: bool = False
) -> Circuit:
    """Returns the circuit that an argument means; texts and files may call the custom gates of the gate set, and calls
    of the gates that they define stay if they are to be kept. Raises TypeError for an argument of another type, and
    InputError for bad OpenQASM."""
    if isinstance(circuit, Circuit):
        return circuit
    if isinstance(circuit, str) and is_qasm_text(circuit):
        return Circuit.from_qasm(circuit, gate_set=gate_set, keep_gates=keep_gates)
    if isinstance(circuit, (str, os.PathLike)):
        return Circuit.from_file(circuit, gate_set=gate_set, keep_gates=keep_gates)
    message = f"{name} is {with_article(circuit)}, expected a quartz.Circuit, a path or OpenQASM text"
    message += _ADAPTERS.get(type(circuit).__module__.split(".")[0], "")
    raise TypeError(message)


def gate_set_from(gate_set: GateSetLike) -> GateSet:
    """Returns the gate set that an argument means. Raises TypeError for an argument of another type."""
    if isinstance(gate_set, GateSet):
        return gate_set
    if isinstance(gate_set, (str, os.PathLike)):
        return GateSet.load(os.fspath(gate_set))
    raise TypeError(f"gate_set is {with_article(gate_set)}, expected a quartz.GateSet, the name of a bundled one, or a path")


def backend_from(backend: BackendLike) -> Backend:
    """Returns the device that an argument means. Raises TypeError for an argument of another type."""
    if isinstance(backend, Backend):
        return backend
    paths = [backend] if isinstance(backend, (str, os.PathLike)) else backend
    if isinstance(paths, (list, tuple)) and all(isinstance(path, (str, os.PathLike)) for path in paths):
        return Backend.load(list(paths))
    raise TypeError(f"backend_json is {backend!r}, expected a quartz.Backend, a path, or the paths of both files of a device")


def cost_from(cost: CostLike, gate_set: GateSet, backend: Backend | None = None) -> Cost:
    """Returns the cost that an argument means for circuits of a gate set, on a device if there is one. Raises TypeError
    for an argument of another type."""
    if isinstance(cost, Cost):
        return cost
    if isinstance(cost, (str, os.PathLike)):
        return Cost.load(costs.with_paths(os.fspath(cost)), gate_set, backend)
    if isinstance(cost, (list, tuple)) and all(isinstance(part, (Cost, str, os.PathLike)) for part in cost):
        return Cost.join([cost_from(part, gate_set, backend) for part in cost])
    expected = "a quartz.Cost, the name of a cost, a path, or a list of these"
    raise TypeError(f"cost is {cost!r}, expected {expected}")


def coupling_from(coupling: CouplingLike) -> CouplingMap | str | os.PathLike[str]:
    """Returns the coupling map that an argument means; paths and "auto" stay as they are. Raises TypeError for an
    argument of another type."""
    if isinstance(coupling, (CouplingMap, str, os.PathLike)):
        return coupling
    pairs = list(coupling) if isinstance(coupling, Iterable) else None
    if pairs is None or not all(_is_pair(pair) for pair in pairs):
        found = repr(coupling if pairs is None else pairs)
        raise TypeError(f'coupling is {found}, expected a quartz.CouplingMap, pairs of qubit numbers, a path or "auto"')
    return CouplingMap(pairs)


def _is_pair(value: object) -> bool:
    """Returns whether a value is a pair of whole numbers, perhaps those of NumPy."""
    if not isinstance(value, Collection) or isinstance(value, str):
        return False
    return len(value) == 2 and all(isinstance(each, SupportsIndex) for each in value)


def edges_from(circuit: Circuit, program: bool, initial_state: str, final_state: str) -> dict[str, str]:
    """Returns what is assumed about the qubits before and after a circuit, as arguments of the library."""
    if program:
        initial_state = "zero"
        if "measure" in circuit.counts():
            final_state = "discarded"
    return {"initial_state": initial_state, "final_state": final_state}

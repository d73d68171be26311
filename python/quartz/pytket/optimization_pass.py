"""The pass of pytket that runs Quartz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pytket import Circuit as PytketCircuit
from pytket.circuit import OpType
from pytket.passes import BasePass, CustomPass
from pytket.unit_id import Bit, Qubit

from quartz.arguments import GateSetLike
from quartz.interchange.conversion import Conversion
from quartz.interchange.optimization import AUTO, Options
from quartz.interchange.steps import AncillaStep, BoundaryKind, Step, phase_call
from quartz.interchange.sympy_symbols import SympySymbols
from quartz.options import SearchOptions
from quartz.pytket.conversion import GateWriter, condition_of, explicit_circuit
from quartz.pytket.gates import calls_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_KINDS: dict[OpType, BoundaryKind] = {OpType.Measure: "measure", OpType.Reset: "reset", OpType.Barrier: "barrier"}


def QuartzPass(gate_set: GateSetLike = AUTO, **options: Unpack[SearchOptions]) -> BasePass:  # noqa: N802, as in pytket
    """Returns a pass that replaces a circuit by a cheaper one that is equal to it, global phase included.

    ``gate_set`` is the one of the result, or ``auto`` for the gates that the circuit has. ``options`` are those of
    ``quartz.optimize``: ``cost``, ``time``, ``threads``, ``seed``, ``barriers`` and so on. With ``auto``, the cost is
    by default ``two-qubit,two-qubit-depth,total``, and ``t,two-qubit,total`` for Clifford+T circuits.

    Units, symbols, measurements and conditional operations are kept. Boxes become their gates; what Quartz does not
    know, such as a unitary box, stays as it is, and no gate moves across it. An implicit permutation of the wires
    becomes swaps; with ``permutation="free"``, swaps become an implicit permutation. With ``ancillas``, the result has a
    register of qubits after the others, which are created in state zero and discarded, and a register for the outcomes of
    their measurements.
    The pass raises as ``quartz.optimize`` does.
    """
    chosen = Options(gate_set, options)
    return CustomPass(lambda circuit: _optimized(circuit, chosen), "QuartzPass")


def _optimized(circuit: PytketCircuit, options: Options) -> PytketCircuit:
    explicit = explicit_circuit(circuit)
    symbols = SympySymbols()
    steps = options.kept_steps(_steps(explicit, symbols))
    conversion = Conversion(steps, symbols.expressions, explicit.qubits, "the circuit of pytket", options.may_permute)
    with conversion.messages_of_package():
        result = options.for_circuit(conversion.measures).run(conversion.circuit)
    if result is None:
        return circuit
    optimized = _without_operations(explicit)
    writer = GateWriter(optimized, symbols, list(symbols.expressions))
    writer.add_phase(result.circuit.global_phase)
    ancillas = _add_qubits(optimized, conversion.ancillas_of(result.circuit))
    outcomes = _add_bits(optimized, conversion.outcomes_of(result.circuit))
    for each in conversion.restored(result.circuit, ancillas, outcomes):
        if isinstance(each, Step):
            _put_back(optimized, each)
        elif isinstance(each, AncillaStep):
            targets = [each.qubit] if each.outcome is None else [each.qubit, each.outcome]
            optimized.add_gate(OpType.Reset if each.outcome is None else OpType.Measure, targets)
        else:
            writer.add(each, condition_of(dict(each.conditions)))
    if result.permutation:
        _return_wires(optimized, conversion.final_places(result.permutation))
    return optimized


def _add_qubits(circuit: PytketCircuit, number: int) -> list[Any]:
    """Adds qubits that start in state zero and are discarded, and returns them."""
    name = _last_name(circuit.qubits, "ancilla")
    qubits = [Qubit(name, index) for index in range(number)]
    for qubit in qubits:
        circuit.add_qubit(qubit)
        circuit.qubit_create(qubit)
        circuit.qubit_discard(qubit)
    return qubits


def _add_bits(circuit: PytketCircuit, number: int) -> list[Any]:
    """Adds bits, and returns them."""
    name = _last_name([*circuit.qubits, *circuit.bits], "outcome")
    bits = [Bit(name, index) for index in range(number)]
    for bit in bits:
        circuit.add_bit(bit)
    return bits


def _last_name(units: Sequence[Any], name: str) -> str:
    """Returns a name of a register that comes after those of all units: pytket sorts registers by name."""
    last = max((unit.reg_name for unit in units), default="")
    return name if name > last else f"{last}_{name}"


def _return_wires(circuit: PytketCircuit, places: dict[Any, Any]) -> None:
    """Permutes the wires of a circuit so that each qubit ends as itself; ``places`` says where it is."""
    for target in list(places):
        here = places[target]
        if here != target:
            circuit.SWAP(here, target)
            (other,) = (qubit for qubit, place in places.items() if place == target)
            places[other], places[target] = here, target
    circuit.replace_SWAPs()


def _steps(circuit: PytketCircuit, symbols: SympySymbols) -> Iterator[Step]:
    def text_of(value: Any) -> str:
        return symbols.text_of(value, in_half_turns=True)

    yield Step(None, (), (phase_call(text_of(circuit.phase)),))
    for command in circuit.get_commands():
        qubits = tuple(command.qubits)
        has_bits = len(command.args) > len(qubits)
        calls = None if has_bits else calls_of(command.op, len(qubits), text_of)
        is_known = calls is not None or command.op.type in _KINDS or _is_unitary(command.op)
        kind = "kept" if has_bits and command.op.type != OpType.Measure else _KINDS.get(command.op.type, "kept")
        name = command.op.type.name
        yield Step(command, qubits, calls, kind, is_ordered=has_bits or not is_known, name=name)


def _is_unitary(op: Any) -> bool:
    return bool(op.is_gate()) or op.type.name.startswith("Unitary")


def _without_operations(circuit: PytketCircuit) -> PytketCircuit:
    empty = PytketCircuit() if circuit.name is None else PytketCircuit(circuit.name)
    for qubit in circuit.qubits:
        empty.add_qubit(qubit)
    for bit in circuit.bits:
        empty.add_bit(bit)
    for qubit in circuit.created_qubits:
        empty.qubit_create(qubit)
    for qubit in circuit.discarded_qubits:
        empty.qubit_discard(qubit)
    return empty


def _put_back(circuit: PytketCircuit, step: Step) -> None:
    command = step.operation
    places = dict(zip(command.qubits, step.qubits))
    args = [places.get(unit, unit) for unit in command.args]
    if command.op.type == OpType.Barrier:
        circuit.add_barrier(args, command.op.data)
    elif command.opgroup is None:
        circuit.add_gate(command.op, args)
    else:
        circuit.add_gate(command.op, args, opgroup=command.opgroup)

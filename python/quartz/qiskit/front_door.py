"""Optimizing a circuit of Qiskit with one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from qiskit.circuit import Barrier, QuantumCircuit

from quartz.arguments import GateSetLike
from quartz.interchange.optimization import Options
from quartz.optimization import OptimizeResult
from quartz.optimization import optimize as optimize_circuit
from quartz.options import SearchOptions
from quartz.qiskit.conversion import Conversion, placed_operations
from quartz.qiskit.layout import set_layout

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = ..., *, with_result: Literal[False] = ..., **options: Unpack[SearchOptions]
) -> QuantumCircuit: ...


@overload
def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = ..., *, with_result: Literal[True], **options: Unpack[SearchOptions]
) -> tuple[QuantumCircuit, OptimizeResult]: ...


def optimize(
    circuit: QuantumCircuit, gate_set: GateSetLike = "nam", *, with_result: bool = False, **options: Unpack[SearchOptions]
) -> QuantumCircuit | tuple[QuantumCircuit, OptimizeResult]:
    """Returns a cheaper circuit in gates of the set that is equal to the given one, global phase included.

    ``options`` are those of ``quartz.optimize``: ``cost``, ``time``, ``threads``, ``seed`` and so on. With
    ``with_result``, the quartz.OptimizeResult is returned as well; its circuits contain only the qubits that gates act
    on.

    Registers, names, parameters, measurements and control flow are kept. Composite gates are expanded. An operation
    that is not a gate, such as control flow, stays as it is; no gate moves across it. With ``permutation="free"``, the
    layout of the result says where each qubit ends (``layout.final_index_layout()``). Circuits for a device are
    compiled by ``transpile(circuit, backend, optimization_method="quartz")``.

    Raises UsageError for a gate set with gates that Qiskit does not have, and as ``quartz.optimize`` does.
    """
    ignores_barriers = options.get("barriers") == "ignore"
    placed = [each for each in placed_operations(circuit) if not (ignores_barriers and isinstance(each[0], Barrier))]
    chosen = Options(gate_set, options)
    conversion = Conversion(placed, circuit.global_phase, may_permute=chosen.may_permute)
    chosen = chosen.for_circuit(conversion.measures)
    result = optimize_circuit(conversion.circuit, gate_set, **chosen.others)
    optimized = circuit.copy_empty_like()
    for operation, qubits, clbits in conversion.placed(result.circuit):
        optimized.append(operation, qubits, clbits)
    optimized.global_phase = conversion.global_phase(result.circuit)
    set_layout(optimized, circuit.layout, conversion.final_places(result.permutation))
    return (optimized, result) if with_result else optimized

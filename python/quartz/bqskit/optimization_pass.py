"""The pass of BQSKit that runs Quartz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bqskit import Circuit as BqskitCircuit
from bqskit.compiler import BasePass, PassData
from bqskit.ir import gates

from quartz.arguments import GateSetLike
from quartz.bqskit.conversion import append_gate
from quartz.bqskit.gates import calls_of, is_boundary
from quartz.errors import UsageError
from quartz.interchange.conversion import Conversion
from quartz.interchange.optimization import AUTO, Options
from quartz.interchange.steps import BoundaryKind, Gate, Step
from quartz.options import SearchOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack


class QuartzPass(BasePass):
    """Replaces a circuit by a cheaper one that is equal to it up to global phase, which BQSKit does not know.

    Measurements, resets and barriers are kept, and so are unitaries, tagged gates, gates on qudits that are not qubits,
    and everything else that Quartz does not know; no gate moves across them. Blocks become their gates.
    """

    def __init__(self, gate_set: GateSetLike = AUTO, **options: Unpack[SearchOptions]) -> None:
        """Creates a pass.

        ``gate_set`` is the one of the result, or ``auto`` for the gates that the circuit has. ``options`` are those of
        ``quartz.optimize``: ``cost``, ``time``, ``seed``, ``barriers`` and so on. With ``auto``, the cost is by default
        ``two-qubit,two-qubit-depth,total``, and ``t,two-qubit,total`` for Clifford+T circuits. By default there is one
        thread, since BQSKit has a worker for each core.
        """
        self._options = Options(gate_set, {"threads": 1, **options})
        self._options.require_order("the measurements of BQSKit are by the numbers of qubits")
        if self._options.ancillas:
            message = "ancillas need gates under the outcomes of measurements, which BQSKit does not have"
            raise UsageError(f"{message}; quartz.optimize(quartz.bqskit.from_bqskit(circuit), ...) returns such circuits")

    async def run(self, circuit: BqskitCircuit, data: PassData) -> None:
        """Optimizes the circuit. Raises as ``quartz.optimize`` does."""
        qubits = list(range(circuit.num_qudits))
        conversion = Conversion(self._options.kept_steps(_steps(circuit)), (), qubits, "the circuit of BQSKit")
        result = self._options.for_circuit(conversion.measures).run(conversion.circuit)
        if result is None:
            return
        optimized = BqskitCircuit(circuit.num_qudits, circuit.radixes)
        for each in conversion.restored(result.circuit):
            if isinstance(each, Step):
                optimized.append(each.operation)
            elif isinstance(each, Gate):
                append_gate(optimized, each)
        circuit.become(optimized, deepcopy=False)


def _steps(circuit: BqskitCircuit) -> Iterator[Step]:
    for operation in circuit:
        gate = operation.gate
        is_tagged = isinstance(gate, gates.TaggedGate)
        calls = None if is_boundary(gate) or is_tagged else calls_of(gate, operation.params)
        kind: BoundaryKind = "kept"
        if isinstance(gate, gates.BarrierPlaceholder):
            kind = "barrier"
        elif isinstance(gate, gates.Reset) and gate.radixes == (2,):
            kind = "reset"
        measures = isinstance(gate, gates.MeasurementPlaceholder)
        yield Step(
            operation,
            tuple(operation.location),
            calls,
            kind,
            is_ordered=measures,
            measures=measures,
            name=type(gate).__name__,
        )

"""The pass of Qiskit's transpiler that runs Quartz."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from qiskit.circuit import Barrier, ControlFlowOp, Qubit
from qiskit.converters import circuit_to_dag, dag_to_circuit
from qiskit.dagcircuit import DAGCircuit
from qiskit.transpiler import Layout, Target
from qiskit.transpiler.basepasses import TransformationPass

from quartz._core import Cost
from quartz.arguments import with_article
from quartz.errors import Error
from quartz.interchange.optimization import Options
from quartz.optimization import OptimizeResult
from quartz.optimization import optimize as optimize_circuit
from quartz.options import Barriers, Permutation
from quartz.qiskit.conversion import Conversion, Placed
from quartz.qiskit.layout import final_layout
from quartz.qiskit.setting_values import TargetCost, require_settings
from quartz.qiskit.target import NativeTarget

_logger = logging.getLogger(__name__)

#: The time of the check: this much, and this part of the time of the search. A compiler waits for it.
_BASE_CHECK_SECONDS = 0.4
_CHECK_SHARE = 0.5


class QuartzOptimization(TransformationPass):
    """Replaces a circuit in the gates of a target by a cheaper one that is equal to it, global phase included.

    The circuit must be valid for the target already, and the result is. It is the input itself if Quartz finds
    nothing better, or if a result could not be verified. Layout, parameters, measurements and control flow are kept;
    the bodies of control flow are optimized as circuits of their own. The quartz.OptimizeResult of the circuit is
    ``property_set["quartz_result"]``; None if there was nothing to optimize.
    """

    def __init__(
        self,
        target: Target,
        *,
        cost: TargetCost | None = None,
        time: float = 1.0,
        seed: int = 0,
        threads: int | None = None,
        steps: int | None = None,
        barriers: Barriers = "keep",
        program: bool = False,
        permutation: Permutation = "keep",
        qubits_initially_zero: bool = True,
    ) -> None:
        """Creates a pass for a target.

        ``cost`` is a list of ``two-qubit``, ``total``, ``t``, ``depth``, ``two-qubit-depth``, ``t-depth``, and
        ``errors`` for the error rates of the target, a ``quartz.Cost``, or a list of these; by default ``two-qubit,errors,total``, without the errors that the target does not state. The other
        arguments are those of ``quartz.optimize``. A permutation becomes part of the final layout.

        As in Qiskit's own passes, no gate is removed because the state of its qubits is known, or because no
        measurement sees it, not even next to a reset. With ``program=True``, the circuit is a complete program, and
        such gates are removed up to the first barrier on a qubit, from its last one on, and next to resets;
        ``qubits_initially_zero``, as in Qiskit's ``transpile``, is whether it starts in ``|0>``. ``program`` and
        ``permutation`` do not apply to the bodies of control flow.

        Raises TypeError for an argument of another type, and UsageError for one that is out of range.
        """
        super().__init__()
        if not isinstance(target, Target):
            raise TypeError(f"QuartzOptimization(): target is {with_article(target)}, expected a Target, such as backend.target")
        values = {"cost": cost, "time": time, "seed": seed, "threads": threads, "steps": steps}
        edges = {"barriers": barriers, "program": program, "permutation": permutation}
        require_settings("QuartzOptimization", **values, **edges)
        self._target = target
        self._cost = cost
        self._time = time
        self._seed = seed
        self._threads = threads
        self._steps = steps
        self._ignores_barriers = barriers == "ignore"
        self._program = program
        self._permutation = permutation
        self._qubits_initially_zero = qubits_initially_zero

    def run(self, dag: DAGCircuit) -> DAGCircuit:
        """Returns the optimized circuit."""
        numbers = {qubit: number for number, qubit in enumerate(dag.qubits)}
        size = max(dag.size(recurse=True), 1)
        self.property_set["quartz_result"] = None
        try:
            native = NativeTarget(self._target)
        except Error as error:
            _logger.warning("Quartz cannot optimize for the target: %s", error)
            return dag
        return self._optimized(dag, native, numbers, self._time / size, is_outermost=True)

    def _optimized(
        self,
        dag: DAGCircuit,
        native: NativeTarget,
        numbers: dict[Any, int],
        seconds_per_gate: float,
        is_outermost: bool = False,
    ) -> DAGCircuit:
        """Returns an optimized circuit whose qubits have these numbers in the target."""
        operations: list[Placed] = [
            (self._with_optimized_bodies(node, native, numbers, seconds_per_gate), node.qargs, node.cargs)
            for node in dag.topological_op_nodes()
            if not (self._ignores_barriers and isinstance(node.op, Barrier))
        ]
        try:
            edges = {"program": self._program, "permutation": self._permutation} if is_outermost else {}
            surroundings = Options(others=edges)
            result, better = self._improved(dag, native, operations, numbers, seconds_per_gate, surroundings)
        except Error as error:
            _logger.warning("Quartz could not optimize the circuit: %s", error)
            result, better = None, None
        if is_outermost:
            self.property_set["quartz_result"] = result
        return better if better is not None else _with_operations(dag, operations, dag.global_phase)

    def _improved(
        self,
        dag: DAGCircuit,
        native: NativeTarget,
        operations: list[Placed],
        numbers: dict[Any, int],
        seconds_per_gate: float,
        surroundings: Options,
    ) -> tuple[OptimizeResult | None, DAGCircuit | None]:
        """Returns the result of a search that begins with the operations, and its circuit if it is better, checked, and
        valid for the target."""
        conversion = Conversion(
            operations,
            dag.global_phase,
            native.form_of,
            may_permute=surroundings.may_permute,
            knows_resets=self._program,
        )
        if conversion.circuit.gate_count == 0:
            return None, None
        places = [numbers[qubit] for qubit in conversion.qubits]
        cost = native.cost(self._cost, places)
        with conversion.messages_of_package():
            result = self._search(native, conversion, places, cost, seconds_per_gate * len(operations), surroundings)
        # The search never adds to the cost, but its translation may, for a gate whose limits are not known exactly.
        is_better = tuple(result.cost_after.values()) < tuple(cost.values(conversion.circuit).values())
        if not result.checked or not is_better:
            return result, None
        placed = [native.in_best_order(each, numbers) for each in conversion.placed(result.circuit, native.make_gate)]
        if not all(native.supports(each, numbers) for each in placed):
            _logger.warning("Quartz found no better circuit that the target supports")
            return result, None
        if result.permutation:
            moved = conversion.final_places(result.permutation)
            self._permute(dag, moved)
        return result, _with_operations(dag, placed, conversion.global_phase(result.circuit))

    def _permute(self, dag: DAGCircuit, places: Mapping[Qubit, Qubit]) -> None:
        """Adds a permutation to the final layout."""
        if self.property_set["layout"] is None:  # Qiskit's layouts have no final one alone
            self.property_set["layout"] = Layout(dict(enumerate(dag.qubits)))
        self.property_set["final_layout"] = final_layout(dag.qubits, places, self.property_set["final_layout"])

    def _search(
        self,
        native: NativeTarget,
        conversion: Conversion,
        places: list[int],
        cost: Cost,
        seconds: float,
        surroundings: Options,
    ) -> OptimizeResult:
        coupling = native.coupling(places)
        assumed = dict(surroundings.for_circuit(conversion.measures).others)
        if not self._qubits_initially_zero:
            assumed.pop("initial_state", None)
        is_parallel = os.environ.get("QISKIT_IN_PARALLEL", "").upper() == "TRUE"
        return optimize_circuit(
            conversion.circuit,
            native.gate_set,
            cost=cost,
            time=seconds,
            threads=self._threads if self._threads is not None else int(is_parallel),
            seed=self._seed,
            steps=self._steps,
            coupling=coupling,
            rules=native.rules,
            check_time=_BASE_CHECK_SECONDS + _CHECK_SHARE * seconds,
            **assumed,
        )

    def _with_optimized_bodies(
        self, node: Any, native: NativeTarget, numbers: dict[Any, int], seconds_per_gate: float
    ) -> Any:
        operation = node.op
        if not isinstance(operation, ControlFlowOp):
            return operation
        blocks = []
        for block in operation.blocks:
            inner = {qubit: numbers[outer] for qubit, outer in zip(block.qubits, node.qargs)}
            blocks.append(dag_to_circuit(self._optimized(circuit_to_dag(block), native, inner, seconds_per_gate)))
        return operation.replace_blocks(blocks)


def _with_operations(dag: DAGCircuit, operations: list[Placed], global_phase: Any) -> DAGCircuit:
    """Returns a circuit with the registers and names of another one, and other operations."""
    new = dag.copy_empty_like()
    new.global_phase = global_phase
    for operation, qubits, clbits in operations:
        new.apply_operation_back(operation, qubits, clbits, check=False)
    return new

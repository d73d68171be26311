"""The other optimizers of `bench.py compare`, each with every variant that is allowed under the same
assumptions as quartz-opt.

Each function takes a Task and yields variants: a name, the number of two-qubit gates, and the output
as OpenQASM, in any gates whose two-qubit gates are those of the target. A comment states on which
qubits others end, as quartz-opt writes it. The packages are those of requirements.txt.
"""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks import native, qasm, workloads


@dataclasses.dataclass(frozen=True)
class Assumptions:
    """What an optimizer may assume, with the names of quartz-opt's options."""

    name: str
    permutation_free: bool = False
    complete_program: bool = False


ASSUMPTIONS = {
    each.name: each
    for each in (
        Assumptions("none"),
        Assumptions("permutation", permutation_free=True),
        Assumptions("program", complete_program=True),
        Assumptions("both", permutation_free=True, complete_program=True),
    )
}


@dataclasses.dataclass(frozen=True)
class Task:
    """What is compiled, and what may be assumed."""

    workload: workloads.Workload
    assumptions: Assumptions
    seeds: int = 3  # how many seeds of the optimizers that have one

    def program(self) -> str:
        """Returns the input."""
        return self.workload.path.read_text(encoding="utf-8")

    def is_coupled(self) -> bool:
        """Returns whether only the coupled pairs of the input may be used."""
        target = self.workload.target
        return target.device is not None and not (
            target.all_to_all and self.assumptions.permutation_free
        )


Variants = Iterator[tuple[str, int, str]]

# What Qiskit's targets have besides gates, and can be named.
NOT_GATES = ("measure", "reset", "delay")


class NotOffered(Exception):
    """The optimizer does not do this task."""


def in_qiskit(task: Task) -> Any:
    """Returns the input as a circuit of Qiskit."""
    from qiskit import qpy

    with task.workload.path.with_suffix(".qpy").open("rb") as file:
        return qpy.load(file)[0]


def two_qubit_gates(circuit: Any) -> int:
    """Returns the number of gates on two or more qubits, in all blocks of control flow."""
    count = 0
    for each in circuit.data:
        if hasattr(each.operation, "blocks"):
            count += sum(map(two_qubit_gates, each.operation.blocks))
        elif each.operation.name not in ("barrier", "measure", "reset"):
            count += len(each.qubits) >= 2
    return count


def with_permutation(text: str, final_places: Sequence[int]) -> str:
    """Returns the program with the comment that quartz-check reads: qubit i ends on
    final_places[i]."""
    if list(final_places) == list(range(len(final_places))):
        return text
    return f"// output permutation: {list(final_places)}\n{text}"


# --- Qiskit --------------------------------------------------------------------------------------


def qiskit_manager(
    circuit: Any, task: Task, permuting: bool, complete: bool, seed: int
) -> Any:
    """Returns the passes of level 3 without those that assume more than is allowed."""
    from qiskit.circuit import ForLoopOp, IfElseOp, SwitchCaseOp, WhileLoopOp
    from qiskit.transpiler import CouplingMap, PassManager, Target
    from qiskit.transpiler.passes import RemoveDiagonalGatesBeforeMeasure
    from qiskit.transpiler.preset_passmanagers import generate_preset_pass_manager

    pairs = coupled_pairs(circuit) if task.is_coupled() else set()
    target = Target.from_configuration(
        [*task.workload.target.basis, *NOT_GATES],
        num_qubits=circuit.num_qubits,
        coupling_map=CouplingMap(sorted(pairs)) if pairs else None,
    )
    for name, operation in (("if_else", IfElseOp), ("while_loop", WhileLoopOp),
                            ("for_loop", ForLoopOp), ("switch_case", SwitchCaseOp)):  # fmt: skip
        target.add_instruction(operation, name=name)
    manager = generate_preset_pass_manager(
        optimization_level=3,
        target=target,
        initial_layout=list(range(circuit.num_qubits)) if pairs else None,
        routing_method=None if permuting else "none",
        qubits_initially_zero=complete,
        seed_transpiler=seed,
    )
    if not complete:
        manager.init = PassManager(
            [each for each in native.passes_of(manager.init.to_flow_controller())
             if not isinstance(each, RemoveDiagonalGatesBeforeMeasure)]
        )  # fmt: skip
    return manager


def coupled_pairs(circuit: Any) -> set[tuple[int, int]]:
    """Returns the pairs of qubits on which gates act, in both directions."""
    places = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    pairs: set[tuple[int, int]] = set()
    for each in circuit.data:
        numbers = [places[qubit] for qubit in each.qubits]
        if hasattr(each.operation, "blocks"):
            for block in each.operation.blocks:
                pairs |= {(numbers[a], numbers[b]) for a, b in coupled_pairs(block)}
        elif len(numbers) == 2 and each.operation.name != "barrier":
            pairs |= {(numbers[0], numbers[1]), (numbers[1], numbers[0])}
    return pairs


def at_the_edges(circuit: Any) -> Any:
    """Returns the circuit without what has no effect in a complete program, by the passes of Qiskit
    that no level runs."""
    from qiskit.transpiler import PassManager
    from qiskit.transpiler.passes import (
        OptimizeSwapBeforeMeasure,
        RemoveFinalReset,
        RemoveResetInZeroState,
    )

    passes = [RemoveResetInZeroState(), RemoveFinalReset(), OptimizeSwapBeforeMeasure()]
    return PassManager(passes).run(circuit)


def qiskit(task: Task) -> Variants:
    """Qiskit: transpile at level 3 with the layout kept, for several seeds."""
    allowed = task.assumptions
    for permuting in (False, True)[: 1 + allowed.permutation_free]:
        for complete in (False, True)[: 1 + allowed.complete_program]:
            for seed in range(task.seeds):
                circuit = in_qiskit(task)
                manager = qiskit_manager(circuit, task, permuting, complete, seed)
                if permuting and complete:
                    circuit = at_the_edges(circuit)
                found = manager.run(circuit)
                places = found.layout.final_index_layout() if found.layout else []
                name = f"permuting={permuting} complete={complete} seed={seed}"
                text = with_permutation(workloads.written(found), places)
                yield name, two_qubit_gates(found), text


# --- pytket --------------------------------------------------------------------------------------


def pytket_sequences(swaps: bool) -> dict[str, list[Any]]:
    """Returns sequences of passes by name."""
    from pytket import passes

    full = passes.FullPeepholeOptimise(allow_swaps=swaps)
    return {
        "full peephole": [full],
        "greedy pauli": [passes.GreedyPauliSimp(), full],
        "clifford, kak": [passes.SynthesiseTket(), passes.CliffordSimp(allow_swaps=swaps),
                          passes.KAKDecomposition(allow_swaps=swaps), passes.RemoveRedundancies()],
        "peephole 2q, full peephole": [passes.PeepholeOptimise2Q(allow_swaps=swaps), full],
        "pauli": [passes.PauliSimp(), full],
    }  # fmt: skip


def pytket(task: Task) -> Variants:
    """pytket: FullPeepholeOptimise, and other sequences of passes."""
    from pytket import OpType, passes
    from pytket.qasm import circuit_from_qasm_str, circuit_to_qasm_str

    allowed = task.assumptions
    program = task.program()
    if "OPENQASM 3" in program:
        raise NotOffered("pytket does not read OpenQASM 3")
    rebase = passes.AutoRebase({OpType.CX, OpType.U3})
    for swaps in (False, True)[: 1 + allowed.permutation_free]:
        for complete in (False, True)[: 1 + allowed.complete_program]:
            for name, sequence in pytket_sequences(swaps).items():
                circuit = circuit_from_qasm_str(program)
                if complete:
                    circuit.qubit_create_all()
                    if circuit.n_gates_of_type(OpType.Measure):
                        circuit.qubit_discard_all()
                    sequence = [passes.RemoveDiscarded(), *sequence, passes.RemoveDiscarded(),
                                passes.SimplifyInitial(allow_classical=False)]  # fmt: skip
                try:
                    for step in sequence:
                        step.apply(circuit)
                    if not swaps:  # GreedyPauliSimp moves qubits without being asked
                        circuit.replace_implicit_wire_swaps()
                    rebase.apply(circuit)
                    passes.RemoveRedundancies().apply(circuit)
                except RuntimeError:  # a pass that does not allow what the circuit has
                    continue
                qubits = circuit.qubits
                ends = circuit.implicit_qubit_permutation()
                places = [0] * len(qubits)
                for start, end in ends.items():
                    places[qubits.index(end)] = qubits.index(start)
                text = with_permutation(circuit_to_qasm_str(circuit), places)
                name = f"{name}, swaps={swaps} complete={complete}"
                yield name, circuit.n_gates_of_type(OpType.CX), text


# --- tzap ----------------------------------------------------------------------------------------


def tzap(task: Task) -> Variants:
    """tzap: -O3, once and until nothing changes. -Osuper takes minutes for 100 gates."""
    program = task.program()
    command = str(pathlib.Path(sys.executable).with_name("tzap"))
    for level in (["-O3"], ["-O3", "--fixpoint"]):
        arguments = [command, *level, "--decompose-ccx", "-o", "/dev/stdout", "/dev/stdin"]
        done = subprocess.run(arguments, input=program, capture_output=True, text=True, check=False)
        if done.returncode != 0 or "OPENQASM" not in done.stdout:
            raise NotOffered((done.stderr.strip().splitlines() or ["no message"])[-1])
        text = done.stdout[done.stdout.index("OPENQASM") :]
        circuit = qasm.in_nam(qasm.read(text))
        yield " ".join(level), qasm.counts(circuit)["two_qubit"], qasm.write(circuit)


# --- BQSKit --------------------------------------------------------------------------------------

# Larger circuits take it minutes.
BQSKIT_QUBITS = 8
BQSKIT_TWO_QUBIT_GATES = 100


def bqskit(task: Task) -> Variants:
    """BQSKit: level 2. Its results are approximate, with an error of about 1e-8."""
    import bqskit as package
    from bqskit.compiler import Compiler
    from bqskit.ir.gates import CXGate, U3Gate
    from bqskit.ir.lang.qasm2 import OPENQASM2Language

    program = task.program()
    if any(word in program for word in ("OPENQASM 3", "if", "reset")):
        raise NotOffered("BQSKit does not keep conditions")
    circuit = OPENQASM2Language().decode(program)
    size = circuit.count(CXGate())
    if circuit.num_qudits > BQSKIT_QUBITS or size > BQSKIT_TWO_QUBIT_GATES:
        raise NotOffered("too large")
    model = package.MachineModel(circuit.num_qudits, gate_set={CXGate(), U3Gate()})
    with Compiler(num_workers=1) as compiler:
        found = package.compile(circuit, model, optimization_level=2, compiler=compiler, seed=0)
    yield "level 2", found.count(CXGate()), OPENQASM2Language().encode(found)


PEERS: dict[str, Callable[[Task], Variants]] = {
    "qiskit": qiskit,
    "pytket": pytket,
    "tzap": tzap,
    "bqskit": bqskit,
}


# No further variant is tried after this time.
VARIANTS_SECONDS = 30


def best(peer: str, task: Task) -> dict[str, Any]:
    """Returns the variant of a peer with the fewest two-qubit gates: "two_qubit", "variant" and
    "text"; or "not_offered" and why."""
    found: dict[str, Any] = {}
    start = time.perf_counter()
    try:
        for name, count, text in PEERS[peer](task):
            if not found or count < found["two_qubit"]:
                found = {"two_qubit": count, "variant": name, "text": text}
            if time.perf_counter() - start > VARIANTS_SECONDS:
                break
    except NotOffered as reason:
        return found or {"not_offered": str(reason)}
    return found or {"not_offered": "no variant applies"}

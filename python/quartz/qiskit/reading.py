"""Circuits of Qiskit as circuits of Quartz that mean the same and nothing less."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from qiskit.circuit import (
    Barrier,
    BoxOp,
    Delay,
    ForLoopOp,
    Gate,
    IfElseOp,
    Instruction,
    Measure,
    Parameter,
    ParameterExpression,
    QuantumCircuit,
    Reset,
    SwitchCaseOp,
    WhileLoopOp,
)
from qiskit.circuit.controlflow import CASE_DEFAULT
from qiskit.circuit.library import GlobalPhaseGate

from quartz._core import Circuit
from quartz.arguments import with_article
from quartz.errors import UsageError
from quartz.interchange.durations import text_of_duration
from quartz.interchange.program import Program
from quartz.interchange.steps import call
from quartz.qiskit.classical_texts import ClassicalTexts, Places, no_operation
from quartz.qiskit.expressions import NamedSymbols
from quartz.qiskit.gates import definition_of, standard_form

#: The greatest number of iterations of loops, nested ones included, that are written out.
_MAX_ITERATIONS = 1_000_000


def from_qiskit(circuit: QuantumCircuit) -> Circuit:
    """Returns a circuit of Qiskit as a quartz.Circuit with the same registers, parameters, measurements, conditions,
    loops, delays and global phase, so that ``quartz.check`` compares what the circuits do.

    Qubits and classical bits keep their numbers. Parameters keep their names, where those are identifiers of OpenQASM:
    ``x[0]`` becomes ``x_0_``. Composite gates and instructions become their definitions, and ``for`` loops their
    iterations. A plain ``Gate`` without a definition is an opaque operation, which is known by its name.

    Raises UsageError, with the name of the instruction, for one that Quartz cannot express exactly, such as a store, a
    jump out of a loop or a delay by a parameter, and InputError for a combination of control flow or an expression of
    parameters that Quartz does not read.
    """
    if not isinstance(circuit, QuantumCircuit):
        raise TypeError(f"from_qiskit(): circuit is {with_article(circuit)}, expected a QuantumCircuit of Qiskit")
    reader = _Reader(circuit)
    reader.add_block(circuit, {bit: bit for bit in [*circuit.qubits, *circuit.clbits]})
    return reader.circuit()


@dataclasses.dataclass
class _Placed:
    """An instruction in a block."""

    instruction: Any
    #: The bits of the block as bits of the whole circuit.
    places: Places

    @property
    def operation(self) -> Any:
        return self.instruction.operation

    @property
    def qubits(self) -> list[Any]:
        return [self.places[qubit] for qubit in self.instruction.qubits]

    @property
    def clbits(self) -> list[Any]:
        return [self.places[clbit] for clbit in self.instruction.clbits]

    def places_of(self, block: QuantumCircuit) -> Places:
        """Returns the bits of a block of the operation, or of its definition, as bits of the whole circuit."""
        return {**dict(zip(block.qubits, self.qubits)), **dict(zip(block.clbits, self.clbits))}

    def refusal(self, reason: str = "") -> UsageError:
        """Returns the exception for an operation that cannot be expressed."""
        return no_operation(self.operation.name, reason)


class _Reader:
    """Writes instructions of Qiskit into a program."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self._program = Program()
        # Parameters are matched by name, and registers by number: the names of parameters come first.
        self._symbols = NamedSymbols(circuit.parameters, self._program.names)
        self._add_registers("qubit", circuit.qubits, circuit.qregs)
        self._bits = ClassicalTexts(self._add_registers("bit", circuit.clbits, circuit.cregs), self._program.place_of)
        self._opaque: dict[str, tuple[int, int]] = {}  # the numbers of parameters and qubits
        self._phases: list[str] = []
        self._conditions = 0  # how many conditions and loops on bits there are around the place
        self._iterations = 0

    def circuit(self) -> Circuit:
        """Returns the circuit of what has been added."""
        for phase in self._phases:
            self._program.add_phase(phase)
        return self._program.circuit(self._symbols.expressions, "the circuit of Qiskit")

    def _add_registers(self, kind: str, bits: Sequence[Any], registers: Sequence[Any]) -> dict[tuple[Any, ...], str]:
        """Declares registers, and returns their names by their bits. If the registers do not have all bits in their
        order, and each of them once, one register has them."""
        given = [register for register in registers if len(register) > 0]
        if [bit for register in given for bit in register] == list(bits):
            members = [(register.name, list(register)) for register in given]
        else:
            members = [("q" if kind == "qubit" else "c", list(bits))]
        return {tuple(each): self._program.add_register(kind, name, each) for name, each in members if each}

    def add_block(self, block: QuantumCircuit, places: Places) -> None:
        """Adds a circuit whose bits are these of the whole circuit."""
        stretches = block.iter_stretches() if hasattr(block, "iter_stretches") else ()  # since Qiskit 2.1
        for each in [*block.iter_vars(), *stretches]:
            raise UsageError(f"Quartz has no operation for the variable {each.name} of Qiskit")
        self._add_phase(block.global_phase)
        for instruction in block.data:
            self._add(_Placed(instruction, places))

    def _add_phase(self, phase: Any) -> None:
        if self._conditions == 0 and phase != 0:  # a phase that depends on classical bits is not observable
            self._phases.append(self._symbols.text_of(phase))

    def _add(self, placed: _Placed) -> None:
        operation = placed.operation
        form = standard_form(operation)
        if form is not None:
            qubits = placed.qubits
            parameters = [self._symbols.text_of(each) for each in operation.params]
            self._program.add_gates([call(form.name, parameters, range(len(qubits)))], qubits)
            return
        writer = next((writer for kind, writer in _WRITERS.items() if isinstance(operation, kind)), None)
        if writer is not None:
            writer(self, placed)
        elif isinstance(operation, Instruction) and (definition := definition_of(operation)) is not None:
            self.add_block(definition, placed.places_of(definition))
        elif isinstance(operation, Gate) and operation.base_class is Gate:
            self._add_opaque(placed)
        else:
            raise placed.refusal()

    def _add_phase_gate(self, placed: _Placed) -> None:
        self._add_phase(placed.operation.params[0])

    def _add_measurement(self, placed: _Placed) -> None:
        self._program.add_measurement(placed.qubits[0], placed.clbits[0])

    def _add_reset(self, placed: _Placed) -> None:
        self._program.add_statement("reset", placed.qubits)

    def _add_barrier(self, placed: _Placed) -> None:
        if placed.qubits:
            self._program.add_statement("barrier", placed.qubits)

    def _add_delay(self, placed: _Placed) -> None:
        self._program.add_statement(f"delay[{_duration(placed)}]", placed.qubits)

    def _add_if(self, placed: _Placed) -> None:
        true, *false = placed.operation.blocks
        self._add_conditional(f"if ({self._condition(placed)})", true, placed)
        for block in false:
            self._add_conditional("else", block, placed)

    def _add_while(self, placed: _Placed) -> None:
        self._add_conditional(f"while ({self._condition(placed)})", placed.operation.blocks[0], placed)

    def _add_switch(self, placed: _Placed) -> None:
        self._program.add_text(f"switch ({self._bits.text_of(placed.operation.target, placed)}) {{")
        for values, block in placed.operation.cases_specifier():
            is_default = any(value is CASE_DEFAULT for value in values)
            head = "default" if is_default else f"case {', '.join(str(int(value)) for value in values)}"
            self._add_conditional(head, block, placed)
        self._program.add_text("}")

    def _add_for(self, placed: _Placed) -> None:
        values, parameter, body = placed.operation.params
        if not isinstance(values, (range, tuple, list)) or not (parameter is None or isinstance(parameter, Parameter)):
            raise placed.refusal()
        for value in values:
            self._iterations += 1
            if self._iterations > _MAX_ITERATIONS:
                raise placed.refusal(f"loops have more than {_MAX_ITERATIONS} iterations")
            bound = body if parameter not in body.parameters else body.assign_parameters({parameter: value})
            self.add_block(bound, placed.places_of(bound))

    def _add_box(self, placed: _Placed) -> None:
        if getattr(placed.operation, "annotations", ()):  # since Qiskit 2.1
            raise placed.refusal("it has annotations")
        (block,) = placed.operation.blocks
        self._program.add_text("box {" if placed.operation.duration is None else f"box[{_duration(placed)}] {{")
        self.add_block(block, placed.places_of(block))
        self._program.add_text("}")

    def _add_opaque(self, placed: _Placed) -> None:
        name, numbers = placed.operation.name, (len(placed.operation.params), len(placed.qubits))
        if name not in self._opaque:
            if hasattr(Circuit, name) or self._program.names.identifier(name) != name:
                raise placed.refusal("it has no definition, and its name means something else in OpenQASM")
            self._opaque[name] = numbers
            self._program.add_opaque(name, *numbers)
        if self._opaque[name] != numbers:
            raise placed.refusal("another operation with its name has other numbers of parameters and qubits")
        parameters = [self._symbols.text_of(each) for each in placed.operation.params]
        self._program.add_gates([call(name, parameters, range(numbers[1]))], placed.qubits)

    def _condition(self, placed: _Placed) -> str:
        condition = placed.operation.condition
        if isinstance(condition, tuple):
            tested, value = condition
            return self._bits.text_of_comparison(tested, int(value), placed)
        return self._bits.text_of(condition, placed)

    def _add_conditional(self, head: str, block: QuantumCircuit, placed: _Placed) -> None:
        self._program.add_text(f"{head} {{")
        self._conditions += 1
        self.add_block(block, placed.places_of(block))
        self._conditions -= 1
        self._program.add_text("}")


_WRITERS: dict[type, Callable[[_Reader, _Placed], None]] = {
    GlobalPhaseGate: _Reader._add_phase_gate,
    Measure: _Reader._add_measurement,
    Reset: _Reader._add_reset,
    Barrier: _Reader._add_barrier,
    Delay: _Reader._add_delay,
    IfElseOp: _Reader._add_if,
    WhileLoopOp: _Reader._add_while,
    SwitchCaseOp: _Reader._add_switch,
    ForLoopOp: _Reader._add_for,
    BoxOp: _Reader._add_box,
}


def _duration(placed: _Placed) -> str:
    """Returns the duration of a delay or a box in OpenQASM, exactly."""
    duration, unit = placed.operation.duration, placed.operation.unit
    if isinstance(duration, ParameterExpression) and not duration.parameters:
        duration = duration.numeric()
    text = text_of_duration(duration, str(unit))
    if text is None:
        raise placed.refusal(f"its duration is {duration} {unit}")
    return text

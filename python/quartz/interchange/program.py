"""A circuit with registers and conditions, written statement by statement."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable, Iterator, Sequence

from quartz._core import Circuit
from quartz.interchange.names import Names
from quartz.interchange.steps import Call, phase_call, text_of_calls


class Program:
    """A program in OpenQASM 3 about the qubits and classical bits of a package."""

    def __init__(self) -> None:
        #: The names of registers and parameters.
        self.names = Names()
        self._registers: list[str] = []
        self._lines: list[str] = []
        self._places: dict[Hashable, str] = {}

    def add_register(self, kind: str, name: str, members: Sequence[Hashable]) -> str:
        """Declares a register of qubits or bits (``kind`` is ``qubit`` or ``bit``), unless it is empty, and returns its
        name."""
        identifier = self.names.identifier(name)
        if members:
            self._registers.append(f"{kind}[{len(members)}] {identifier};")
        for index, member in enumerate(members):
            self._places[member] = f"{identifier}[{index}]"
        return identifier

    def add_opaque(self, name: str, parameters: int, qubits: int) -> None:
        """Declares an opaque gate with a name that is free."""
        arguments = ", ".join(f"p{index}" for index in range(parameters))
        operands = ", ".join(f"a{index}" for index in range(qubits))
        self._registers.append(f"opaque {name}{f'({arguments})' if arguments else ''} {operands};")

    def place_of(self, member: Hashable) -> str:
        """Returns a qubit or bit as an operand."""
        return self._places[member]

    def add_gates(self, calls: Iterable[Call], qubits: Sequence[Hashable]) -> None:
        self._lines += text_of_calls(calls, [self._places[qubit] for qubit in qubits])

    def add_phase(self, text: str) -> None:
        """Adds a global phase."""
        self.add_gates([phase_call(text)], [])

    def add_measurement(self, qubit: Hashable, bit: Hashable) -> None:
        self._lines.append(f"{self._places[bit]} = measure {self._places[qubit]};")

    def add_statement(self, name: str, qubits: Iterable[Hashable]) -> None:
        """Adds a reset, a barrier or a delay."""
        self._lines.append(f"{name} {', '.join(self._places[qubit] for qubit in qubits)};")

    def add_text(self, text: str) -> None:
        """Adds the begin or the end of a block."""
        self._lines.append(text)

    @contextlib.contextmanager
    def on_values(self, bits: Sequence[Hashable], values: Sequence[bool]) -> Iterator[None]:
        """What is added within the block is executed if the bits have these values."""
        for bit, value in zip(bits, values):
            self._lines.append(f"if ({self._places[bit]} == {int(value)}) {{")
        yield
        self._lines += ["}"] * len(bits)

    def circuit(self, parameters: Iterable[str], name: str) -> Circuit:
        """Returns the circuit, which has these free parameters; ``name`` is what messages call it."""
        inputs = [f"input float[64] {each};" for each in parameters]
        header = ["OPENQASM 3.0;", 'include "stdgates.inc";']
        return Circuit.from_qasm("\n".join([*header, *inputs, *self._registers, *self._lines]), name=name)

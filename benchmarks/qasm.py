"""Reads, measures and writes flat OpenQASM 2.0: one gate per statement, without gate definitions.

Independent of the C++ code that the benchmarks measure. Whatever is not understood is refused: gate
definitions, conditions, gates on whole registers.
"""

from __future__ import annotations

import ast
import dataclasses
import math
import operator
import re

# Statements that are not gates, and are not counted.
NOT_GATES = {"barrier", "measure", "reset"}


@dataclasses.dataclass(frozen=True)
class Statement:
    name: str
    angles: tuple[str, ...]  # as written
    qubits: tuple[int, ...]  # numbered over all registers in the order of their declaration
    target: str = ""  # classical bit of a measurement, as written

    def text(self) -> str:
        """Returns the gate with its angles, without its qubits."""
        return f"{self.name}({','.join(self.angles)})" if self.angles else self.name


@dataclasses.dataclass
class FlatCircuit:
    qubits: int
    bits: dict[str, int]  # sizes of the classical registers
    statements: list[Statement]


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
REGISTER = re.compile(r"(qreg|creg) (\w+) ?\[(\d+)\]")
STATEMENT = re.compile(r"(\w+) ?(?:\((.*)\))? ?([^()]*?)(?: ?-> ?(\S+))?")
OPERAND = re.compile(r"(\w+) ?\[ ?(\d+) ?\]")


def read(text: str) -> FlatCircuit:
    """Parses a program. Raises ValueError if it is not flat."""
    wires_of: dict[str, range] = {}
    bits: dict[str, int] = {}
    statements: list[Statement] = []
    qubits = 0
    for raw in COMMENT.sub("", text).split(";"):
        line = " ".join(raw.split())
        if not line or line.startswith(("OPENQASM", "include")):
            continue
        if match := REGISTER.fullmatch(line):
            kind, name, size = match[1], match[2], int(match[3])
            if kind == "creg":
                bits[name] = size
            else:
                wires_of[name] = range(qubits, qubits + size)
                qubits += size
        else:
            statements.append(_read_statement(line, wires_of))
    return FlatCircuit(qubits, bits, statements)


def _read_statement(line: str, wires_of: dict[str, range]) -> Statement:
    match = STATEMENT.fullmatch(line)
    if not match or match[1] in ("gate", "opaque", "if"):
        raise ValueError(f"not flat OpenQASM 2.0: {line}")
    name, angles, operands, target = match.groups()
    qubits: list[int] = []
    for operand in operands.split(","):
        qubits.extend(_read_operand(operand.strip(), name == "barrier", wires_of))
    parts = tuple(part.strip() for part in angles.split(",")) if angles else ()
    return Statement(name, parts, tuple(qubits), target or "")


def _read_operand(operand: str, may_be_register: bool, wires_of: dict[str, range]) -> list[int]:
    if may_be_register and operand in wires_of:
        return list(wires_of[operand])
    match = OPERAND.fullmatch(operand)
    if not match or match[1] not in wires_of or int(match[2]) >= len(wires_of[match[1]]):
        raise ValueError(f"'{operand}' is not a declared qubit")
    return [wires_of[match[1]][int(match[2])]]


def write(circuit: FlatCircuit) -> str:
    """Writes the circuit over one register q, in gates that every other optimizer can read."""
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{circuit.qubits}];"]
    lines += [f"creg {name}[{size}];" for name, size in circuit.bits.items()]
    for statement in circuit.statements:
        operands = ",".join(f"q[{qubit}]" for qubit in statement.qubits)
        arrow = f" -> {statement.target}" if statement.target else ""
        if statement.name == "ccz":  # not in qelib1.inc
            last = f"h q[{statement.qubits[-1]}];"
            lines += [last, f"ccx {operands};", last]
        else:
            lines.append(f"{statement.text()} {operands}{arrow};")
    return "\n".join(lines) + "\n"


OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def angle_value(text: str) -> float:
    """Returns the value of an angle expression, in radians."""

    def value(node: ast.expr) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id == "pi":
            return math.pi
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            operand = value(node.operand)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise ValueError(f"'{text}' is not an angle")

    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


def is_quarter_turn(text: str) -> bool:
    """Returns whether an angle is a multiple of pi/2."""
    quarters = angle_value(text) / (math.pi / 2)
    return abs(quarters - round(quarters)) < 1e-9


def counts(circuit: FlatCircuit) -> dict[str, int]:
    """Returns total, two_qubit (gates on two or more qubits), t (t, tdg, and every rotation by an
    angle that is not a multiple of pi/2) and depth, as quartz/circuit/cost.hpp defines them."""
    result = {"total": 0, "two_qubit": 0, "t": 0, "depth": 0}
    level = [0] * circuit.qubits
    for statement in circuit.statements:
        start = max((level[qubit] for qubit in statement.qubits), default=0)
        if statement.name not in NOT_GATES:
            start += 1
            result["total"] += 1
            result["two_qubit"] += len(statement.qubits) >= 2
            result["t"] += statement.name in ("t", "tdg") or not all(
                map(is_quarter_turn, statement.angles)
            )
        for qubit in statement.qubits:
            level[qubit] = start
        result["depth"] = max(result["depth"], start)
    return result


def gate_names(circuit: FlatCircuit) -> set[str]:
    """Returns the names of the gates that occur."""
    return {statement.name for statement in circuit.statements} - NOT_GATES


NAM_GATES = {"h", "x", "rz", "cx"}

# Decompositions into {h, x, rz, cx}, up to a global phase: gate, angle, indices of the operands.
IN_NAM = {
    "z": [("rz", "pi", "0")],
    "s": [("rz", "pi/2", "0")],
    "sdg": [("rz", "-pi/2", "0")],
    "t": [("rz", "pi/4", "0")],
    "tdg": [("rz", "-pi/4", "0")],
    "cz": [("h", "", "1"), ("cx", "", "01"), ("h", "", "1")],
    "swap": [("cx", "", "01"), ("cx", "", "10"), ("cx", "", "01")],
    "ccz": [
        ("cx", "", "12"), ("rz", "-pi/4", "2"), ("cx", "", "02"), ("rz", "pi/4", "2"),
        ("cx", "", "12"), ("rz", "-pi/4", "2"), ("cx", "", "02"), ("rz", "pi/4", "1"),
        ("rz", "pi/4", "2"), ("cx", "", "01"), ("rz", "pi/4", "0"), ("rz", "-pi/4", "1"),
        ("cx", "", "01"),
    ],
}  # fmt: skip
IN_NAM["ccx"] = [("h", "", "2"), *IN_NAM["ccz"], ("h", "", "2")]


def in_nam(circuit: FlatCircuit) -> FlatCircuit:
    """Translates a circuit into {h, x, rz, cx} gate by gate, without any optimization."""
    statements: list[Statement] = []
    for statement in circuit.statements:
        if statement.name in ("p", "u1"):
            statements.append(dataclasses.replace(statement, name="rz"))
        elif statement.name == "rx":
            hadamard = Statement("h", (), statement.qubits)
            statements += [hadamard, dataclasses.replace(statement, name="rz"), hadamard]
        elif statement.name == "ry":
            # A quarter turn about Z turns X into Y.
            hadamard = Statement("h", (), statement.qubits)
            back, forth = (Statement("rz", (f"{sign}pi/2",), statement.qubits) for sign in ("-", ""))
            rotation = dataclasses.replace(statement, name="rz")
            statements += [back, hadamard, rotation, hadamard, forth]
        elif statement.name in IN_NAM:
            for name, angle, operands in IN_NAM[statement.name]:
                wires = tuple(statement.qubits[int(operand)] for operand in operands)
                statements.append(Statement(name, (angle,) if angle else (), wires))
        elif statement.name in NAM_GATES | NOT_GATES:
            statements.append(statement)
        else:
            raise ValueError(f"no decomposition of {statement.name} into h, x, rz, cx is known")
    return FlatCircuit(circuit.qubits, circuit.bits, statements)

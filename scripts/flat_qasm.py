"""Flat OpenQASM 2.0 (one gate a line over known gates): read, measured, and written again.

For the benchmark scripts only, whose figures must not rest on the code they measure. It refuses
what it does not understand: gate definitions, conditions, broadcast.
"""

import ast
import dataclasses
import math
import operator
import re

# What is not a gate, and so counts as none.
NO_GATES = {"barrier", "measure", "reset"}


@dataclasses.dataclass(frozen=True)
class Statement:
    name: str
    angles: tuple[str, ...]  # as written
    qubits: tuple[int, ...]  # numbered over all registers in the order of their declaration
    target: str = ""  # measure: the classical bit, as written


@dataclasses.dataclass
class FlatCircuit:
    qubits: int
    bits: dict[str, int]  # classical registers and their sizes
    statements: list[Statement]


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
REGISTER = re.compile(r"(qreg|creg) (\w+) ?\[(\d+)\]")
STATEMENT = re.compile(r"(\w+) ?(?:\((.*)\))? ?([^()]*?)(?: ?-> ?(\S+))?")
OPERAND = re.compile(r"(\w+) ?\[ ?(\d+) ?\]")


def read(text):
    """Raises ValueError for what is not flat."""
    wires_of, bits, statements = {}, {}, []
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
            statements.append(read_statement(line, wires_of))
    return FlatCircuit(qubits, bits, statements)


def read_statement(line, wires_of):
    match = STATEMENT.fullmatch(line)
    if not match or match[1] in ("gate", "opaque", "if"):
        raise ValueError(f"not flat OpenQASM 2.0: {line}")
    name, angles, operands, target = match.groups()
    qubits = []
    for operand in operands.split(","):
        qubits.extend(read_operand(operand.strip(), name == "barrier", wires_of))
    parts = tuple(part.strip() for part in angles.split(",")) if angles else ()
    return Statement(name, parts, tuple(qubits), target or "")


def read_operand(operand, may_be_register, wires_of):
    if may_be_register and operand in wires_of:
        return list(wires_of[operand])
    match = OPERAND.fullmatch(operand)
    if not match or match[1] not in wires_of or int(match[2]) >= len(wires_of[match[1]]):
        raise ValueError(f"{operand} is no single qubit that was declared")
    return [wires_of[match[1]][int(match[2])]]


def write(circuit):
    """The circuit over one register q, in gates that every peer's reader knows."""
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{circuit.qubits}];"]
    lines += [f"creg {name}[{size}];" for name, size in circuit.bits.items()]
    for statement in circuit.statements:
        operands = ",".join(f"q[{qubit}]" for qubit in statement.qubits)
        angles = f"({','.join(statement.angles)})" if statement.angles else ""
        arrow = f" -> {statement.target}" if statement.target else ""
        if statement.name == "ccz":  # not in qelib1.inc
            last = f"h q[{statement.qubits[-1]}];"
            lines += [last, f"ccx {operands};", last]
        else:
            lines.append(f"{statement.name}{angles} {operands}{arrow};")
    return "\n".join(lines) + "\n"


OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def angle_value(text):
    """The number that an angle expression stands for, in radians."""

    def value(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id == "pi":
            return math.pi
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            operand = value(node.operand)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise ValueError(f"no angle: {text}")

    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


def is_quarter_turn(text):
    quarters = angle_value(text) / (math.pi / 2)
    return abs(quarters - round(quarters)) < 1e-9


def counts(circuit):
    """total, two_qubit (gates on two qubits or more), t (t, tdg, and every rotation by no multiple
    of pi/2) and depth: as include/quartz/circuit/cost.hpp defines them."""
    result = {"total": 0, "two_qubit": 0, "t": 0, "depth": 0}
    level = [0] * circuit.qubits
    for statement in circuit.statements:
        start = max((level[qubit] for qubit in statement.qubits), default=0)
        if statement.name not in NO_GATES:
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


def gate_names(circuit):
    return {statement.name for statement in circuit.statements} - NO_GATES


# Gates outside {h, x, rz, cx} in those of it, up to a global phase; operand k is written k.
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


def in_nam(circuit):
    """The same circuit in {h, x, rz, cx}, gate by gate, optimizing nothing."""
    statements = []
    for statement in circuit.statements:
        if statement.name in ("p", "u1"):
            statements.append(dataclasses.replace(statement, name="rz"))
        elif statement.name == "rx":
            turn = Statement("h", (), statement.qubits)
            statements += [turn, dataclasses.replace(statement, name="rz"), turn]
        elif statement.name in IN_NAM:
            for name, angle, operands in IN_NAM[statement.name]:
                wires = tuple(statement.qubits[int(operand)] for operand in operands)
                statements.append(Statement(name, (angle,) if angle else (), wires))
        elif statement.name in {"h", "x", "rz", "cx"} | NO_GATES:
            statements.append(statement)
        else:
            raise ValueError(f"no decomposition of {statement.name} into h, x, rz, cx here")
    return FlatCircuit(circuit.qubits, circuit.bits, statements)

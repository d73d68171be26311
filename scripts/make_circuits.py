#!/usr/bin/env python3
"""Writes textbook circuits from their definitions, as OpenQASM 2.0 over qelib1.inc.

    make_circuits.py                          the bundled files, into circuits/
    make_circuits.py --folder DIR             the bundled files, elsewhere
    make_circuits.py --family F --size N      one circuit of any size, to standard output
    make_circuits.py --list                   the families

circuits/README.md describes what each family computes and cites its definition.
"""

import argparse
import dataclasses
import math
import pathlib
import random
import sys
from collections.abc import Callable


class Circuit:
    """Gates over named registers, in program order. A qubit is (register, index)."""

    def __init__(self, **registers):
        self.registers = registers
        self.gates = []

    def wires(self, register):
        return [(register, index) for index in range(self.registers[register])]

    def add(self, name, *qubits, angle=None):
        self.gates.append((name, angle, qubits))

    def extend(self, gates):
        self.gates.extend(gates)

    def to_qasm(self, comments):
        lines = [f"// {comment}" for comment in comments]
        lines += ["OPENQASM 2.0;", 'include "qelib1.inc";']
        lines += [f"qreg {name}[{size}];" for name, size in self.registers.items() if size > 0]
        for name, angle, qubits in self.gates:
            head = name if angle is None else f"{name}({angle})"
            operands = ",".join(f"{register}[{index}]" for register, index in qubits)
            lines.append(f"{head} {operands};")
        return "\n".join(lines) + "\n"


def pi_over(denominator):
    return f"pi/{denominator}" if denominator != 1 else "pi"


# --- controlled X with many controls --------------------------------------------------------------


def toffoli_ladder(controls, ancillas, target):
    """Applies X to the target if all controls are 1; ancillas (two fewer than controls) are 0.

    The conjunction of the controls is computed one ancilla at a time, used, and uncomputed, with
    2n - 3 Toffolis.
    """
    if len(controls) == 1:
        return [("cx", None, (controls[0], target))]
    if len(controls) == 2:
        return [("ccx", None, (controls[0], controls[1], target))]
    up = [("ccx", None, (controls[0], controls[1], ancillas[0]))]
    for step in range(2, len(controls) - 1):
        up.append(("ccx", None, (controls[step], ancillas[step - 2], ancillas[step - 1])))
    use = ("ccx", None, (controls[-1], ancillas[len(controls) - 3], target))
    return [*up, use, *reversed(up)]


def barenco_ladder(controls, ancillas, target):
    """Applies X to the target if all controls are 1; the ancillas (two fewer) are in any state.

    Lemma 7.2 of Barenco et al.: 4(n - 2) Toffolis.
    """
    if len(controls) <= 2:
        return toffoli_ladder(controls, ancillas, target)
    wires = [*ancillas[: len(controls) - 2], target]

    def rung(step):
        return ("ccx", None, (controls[step + 1], wires[step - 1], wires[step]))

    down = [rung(step) for step in range(len(controls) - 2, 0, -1)]
    bottom = ("ccx", None, (controls[0], controls[1], wires[0]))
    return [*down, bottom, *reversed(down), *down[1:], bottom, *reversed(down[1:])]


def tof(size):
    circuit = Circuit(control=size, ancilla=max(size - 2, 0), target=1)
    circuit.extend(
        toffoli_ladder(circuit.wires("control"), circuit.wires("ancilla"), ("target", 0))
    )
    return circuit


def barenco_tof(size):
    circuit = Circuit(control=size, ancilla=max(size - 2, 0), target=1)
    circuit.extend(
        barenco_ladder(circuit.wires("control"), circuit.wires("ancilla"), ("target", 0))
    )
    return circuit


# --- adders ---------------------------------------------------------------------------------------


def cuccaro_adder(size):
    """Computes b := a + b + carry_in and adds the carry to carry_out, with one carry qubit."""
    circuit = Circuit(carry_in=1, a=size, b=size, carry_out=1)
    a, b = circuit.wires("a"), circuit.wires("b")
    carries = [("carry_in", 0), *a]  # the carry into position i lies on carries[i]
    for i in range(size):  # MAJ
        circuit.add("cx", a[i], b[i])
        circuit.add("cx", a[i], carries[i])
        circuit.add("ccx", carries[i], b[i], a[i])
    circuit.add("cx", a[-1], ("carry_out", 0))
    for i in reversed(range(size)):  # UMA, the two-CNOT form
        circuit.add("ccx", carries[i], b[i], a[i])
        circuit.add("cx", a[i], carries[i])
        circuit.add("cx", carries[i], b[i])
    return circuit


def vbe_adder(size):
    """Computes b := a + b with one more bit in b; the carries start and end at 0."""
    circuit = Circuit(carry=size, a=size, b=size + 1)
    a, b = circuit.wires("a"), circuit.wires("b")
    carries = [*circuit.wires("carry"), b[size]]

    def carry(i):
        return [
            ("ccx", None, (a[i], b[i], carries[i + 1])),
            ("cx", None, (a[i], b[i])),
            ("ccx", None, (carries[i], b[i], carries[i + 1])),
        ]

    def add_bits(i):
        circuit.add("cx", a[i], b[i])
        circuit.add("cx", carries[i], b[i])

    for i in range(size):
        circuit.extend(carry(i))
    circuit.add("cx", a[-1], b[size - 1])
    add_bits(size - 1)
    for i in reversed(range(size - 1)):
        circuit.extend(reversed(carry(i)))
        add_bits(i)
    return circuit


# --- multiplication in GF(2^n) --------------------------------------------------------------------


def polynomial_remainder(value, modulus):
    """Polynomials over GF(2) as bit sets: bit i is the coefficient of x^i."""
    degree = modulus.bit_length()
    while value.bit_length() >= degree:
        value ^= modulus << (value.bit_length() - degree)
    return value


def polynomial_gcd(a, b):
    while b:
        a, b = b, polynomial_remainder(a, b)
    return a


def is_irreducible(polynomial):
    """Applies Ben-Or's test: no common factor with x^(2^k) - x, for k up to half the degree."""
    power = 0b10
    for _ in range((polynomial.bit_length() - 1) // 2):
        square = sum(1 << (2 * i) for i in range(power.bit_length()) if power >> i & 1)
        power = polynomial_remainder(square, polynomial)
        if polynomial_gcd(polynomial, power ^ 0b10) != 1:
            return False
    return True


def middle_exponents(degree):
    """Returns the exponents between 0 and the degree of the usual irreducible polynomial: the
    trinomial with the least middle term, else the first pentanomial (Seroussi's table)."""
    ends = 1 << degree | 1
    for k in range(1, degree):
        if is_irreducible(ends | 1 << k):
            return [k]
    for k in range(3, degree):
        for j in range(2, k):
            for i in range(1, j):
                if is_irreducible(ends | 1 << k | 1 << j | 1 << i):
                    return [i, j, k]
    return []  # degree 1: x + 1


def gf2_mult(size):
    """Computes c := a * b in GF(2^n), for c = 0 at the start.

    The partial products of degree n and more are collected in c as the quotient by x^n; c is then
    multiplied by x^n in place, n times by x, each a rotation of the wires (n of them are none at
    all) and a CNOT for each middle term of the field's polynomial; the low products follow.
    """
    circuit = Circuit(a=size, b=size, c=size)
    a, b, c = circuit.wires("a"), circuit.wires("b"), circuit.wires("c")
    for degree in range(2 * size - 2, size - 1, -1):
        for i in range(degree - size + 1, size):
            circuit.add("ccx", a[i], b[degree - i], c[degree - size])
    # The quotient's degree is at most n - 2, so the first of the n steps wraps nothing around.
    for step in range(1, size):
        for k in middle_exponents(size):
            circuit.add("cx", c[-step - 1], c[(k - step - 1) % size])
    for degree in range(size):
        for i in range(degree + 1):
            circuit.add("ccx", a[i], b[degree - i], c[degree])
    return circuit


# --- multiplication of matrices and polynomials over GF(2) -----------------------------------------


def matrix_mult(size):
    """Computes c ^= a * b for n x n matrices, row by row, with a Toffoli for each a_ik b_kj."""
    circuit = Circuit(a=size * size, b=size * size, c=size * size)
    a, b, c = circuit.wires("a"), circuit.wires("b"), circuit.wires("c")
    for i in range(size):
        for j in range(size):
            for k in range(size):
                circuit.add("ccx", a[size * i + k], b[size * k + j], c[size * i + j])
    return circuit


def polynomial_mult(size):
    """Computes c ^= a * b for polynomials with n coefficients, with a Toffoli for each a_i b_j."""
    circuit = Circuit(a=size, b=size, c=2 * size - 1)
    a, b, c = circuit.wires("a"), circuit.wires("b"), circuit.wires("c")
    for i in range(size):
        for j in range(size):
            circuit.add("ccx", a[i], b[j], c[i + j])
    return circuit


# --- Fourier transform, search, hidden shift, simulation ------------------------------------------


def qft(size):
    """Maps |x> to the sum over y of e^{2 pi i x y / 2^n} |y>; q[0] is the least significant bit."""
    circuit = Circuit(q=size)
    q = circuit.wires("q")
    for i in reversed(range(size)):
        circuit.add("h", q[i])
        for j in reversed(range(i)):
            circuit.add("cu1", q[j], q[i], angle=pi_over(2 ** (i - j)))
    for i in range(size // 2):
        circuit.add("swap", q[i], q[size - 1 - i])
    return circuit


def grover_iterations(size):
    return math.floor(math.pi / 4 * math.sqrt(2**size))


def alternating_bits(size):
    """Returns the bits 1, 0, 1, 0, ... of the searched item and of the hidden shift."""
    return [(i + 1) % 2 for i in range(size)]


def grover(size):
    """Searches n bits for 1010...; the last register is the work space of the oracle."""
    circuit = Circuit(q=size, work=max(size - 3, 0))
    q, work = circuit.wires("q"), circuit.wires("work")
    wanted = alternating_bits(size)

    def negate_all_ones():
        circuit.add("h", q[-1])
        circuit.extend(toffoli_ladder(q[:-1], work, q[-1]))
        circuit.add("h", q[-1])

    def each(name, qubits):
        for qubit in qubits:
            circuit.add(name, qubit)

    zeros = [qubit for qubit, bit in zip(q, wanted, strict=True) if not bit]
    each("h", q)
    for _ in range(grover_iterations(size)):
        each("x", zeros)
        negate_all_ones()
        each("x", zeros)
        each("h", q)
        each("x", q)
        negate_all_ones()
        each("x", q)
        each("h", q)
    return circuit


def hidden_shift(size):
    """Finds the shift between two bent functions with one query to each.

    f(x, y) = x.y + g(y) over n/2 + n/2 bits, g the cubic y0 y1 y2 + y2 y3 y4 + ...; its dual is
    x.y + g(x). The circuit ends in |1010...>.
    """
    half = size // 2
    circuit = Circuit(x=half, y=half)
    x, y = circuit.wires("x"), circuit.wires("y")
    shift = alternating_bits(size)

    def each_h():
        for qubit in x + y:
            circuit.add("h", qubit)

    def move_by_shift():
        for qubit, bit in zip(x + y, shift, strict=True):
            if bit:
                circuit.add("x", qubit)

    def phase_of(cubic_in):
        for left, right in zip(x, y, strict=True):
            circuit.add("cz", left, right)
        for i in range(0, half - 2, 2):
            circuit.add("h", cubic_in[i + 2])
            circuit.add("ccx", cubic_in[i], cubic_in[i + 1], cubic_in[i + 2])
            circuit.add("h", cubic_in[i + 2])

    each_h()
    move_by_shift()
    phase_of(y)
    move_by_shift()
    each_h()
    phase_of(x)
    each_h()
    return circuit


ISING_COUPLING = 1.0
ISING_FIELD = 0.5
ISING_TIME_STEP = 0.1
ISING_STEPS = 3


def ising(size):
    """Applies three first-order Trotter steps of e^{-iHt} on an open chain, with
    H = -J sum Z Z - h sum X."""
    circuit = Circuit(q=size)
    q = circuit.wires("q")
    coupling = f"{-2 * ISING_COUPLING * ISING_TIME_STEP:g}"
    field = f"{-2 * ISING_FIELD * ISING_TIME_STEP:g}"
    for _ in range(ISING_STEPS):
        for first in (0, 1):
            for i in range(first, size - 1, 2):
                circuit.add("rzz", q[i], q[i + 1], angle=coupling)
        for qubit in q:
            circuit.add("rx", qubit, angle=field)
    return circuit


HEISENBERG_COUPLING = 1.0
HEISENBERG_TIME_STEP = 0.1


def heisenberg_fields(size):
    """Returns the fields of a disordered chain: numbers between -1 and 1, the same ones whenever
    the size is."""
    rng = random.Random(size)
    return [round(rng.uniform(-1, 1), 6) for _ in range(size)]


def heisenberg(size):
    """Applies a first-order Trotter step of e^{-iHt} on an open chain, with
    H = J sum (X X + Y Y + Z Z) + sum h_i Z."""
    circuit = Circuit(q=size)
    q = circuit.wires("q")
    coupling = f"{2 * HEISENBERG_COUPLING * HEISENBERG_TIME_STEP:g}"
    for first in (0, 1):
        for i in range(first, size - 1, 2):
            pair = q[i : i + 2]
            # H turns X into Z, and a quarter turn about X turns Y into Z.
            for name, angle in (("h", None), ("rx", "pi/2"), ("", None)):
                turned = pair if name else []
                for qubit in turned:
                    circuit.add(name, qubit, angle=angle)
                circuit.add("rzz", *pair, angle=coupling)
                for qubit in turned:
                    circuit.add(name, qubit, angle=angle and f"-{angle}")
    for qubit, field in zip(q, heisenberg_fields(size), strict=True):
        circuit.add("rz", qubit, angle=f"{2 * field * HEISENBERG_TIME_STEP:.9g}")
    return circuit


ESTIMATED_PHASE = 0.2371  # in turns


def phase_estimation(size):
    """Estimates the eigenphase of p(2 pi phase) for |1> to n bits, the last qubit of `count` being
    the most significant one."""
    circuit = Circuit(count=size, target=1)
    count = circuit.wires("count")
    circuit.add("x", ("target", 0))
    for qubit in count:
        circuit.add("h", qubit)
    for i, qubit in enumerate(count):
        turns = ESTIMATED_PHASE * 2**i % 1
        circuit.add("cu1", qubit, ("target", 0), angle=f"{2 * math.pi * turns:.15g}")
    for name, angle, qubits in reversed(qft(size).gates):
        wires = [("count", index) for _, index in qubits]
        circuit.add(name, *wires, angle=None if angle is None else f"-{angle}")
    return circuit


ANSATZ_LAYERS = 3


def ansatz(size):
    """Prepares a state as variational algorithms do: layers of a rotation about Y and one about Z on
    each qubit, with a chain of CNOTs between two layers. The angles are random, and the same ones
    whenever the size is."""
    rng = random.Random(size)
    circuit = Circuit(q=size)
    q = circuit.wires("q")
    for layer in range(ANSATZ_LAYERS + 1):
        for qubit in q:
            for name in ("ry", "rz"):
                circuit.add(name, qubit, angle=f"{rng.uniform(-math.pi, math.pi):.9g}")
        for i in range(size - 1 if layer < ANSATZ_LAYERS else 0):
            circuit.add("cx", q[i], q[i + 1])
    return circuit


# --- what is bundled ------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Family:
    name: str
    make: Callable[[int], Circuit]
    least_size: int
    bundled_sizes: tuple[int, ...]
    computes: str  # "{n}" is the size


FAMILIES = [
    Family("tof", tof, 1, (3, 5, 10), "X with {n} controls; ancillas start and end at 0"),
    Family("barenco_tof", barenco_tof, 1, (3, 5, 10), "X with {n} controls; ancillas in any state"),
    Family("cuccaro_adder", cuccaro_adder, 1, (4, 8), "b := a + b + carry_in on {n} bits"),
    Family("vbe_adder", vbe_adder, 1, (3, 8), "b := a + b on {n} bits, carries at 0"),
    Family("gf2_mult", gf2_mult, 2, (4, 6, 8), "c := a * b in GF(2^{n}), c at 0"),
    Family("matrix_mult", matrix_mult, 1, (), "c := c + a * b for {n} x {n} matrices over GF(2)"),
    Family("polynomial_mult", polynomial_mult, 1, (),
           "c := c + a * b for polynomials over GF(2) with {n} coefficients"),
    Family("qft", qft, 1, (4, 8), "discrete Fourier transform of 2^{n} amplitudes"),
    Family("grover", grover, 2, (3, 5), "search for 1010... among 2^{n}"),
    Family("hidden_shift", hidden_shift, 2, (6, 10), "shift between bent functions of {n} bits"),
    Family("ising", ising, 2, (8,), "3 Trotter steps of a transverse-field Ising chain of {n}"),
    Family("heisenberg", heisenberg, 2, (),
           "a Trotter step of a disordered Heisenberg chain of {n}"),
    Family("phase_estimation", phase_estimation, 1, (), "the phase of an eigenvector to {n} bits"),
    Family("ansatz", ansatz, 1, (), "layers of rotations and CNOTs on {n} qubits, random angles"),
]  # fmt: skip


def qasm_of(family, size):
    if size < family.least_size or (family.make is hidden_shift and size % 2):
        raise ValueError(f"{family.name} has no size {size}")
    comments = [
        f"{family.name}_{size}: {family.computes.format(n=size)}",
        f"made by scripts/make_circuits.py --family {family.name} --size {size}",
    ]
    return family.make(size).to_qasm(comments)


def bundled_files():
    """Returns the file name and content of every bundled circuit."""
    for family in FAMILIES:
        for size in family.bundled_sizes:
            yield f"{family.name}_{size}.qasm", qasm_of(family, size)


def main():
    circuits = pathlib.Path(__file__).resolve().parent.parent / "circuits"
    parser = argparse.ArgumentParser(description="Writes textbook circuits as OpenQASM 2.0.")
    parser.add_argument("--folder", type=pathlib.Path, default=circuits, help="where files go")
    parser.add_argument("--family", choices=[family.name for family in FAMILIES])
    parser.add_argument("--size", type=int, help="with --family: the n of its definition")
    parser.add_argument("--list", action="store_true", help="print the families and stop")
    arguments = parser.parse_args()
    if (arguments.family is None) != (arguments.size is None):
        parser.error("--family and --size go together")

    if arguments.list:
        for family in FAMILIES:
            print(f"{family.name:14} {family.computes.format(n='n')}")
    elif arguments.family:
        family = next(family for family in FAMILIES if family.name == arguments.family)
        try:
            sys.stdout.write(qasm_of(family, arguments.size))
        except ValueError as error:
            parser.error(str(error))
    else:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        for name, content in bundled_files():
            (arguments.folder / name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

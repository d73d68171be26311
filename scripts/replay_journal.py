#!/usr/bin/env python3
"""Replays a journal of rewrites and certifies that it leads from one circuit to the other.

    replay_journal.py [OPTION...] BEFORE.qasm AFTER.qasm JOURNAL.qj

This program was written from docs/formats/journal.md and the definitions of the OpenQASM gates. It
shares no code with Quartz, so that a mistake would have to be made twice to pass both. It needs the
module zstandard or the command zstd, and nothing else beside Python. Exit codes: 0 certified, 1 not
certified (the first wrong step is printed), 2 bad input.

Every gate is a sequence of h, x, cx, cz and phase gates. Steps are proved by exact matrices over
Z[zeta, 1/sqrt 2], zeta = e^(i pi/N), with an indeterminate for each angle that is not a multiple of
pi/N; by Pauli rotations; by sums over paths; and, as the last resort, in double precision with a bound on the error.
"""

from __future__ import annotations

import argparse
import cmath
import math
import operator
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache


class BadInput(Exception):
    """A file cannot be read."""


class Wrong(Exception):
    """A step of the journal, or its result, is not right."""


# ---------------------------------------------------------------------------------------- angles


class Angle:
    """A sum of rational multiples of products pi^k * symbol, where the symbol may be missing."""

    __slots__ = ("terms", "key", "quarter", "eighth")

    def __init__(self, terms: dict[tuple[int, str], Fraction]) -> None:
        self.terms = {name: value for name, value in terms.items() if value}
        self.key = tuple(sorted(self.terms.items()))
        turn = self.terms.get((1, ""), Fraction(0)) * 4
        plain = turn.denominator == 1 and self.terms.keys() <= {(1, "")}
        #: The multiple of pi/4 and of pi/2 that this angle is, or None.
        self.eighth = int(turn) if plain else None
        self.quarter = int(turn) // 2 if plain and int(turn) % 2 == 0 else None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Angle) and self.key == other.key

    def __add__(self, other: Angle) -> Angle:
        terms = dict(self.terms)
        for name, value in other.terms.items():
            terms[name] = terms.get(name, Fraction(0)) + value
        return Angle(terms)

    def __neg__(self) -> Angle:
        return Angle({name: -value for name, value in self.terms.items()})

    def __sub__(self, other: Angle) -> Angle:
        return self + -other

    def __mul__(self, other: Angle | int | Fraction) -> Angle:
        if not isinstance(other, Angle):
            return Angle({name: value * other for name, value in self.terms.items()})
        terms: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
        for (power, symbol), value in self.terms.items():
            for (power2, symbol2), value2 in other.terms.items():
                if symbol and symbol2:
                    raise BadInput("an angle is not linear in the parameters")
                terms[power + power2, symbol or symbol2] += value * value2
        return Angle(terms)

    def __truediv__(self, other: Angle) -> Angle:
        if len(other.terms) == 1 and not next(iter(other.terms))[1]:
            ((power, _), value), = other.terms.items()
            return self * Angle({(-power, ""): 1 / value})
        return self * number(1 / other.value())

    def value(self) -> float:
        """Returns the value in radians. Only angles without symbols have one."""
        if any(symbol for _, symbol in self.terms):
            raise BadInput("a number is expected in place of a parameter")
        return float(sum(value * Fraction(math.pi) ** power for (power, _), value in self.terms.items()))

    def value_modulo_turn(self) -> float:
        """Returns the value modulo 2 pi in radians. Large angles are reduced before they are rounded."""
        value = self.value()
        if abs(value) <= MOST_UNREDUCED:
            return value
        exact = sum(value * long_pi() ** power for (power, _), value in self.terms.items())
        turn = 2 * long_pi()
        return float(exact - turn * round(exact / turn))

    def __str__(self) -> str:
        words = [f"{value}{'*pi' if power == 1 else f'*pi^{power}' if power else ''}"
                 f"{'*' + symbol if symbol else ''}" for (power, symbol), value in self.key]
        return " + ".join(words) or "0"


MOST_UNREDUCED = 32  # radians
PI_DIGITS = 420  # an angle loses as many of them as its whole part has, at most 308


@lru_cache(maxsize=1)
def long_pi() -> Fraction:
    """Returns pi by Machin's formula, off by less than 10^-PI_DIGITS."""
    unit = 10 ** (PI_DIGITS + 10)

    def arctangent_of_inverse(integer: int) -> int:
        power, total, count = unit // integer, 0, 0
        while power:
            total += (-1) ** count * (power // (2 * count + 1))
            power, count = power // integer**2, count + 1
        return total

    return Fraction(16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239), unit)


def number(value: float | int | Fraction) -> Angle:
    """Returns a number without pi as an angle."""
    return Angle({(0, ""): Fraction(value)})


def pi(numerator: int = 1, denominator: int = 1) -> Angle:
    """Returns a multiple of pi."""
    return Angle({(1, ""): Fraction(numerator, denominator)})


ZERO = Angle({})
FUNCTIONS = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "ln": math.log, "sqrt": math.sqrt}


LARGEST_EXPONENT = 308  # the base is 10, as in double precision
LARGEST_POWER = 64  # the base is pi
MOST_DIGITS = 1000
MOST_THAT_MEANS_PI = 1024  # the digits of a larger double do not tell which multiple of pi it is
MOST_BITS = 1 << 14  # a numerator or denominator has


def in_range(angle: Angle) -> Angle:
    """Returns an angle that was read, unless computing with it could take long."""
    for (power, _), value in angle.terms.items():
        if abs(power) > LARGEST_POWER or max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise BadInput("an angle is out of range")
    return angle


def decimal(text: str) -> Angle:
    """Returns the number as written, or the multiple of pi that programs print in this way."""
    digits, _, exponent = text.lower().partition("e")
    if len(digits) > MOST_DIGITS or len(exponent) > 5 or abs(int(exponent or 0)) > LARGEST_EXPONENT:
        raise BadInput(f"the number {text[:20]}{'...' if len(text) > 20 else ''} is out of range")
    value = Fraction(text)
    if len(text) >= 12 and value <= MOST_THAT_MEANS_PI:
        multiple = Fraction(float(value) / math.pi).limit_denominator(4096)
        if multiple and abs(float(multiple) * math.pi - float(value)) <= abs(float(value)) * 2.3e-16:
            return pi(multiple.numerator, multiple.denominator)
    return number(value)


# ----------------------------------------------------------------------------------------- gates

H, CX, CZ, X, P = range(5)
Step = tuple[int, int, object]  # a kind, its qubit, and its second qubit or (for P) its angle


#: The gates by h, x, cx, cz, p and mcp, with the global phases that Qiskit documents.
STANDARD = """
gate id a {} gate z a { p(pi) a; } gate s a { p(pi/2) a; } gate sdg a { p(-pi/2) a; } gate t a { p(pi/4) a; }
gate tdg a { p(-pi/4) a; } gate y a { z a; x a; gphase(pi/2); } gate rz(t) a { p(t) a; gphase(-t/2); }
gate rx(t) a { h a; rz(t) a; h a; } gate ry(t) a { sdg a; rx(t) a; s a; }
gate sx a { rx(pi/2) a; gphase(pi/4); } gate sxdg a { rx(-pi/2) a; gphase(-pi/4); }
gate r(t,f) a { rz(-f) a; rx(t) a; rz(f) a; } gate gpi(f) a { x a; rz(2*f) a; } gate gpi2(f) a { r(pi/2,f) a; }
gate u3(t,f,l) a { rz(l) a; ry(t) a; rz(f) a; gphase((f+l)/2); } gate u2(f,l) a { u3(pi/2,f,l) a; }
gate swap a,b { cx a,b; cx b,a; cx a,b; } gate cp(l) a,b { mcp(l) a,b; } gate cs a,b { mcp(pi/2) a,b; }
gate csdg a,b { mcp(-pi/2) a,b; } gate csx a,b { h b; cs a,b; h b; } gate cy a,b { sdg b; cx a,b; s b; }
gate ch a,b { ry(-pi/4) b; cz a,b; ry(pi/4) b; } gate crz(t) a,b { rz(t/2) b; cx a,b; rz(-t/2) b; cx a,b; }
gate crx(t) a,b { h b; crz(t) a,b; h b; } gate cry(t) a,b { sdg b; crx(t) a,b; s b; }
gate cu(t,f,l,g) a,b { p(g+(f+l)/2) a; crz(l) a,b; cry(t) a,b; crz(f) a,b; }
gate cu3(t,f,l) a,b { cu(t,f,l,0) a,b; } gate rzz(t) a,b { cx a,b; rz(t) b; cx a,b; }
gate rzx(t) a,b { h b; rzz(t) a,b; h b; } gate rxx(t) a,b { h a; rzx(t) a,b; h a; }
gate ryy(t) a,b { sdg a; sdg b; rxx(t) a,b; s a; s b; } gate ecr a,b { rzx(pi/2) a,b; x a; }
gate ms(f,g,t) a,b { rz(-f) a; rz(-g) b; rxx(t) a,b; rz(f) a; rz(g) b; }
gate iswap a,b { rxx(-pi/2) a,b; ryy(-pi/2) a,b; } gate iswapdg a,b { rxx(pi/2) a,b; ryy(pi/2) a,b; }
gate sqrtiswap a,b { rxx(-pi/4) a,b; ryy(-pi/4) a,b; } gate sqrtiswapdg a,b { rxx(pi/4) a,b; ryy(pi/4) a,b; }
gate ccz a,b,c { mcp(pi) a,b,c; } gate ccx a,b,c { h c; mcp(pi) a,b,c; h c; }
gate cswap a,b,c { cx c,b; ccx a,b,c; cx c,b; } gate c3x a,b,c,d { h d; mcp(pi) a,b,c,d; h d; }
gate c3sqrtx a,b,c,d { h d; mcp(pi/2) a,b,c,d; h d; } gate c4x a,b,c,d,e { h e; mcp(pi) a,b,c,d,e; h e; }
gate rccx a,b,c { h c; t c; cx b,c; tdg c; cx a,c; t c; cx b,c; tdg c; h c; }
gate rc3x a,b,c,d { h d; t d; cx c,d; tdg d; h d; cx a,d; t d; cx b,d; tdg d; cx a,d; t d; cx b,d; tdg d;
  h d; t d; cx c,d; tdg d; h d; }
"""
ALIASES = {"U": "u3", "u": "u3", "u1": "p", "phase": "p", "cu1": "cp", "cphase": "cp", "CX": "cx", "cnot": "cx",
           "v": "sx", "vdg": "sxdg", "toffoli": "ccx", "fredkin": "cswap", "prx": "r", "siswap": "sqrtiswap",
           "siswapdg": "sqrtiswapdg", "c3sx": "c3sqrtx", "rcccx": "rc3x"}
H, CX, CZ, X, P = range(5)
ELEMENTARY = {"h": (H, 1, 0), "x": (X, 1, 0), "p": (P, 1, 1), "cx": (CX, 2, 0), "cz": (CZ, 2, 0)}
Step = tuple[int, int, object]  # a kind, its qubit, and its second qubit or (for P) its angle


@lru_cache(maxsize=None)
def standard() -> dict[str, tuple[list[str], list[str], list]]:
    """Returns the standard gates: their parameters, qubits and calls of other gates."""
    parser = Parser(STANDARD)
    while parser.accept("gate"):
        parser.definition()
    return parser.gates


def shape(name: str) -> tuple[int, int] | None:
    """Returns the numbers of qubits and angles of a standard gate."""
    if name in ELEMENTARY:
        return ELEMENTARY[name][1:]
    return (len(standard()[name][1]), len(standard()[name][0])) if name in standard() else None


class Gate:
    """A gate with its angles as elementary steps, or an operation that is never rewritten."""

    def __init__(self, name: str, angles: tuple[Angle, ...], qubits: int, fixed: bool = False) -> None:
        self.name, self.angles, self.qubits, self.fixed = name, angles, qubits, fixed
        self.steps: list[Step] = []
        self.phase = ZERO
        if not fixed:
            self.add(name, angles, tuple(range(qubits)))

    def add(self, name: str, angles: tuple[Angle, ...], qubits: tuple[int, ...]) -> None:
        if name == "gphase":
            self.phase += angles[0]
        elif name == "mcp":  # x1 x2 ... is a sum over parities.
            for subset in range(1, 1 << len(qubits)):
                *others, last = [qubit for place, qubit in enumerate(qubits) if subset >> place & 1]
                ladder: list[Step] = [(CX, qubit, last) for qubit in others]
                part = angles[0] * Fraction((-1) ** len(others), 2 ** (len(qubits) - 1))
                self.steps += [*ladder, (P, last, part), *ladder]
        elif name in ELEMENTARY:
            self.steps.append((ELEMENTARY[name][0], qubits[0], angles[0] if angles else (*qubits, None)[1]))
        else:
            parameters, operands, body = standard()[name]
            values, places = dict(zip(parameters, angles)), dict(zip(operands, qubits))
            for inner, terms, wires in body:
                self.add(inner, tuple(substituted(term, values) for term in terms), tuple(places[q] for q in wires))


@lru_cache(maxsize=None)
def gate(name: str, angles: tuple[Angle, ...]) -> Gate:
    """Returns a gate by its name or another name of it. Equal gates are the same object."""
    if name in ALIASES:
        return gate(ALIASES[name], angles)
    known = shape(name)
    if known is None or known[1] != len(angles):
        raise BadInput(f"there is no gate {name} with {len(angles)} angles")
    return Gate(name, angles, known[0])


@lru_cache(maxsize=None)
def fixed(name: str, qubits: int) -> Gate:
    """Returns an operation that is never rewritten."""
    return Gate(name, (), qubits, fixed=True)


# ---------------------------------------------------------------------------------------- proofs

Gates = tuple[tuple[Gate, tuple[int, ...]], ...]


@dataclass
class Proof:
    """Two lists of gates are equal up to e^(i phase) (left = e^(i phase) right) and a distance."""

    phase: Angle | None
    distance: float = 0.0


def expanded(gates: Gates) -> tuple[list[Step], Angle]:
    """Returns the elementary steps and the phase of a list of gates."""
    steps: list[Step] = []
    phase = ZERO
    for each, qubits in gates:
        for kind, first, second in each.steps:
            steps.append((kind, qubits[first], qubits[second] if kind in (CX, CZ) else second))
        if each.phase.terms:
            phase += each.phase
    return steps, phase


class Ring:
    """Writes angles as powers of zeta = e^(i pi/N) and of indeterminates, which are lanes of integers.

    A row of a matrix is a tuple of N integers, the coefficients of 1, zeta, ..., zeta^(N-1). Each integer has a
    lane for every column and every product of powers of indeterminates. A unitary stays unitary under every
    embedding of the ring, so after k divisions by sqrt 2 no coefficient exceeds sqrt 2^k, and lanes never overlap.
    """

    def __init__(self, left: list[Step], right: list[Step]) -> None:
        self.order = 4
        angles = {step[2] for step in left + right if step[0] == P}
        coefficients: dict[tuple[int, object], set[Fraction]] = defaultdict(set)
        split = {angle: self.split(angle) for angle in angles if angle.eighth is None}
        for whole, rest in split.values():
            self.order = max(self.order, whole.denominator)
            for name, value in rest.items():
                coefficients[name].add(abs(value))
        self.bases: list[Angle] = []
        base: dict[tuple[object, Fraction], tuple[int, int]] = {}
        for name, values in coefficients.items():
            common = math.lcm(*[value.denominator for value in values])
            divisor = Fraction(math.gcd(*[int(value * common) for value in values]), common)
            together = max(values) / divisor <= 32
            for value in values:
                unit = divisor if together else value
                term = Angle({(1, ""): unit / name[1]} if name[0] == "pi" else {name: unit})
                if term not in self.bases:
                    self.bases.append(term)
                base[name, value] = (self.bases.index(term), int(value / unit))
        self.powers: dict[Angle, tuple[int, list[tuple[int, int]]]] = {}
        for angle in angles:
            if angle.eighth is not None:
                self.powers[angle] = (angle.eighth * (self.order // 4) % (2 * self.order), [])
                continue
            whole, rest = split[angle]
            uses = [base[name, abs(value)] for name, value in rest.items()]
            signed = [(place, count if value > 0 else -count) for (place, count), value in zip(uses, rest.values())]
            self.powers[angle] = (int(whole * self.order) % (2 * self.order), signed)
        self.divisions = max(sum(step[0] == H for step in steps) for steps in (left, right))
        self.width = self.divisions // 2 + 4
        ranges = [3 * max(self.degree(left, place), self.degree(right, place)) + 1 for place in range(len(self.bases))]
        self.strides = [self.width * math.prod(ranges[:place]) for place in range(len(ranges))]
        self.ranges = ranges
        self.column = self.width * math.prod(ranges)

    @staticmethod
    def split(angle: Angle) -> tuple[Fraction, dict]:
        """Splits an angle into a multiple of pi/2^k, multiples of pi/odd and other terms."""
        whole, rest = Fraction(0), {}
        for name, value in angle.terms.items():
            if name != (1, ""):
                rest[name] = value
                continue
            odd = value.denominator
            while odd % 2 == 0:
                odd //= 2
            power = value.denominator // odd
            count = value.numerator * pow(power, -1, odd) % odd
            count -= odd if 2 * count > odd else 0
            whole = value - Fraction(count, odd)
            if count:
                rest["pi", odd] = Fraction(count)
        return whole, rest

    def degree(self, steps: list[Step], place: int) -> int:
        return sum(abs(count) for step in steps if step[0] == P
                   for other, count in self.powers[step[2]][1] if other == place)

    def rotated(self, row: tuple[int, ...], power: int) -> tuple[int, ...]:
        """Returns a row times a power of zeta, from 0 to 2 N - 1."""
        if power >= self.order:
            row, power = tuple([-value for value in row]), power - self.order
        return tuple([-value for value in row[self.order - power:]]) + row[:self.order - power] if power else row

    def run(self, steps: list[Step], qubits: int, zero: int) -> tuple[list[tuple[int, ...]], int, list[int]]:
        """Returns the rows of a circuit's unitary, the divisions by sqrt 2, and the powers left out.

        The bits of `zero` are qubits that start in |0>: the other columns are left out.
        """
        size = 1 << qubits
        empty = (0,) * self.order
        rows = [(0 if row & zero else 1 << self.column * row,) + empty[1:] for row in range(size)]
        divisions, left_out = 0, [0] * len(self.bases)
        for kind, first, second in steps:
            bit = 1 << first
            if kind == P:
                power, uses = self.powers[second]
                if power:
                    for row in range(size):
                        if row & bit:
                            rows[row] = self.rotated(rows[row], power)
                for place, count in uses:
                    shift, value = abs(count) * self.strides[place], bit if count > 0 else 0
                    left_out[place] += min(count, 0)
                    for row in range(size):
                        if row & bit == value:
                            rows[row] = tuple([number << shift for number in rows[row]])
            elif kind == H:
                divisions += 1
                for row in range(size):
                    if not row & bit:
                        one, two = rows[row], rows[row | bit]
                        rows[row] = tuple(map(operator.add, one, two))
                        rows[row | bit] = tuple(map(operator.sub, one, two))
            elif kind == CZ:
                both = bit | 1 << second
                for row in range(size):
                    if row & both == both:
                        rows[row] = tuple([-value for value in rows[row]])
            else:
                flip = bit if kind == X else 1 << second
                need = 0 if kind == X else bit
                for row in range(size):
                    if not row & flip and row & need == need:
                        rows[row], rows[row | flip] = rows[row | flip], rows[row]
        return rows, divisions, left_out

    def scaled(self, rows: list[tuple[int, ...]], divisions: int) -> list[tuple[int, ...]]:
        """Returns rows times sqrt 2^divisions."""
        if divisions % 2:
            rows = [tuple(map(operator.sub, self.rotated(row, self.order // 4), self.rotated(row, 3 * self.order // 4)))
                    for row in rows]
        return [tuple([value << divisions // 2 for value in row]) for row in rows] if divisions > 1 else rows

    def lane(self, row: tuple[int, ...]) -> list[int]:
        """Returns the column and the powers of the lowest lane that is not 0."""
        lowest = min((value & -value).bit_length() - 1 for value in row if value) // self.width
        powers = []
        for extent in self.ranges:
            powers.append(lowest % extent)
            lowest //= extent
        return [lowest, *powers]

    def phase(self, left: list[Step], right: list[Step], qubits: int, zero: int) -> Angle | None:
        """Returns the phase by which two circuits differ, or None if they are not proportional."""
        rows, divisions, out = self.run(left, qubits, zero)
        others, divisions2, out2 = self.run(right, qubits, zero)
        rows = self.scaled(rows, max(divisions2 - divisions, 0))
        others = self.scaled(others, max(divisions - divisions2, 0))
        place = next(place for place, row in enumerate(rows) if any(row))
        if not any(others[place]):
            return None
        lane, lane2 = self.lane(rows[place]), self.lane(others[place])
        powers = [one - two for one, two in zip(lane[1:], lane2[1:])]
        shift = sum(power * stride for power, stride in zip(powers, self.strides))
        if lane[0] != lane2[0]:
            return None
        if shift > 0:
            others = [tuple([value << shift for value in row]) for row in others]
        elif shift < 0:
            rows = [tuple([value << -shift for value in row]) for row in rows]
        for power in range(2 * self.order):
            if self.rotated(others[place], power) == rows[place]:
                if any(self.rotated(other, power) != row for other, row in zip(others, rows)):
                    return None
                total = pi(power, self.order)
                for base, count, one, two in zip(self.bases, powers, out, out2):
                    total += base * (count + one - two)
                return total
        return None


Pauli = tuple[int, int, int]  # i^phase X^x Z^z as (x, z, phase)


def product(left: Pauli, right: Pauli) -> Pauli:
    sign = 2 * (left[1] & right[0]).bit_count()
    return left[0] ^ right[0], left[1] ^ right[1], (left[2] + right[2] + sign) % 4


def multiplied(operators: Sequence[Pauli], chosen: int) -> Pauli:
    """Returns the product of the operators whose bits are set."""
    result = (0, 0, 0)
    for place, each in enumerate(operators):
        if chosen >> place & 1:
            result = product(result, each)
    return result


def anticommute(left: Sequence[int], right: Sequence[int]) -> bool:
    return ((left[0] & right[1]).bit_count() + (left[1] & right[0]).bit_count()) % 2 == 1


class Rotations:
    """Writes a circuit as rotations about Pauli operators, followed by a Clifford circuit."""

    def __init__(self, qubits: int) -> None:
        #: What the Clifford circuit maps to Z and to X of each qubit.
        self.z: list[Pauli] = [(0, 1 << qubit, 0) for qubit in range(qubits)]
        self.x: list[Pauli] = [(1 << qubit, 0, 0) for qubit in range(qubits)]
        self.clifford: list[Step] = []
        self.first: list[list[Step]] = []  # Clifford rotations before it, the latest of the list first
        self.list: list[tuple[int, int, Angle]] = []
        self.phase = ZERO

    def add(self, step: Step) -> None:
        """Appends a step to the circuit."""
        kind, first, second = step
        x, z = self.x, self.z
        if kind == P and second.quarter is None:
            self.phase += second * Fraction(1, 2)
            self.rotate(z[first], second)
            return
        self.clifford.append(step)
        if kind == H:
            x[first], z[first] = z[first], x[first]
        elif kind == X:
            z[first] = product(z[first], (0, 0, 2))
        elif kind == CX:
            x[first], z[second] = product(x[first], x[second]), product(z[first], z[second])
        elif kind == CZ:
            x[first], x[second] = product(x[first], z[second]), product(x[second], z[first])
        else:
            for _ in range(second.quarter % 4):
                x[first] = product((0, 0, 3), product(x[first], z[first]))

    def rotate(self, pauli: Pauli, angle: Angle) -> None:
        """Adds a rotation before the Clifford circuit and after the other rotations."""
        if (pauli[2] - (pauli[0] & pauli[1]).bit_count()) % 4 == 2:
            angle = -angle
        for place in range(len(self.list) - 1, -1, -1):
            other = self.list[place]
            if other[0] == pauli[0] and other[1] == pauli[1]:
                total = other[2] + angle
                if total.quarter is None:
                    self.list[place] = (other[0], other[1], total)
                else:
                    del self.list[place]
                    self.push(place, other[0], other[1], total.quarter)
                return
            if anticommute(other, pauli):
                break
        self.list.append((pauli[0], pauli[1], angle))

    def push(self, place: int, x: int, z: int, quarters: int) -> None:
        """Moves exp(-i pi/4 quarters P) behind all rotations from a place on, into the Clifford circuit."""
        if quarters % 4 == 0:
            self.phase += pi(quarters // 4)
            return
        pauli = (x, z, (x & z).bit_count() % 4)

        def moved(other: Pauli) -> Pauli:
            for _ in range(quarters % 4 if anticommute(other, pauli) else 0):
                other = product((0, 0, 1), product(pauli, other))  # K^-1 Q K = i P Q for K = exp(-i pi/4 P)
            return other

        later = self.list[place:]
        del self.list[place:]
        for one, two, angle in later:
            new = moved((one, two, (one & two).bit_count() % 4))
            positive = (new[2] - (new[0] & new[1]).bit_count()) % 4 == 0
            self.list.append((new[0], new[1], angle if positive else -angle))
        self.x = [moved(each) for each in self.x]
        self.z = [moved(each) for each in self.z]
        self.phase -= pi(quarters, 4)
        support = [qubit for qubit in range(len(self.x)) if (x | z) >> qubit & 1]
        basis: list[Step] = []
        for qubit in support:
            if x >> qubit & 1:
                basis += ([(P, qubit, pi(-1, 2))] if z >> qubit & 1 else []) + [(H, qubit, None)]
        basis += [(CX, qubit, support[-1]) for qubit in support[:-1]]
        self.first.append([*basis, (P, support[-1], pi(quarters, 2)), *inverse(basis)])

    def merge_commuting(self) -> None:
        """Moves all rotations into the Clifford circuit, if they commute and their product is a Clifford circuit.

        Their operators are products of independent ones, up to signs, which are (-1)^x for a bit x each. The rotation
        exp(-i eighths pi/8 (-1)^f) about a sum f of bits is exp(-i eighths pi/8 + i eighths pi/4 f), where f is
        sum of x_i - 2 sum of x_i x_j + 4 sum of x_i x_j x_k modulo 8. Clifford circuits have even coefficients.
        """
        if not self.list or any(angle.eighth is None for _, _, angle in self.list):
            return
        basis: list[Pauli] = []
        rows: list[tuple[int, int, int]] = []  # what is left of an operator, and the elements it was multiplied by
        forms: list[tuple[int, int]] = []
        for x, z, angle in self.list:
            if any(anticommute(element, (x, z)) for element in basis):
                return
            left = [x, z, 0]
            for row in rows:
                pivot = row[0] & -row[0] or row[1] & -row[1]
                if (left[0] if row[0] else left[1]) & pivot:
                    left = [one ^ two for one, two in zip(left, row)]
            form = left[2]
            if left[0] or left[1]:
                form = 1 << len(basis)
                rows.append((left[0], left[1], left[2] | form))
                basis.append((x, z, (x & z).bit_count() % 4))
            positive = multiplied(basis, form)[2] == (x & z).bit_count() % 4
            forms.append((form, angle.eighth if positive else -angle.eighth))
        count = len(basis)
        linear, low, high = [0] * count, [0] * count, [0] * count
        cubic: dict[tuple[int, int], int] = defaultdict(int)
        for form, eighths in forms:
            ones = [bit for bit in range(count) if form >> bit & 1]
            for place, one in enumerate(ones):
                linear[one] += eighths
                for _ in range(eighths % 4):
                    high[one] ^= low[one] & form
                    low[one] ^= form
                if eighths % 2:
                    for two in ones[:place]:
                        cubic[two, one] ^= form
        if any(value % 2 for value in linear) or any(low[one] & ~(1 << one) for one in range(count)):
            return
        if any(form & ~(1 << one | 1 << two) for (one, two), form in cubic.items()):
            return
        self.list = []
        self.phase -= pi(sum(eighths for _, eighths in forms), 8)
        turns: dict[int, int] = defaultdict(int)  # e^(i quarters pi/2 f), by the form f
        for one in range(count):
            turns[1 << one] += linear[one] // 2
            for two in range(one):
                if high[one] >> two & 1:  # -1 if both bits are 1
                    turns[1 << one] += 1
                    turns[1 << two] += 1
                    turns[1 << one | 1 << two] -= 1
        for form, quarters in turns.items():
            x, z, sign = multiplied(basis, form)
            quarters %= 4
            self.phase += pi(quarters, 4)
            positive = sign == (x & z).bit_count() % 4
            self.push(0, x, z, quarters if positive else -quarters)

    def is_identity(self) -> bool:
        return not self.list and all(
            self.z[qubit] == (0, 1 << qubit, 0) and self.x[qubit] == (1 << qubit, 0, 0) for qubit in range(len(self.x)))

    def clifford_phase(self) -> Angle | None:
        """Returns the phase of a Clifford circuit that is the identity up to one, or None if that is too much."""
        stacks: dict[int, list[list]] = defaultdict(list)
        kept: dict[int, list] = {}
        steps = [step for each in reversed(self.first) for step in each] + self.clifford
        for kind, first, second in steps:
            qubits = [first] if kind in (H, X, P) else [first, second]
            tops = [stacks[qubit][-1] if stacks[qubit] else None for qubit in qubits]
            top = tops[0]
            if top and all(other is top for other in tops) and top[0] == kind and (
                    kind == P or top[1:] == [first, second] or kind == CZ and top[1:] == [second, first]):
                if kind == P:
                    top[2] = top[2] + second
                if kind != P or top[2].quarter % 4 == 0:
                    del kept[id(top)]
                    for qubit in qubits:
                        stacks[qubit].pop()
                continue
            entry = [kind, first, second]
            kept[id(entry)] = entry
            for qubit in qubits:
                stacks[qubit].append(entry)
        return stabilizer_phase([tuple(entry) for entry in kept.values()])


MOST_WORK = 3_000_000  # operations on amplitudes for the phase of one step


def stabilizer_phase(steps: list[Step]) -> Angle | None:
    """Returns the phase of |0...0> after a Clifford circuit that keeps it up to one.

    All amplitudes of a stabilizer state are 0 or have the same size, so only their powers of e^(i pi/4) are kept.
    """
    state, work = {0: 0}, 0
    for kind, first, second in steps:
        bit = 1 << first
        work += len(state)
        if work > MOST_WORK:
            return None
        if kind == P:
            power = 2 * second.quarter
            state = {x: value + power if x & bit else value for x, value in state.items()}
        elif kind == X:
            state = {x ^ bit: value for x, value in state.items()}
        elif kind == CX:
            flip = 1 << second
            state = {x ^ flip if x & bit else x: value for x, value in state.items()}
        elif kind == CZ:
            both = bit | 1 << second
            state = {x: value + 4 if x & both == both else value for x, value in state.items()}
        else:
            old, state = state, {}
            for x in {x & ~bit for x in old}:
                one, two = old.get(x), old.get(x | bit)
                if one is None or two is None:
                    state[x] = one if two is None else two
                    state[x | bit] = one if two is None else two + 4
                    continue
                difference = (two - one) % 8
                if difference in (0, 4):
                    state[x | (bit if difference else 0)] = one
                else:  # 1 + i is sqrt 2 e^(i pi/4)
                    state[x] = one + (1 if difference == 2 else -1)
                    state[x | bit] = one - (1 if difference == 2 else -1)
    return pi(state[0] % 8, 4)


def inverse(steps: Iterable[Step]) -> list[Step]:
    return [(kind, first, -second if kind == P else second) for kind, first, second in reversed(list(steps))]


def by_rotations(left: list[Step], right: list[Step], qubits: int) -> Proof | None:
    """Compares circuits as rotations about Pauli operators."""
    rotations = Rotations(qubits)
    for step in left + inverse(right):
        rotations.add(step)
    rotations.merge_commuting()
    if not rotations.is_identity():
        return None
    phase = rotations.clifford_phase()
    return Proof(None if phase is None else phase + rotations.phase)


Boolean = frozenset[int]  # an exclusive or of products; a product has bit v for variable v, and 0 is the constant 1
MOST_TERMS = 20_000  # a sum over paths with more terms in its phase is given up


class TooLarge(Exception):
    """A sum over paths has too many terms."""


class PathSum:
    """A circuit as a sum over paths: over the values of variables, with a phase for each assignment.

    Each qubit has a Boolean function of the variables. A Hadamard gate on a qubit with the function f begins a
    variable y, the new value of the qubit, with the phase pi y f. The phase is a polynomial in units of pi/4, modulo
    8, plus multiples of other angles by functions. A variable that is on no qubit is summed over if its phase is
    pi y f, where the sum is zero unless f = 0, or pi y f + pi/2 y, where it is a phase (Amy, arXiv 1805.06908).
    """

    def __init__(self, qubits: int) -> None:
        self.wires: list[Boolean] = [frozenset((1 << qubit,)) for qubit in range(qubits)]
        self.inputs = qubits
        self.next = qubits
        self.phase: dict[int, int] = defaultdict(int)
        self.others: dict[Boolean, Angle] = {}
        self.constant = ZERO
        #: The products of the phase that contain each variable; some of them may be gone.
        self.uses: dict[int, set[int]] = defaultdict(set)
        self.left: set[int] = set()  # variables that are neither inputs nor summed over

    def add_product(self, product: int, eighths: int) -> None:
        value = (self.phase[product] + eighths) % 8
        if value:
            self.phase[product] = value
        else:
            del self.phase[product]
            return
        if len(self.phase) > MOST_TERMS:
            raise TooLarge
        for variable in bits_of(product):
            self.uses[variable].add(product)

    def add_function(self, function: Boolean, eighths: int) -> None:
        """Adds a multiple of a function to the phase: x xor y is x + y - 2 x y."""
        sums: dict[int, int] = {}
        for product in function:
            parts = [(product, eighths)]
            parts += [(known | product, -2 * value % 8) for known, value in sums.items() if value % 4]
            for one, value in parts:
                sums[one] = (sums.get(one, 0) + value) % 8
            if len(sums) > MOST_TERMS:
                raise TooLarge
        for product, value in sums.items():
            self.add_product(product, value)

    def add_other(self, function: Boolean, angle: Angle) -> None:
        if 0 in function:
            self.constant += angle
            function, angle = function ^ {0}, -angle
        total = self.others.pop(function, ZERO) + angle
        if function and total.terms:
            self.others[function] = total

    def add(self, step: Step) -> None:
        """Appends a step to the circuit."""
        kind, first, second = step
        wires = self.wires
        if kind == X:
            wires[first] ^= {0}
        elif kind == CX:
            wires[second] ^= wires[first]
        elif kind == CZ:
            for product in conjunction(wires[first], wires[second]):
                self.add_product(product, 4)
        elif kind == P:
            if second.eighth is None:
                self.add_other(wires[first], second)
            else:
                self.add_function(wires[first], second.eighth % 8)
        else:
            before, variable = wires[first], self.next
            self.next += 1
            self.left.add(variable)
            wires[first] = frozenset((1 << variable,))
            for product in before:
                self.add_product(product | 1 << variable, 4)
            self.sum_over(variable for variable in variables_of(before) if variable in self.left)

    def sum_over(self, variables: Iterable[int]) -> None:
        """Sums over variables, as far as possible, and over those that this makes possible."""
        open_ = set(variables)
        while open_:
            variable = open_.pop()
            if variable in self.left:
                open_ |= self.sum_over_one(variable) & self.left

    def sum_over_one(self, variable: int) -> set[int]:
        """Sums over a variable if that is possible, and returns the variables of what has changed."""
        bit = 1 << variable
        functions = [*self.wires, *self.others]
        if any(product & bit for function in functions for product in function):
            return set()
        products = {product: self.phase[product] for product in self.uses[variable] if product in self.phase}
        turn = products.pop(bit, 0) % 4
        if turn % 2 or any(value != 4 for value in products.values()):
            return set()
        half = {product ^ bit for product in products}
        if self.phase.get(bit, 0) >= 4:
            half.add(0)
        function = frozenset(half)
        if not turn and function and self.solved(function) is None:
            return set()
        for product in [bit, *products]:
            self.phase.pop(product, None)
        self.left.discard(variable)
        if turn:  # 1 + i (-1)^f is the root of 2 times e^(i pi/4 - i pi/2 f)
            self.constant += pi(1, 4)
            self.add_function(function, 6)
            return set(variables_of(function))
        if not function:
            return set()
        other = self.solved(function)
        assert other is not None
        return self.substitute(other, function ^ {1 << other})

    def solved(self, function: Boolean) -> int | None:
        """Returns a variable of which the function is the exclusive or with a function without it."""
        for product in sorted(function, reverse=True):
            variable = product.bit_length() - 1
            if product.bit_count() == 1 and variable in self.left:
                if sum(each >> variable & 1 for each in function) == 1:
                    return variable
        return None

    def substitute(self, variable: int, value: Boolean) -> set[int]:
        """Replaces a variable by a function, and returns the variables of what has changed."""
        bit = 1 << variable
        self.left.discard(variable)
        changed = set(variables_of(value))
        self.wires = [replaced(function, bit, value) for function in self.wires]
        for function in [each for each in self.others if any(product & bit for product in each)]:
            self.add_other(replaced(function, bit, value), self.others.pop(function))
        for product in self.uses.pop(variable, set()):
            eighths = self.phase.pop(product, 0)
            if eighths:
                changed.update(bits_of(product ^ bit))
                self.add_function(conjunction(frozenset((product ^ bit,)), value), eighths)
        return changed

    def identity_phase(self) -> Angle | None:
        """Returns the phase if the circuit is known to be the identity up to one."""
        self.sum_over(set(self.left))
        constant = self.phase.pop(0, 0)
        if self.left or self.phase or self.others:
            return None
        if any(function != {1 << qubit} for qubit, function in enumerate(self.wires)):
            return None
        return self.constant + pi(constant, 4)


def bits_of(product: int) -> Iterator[int]:
    while product:
        yield (product & -product).bit_length() - 1
        product &= product - 1


def variables_of(function: Boolean) -> Iterator[int]:
    union = 0
    for product in function:
        union |= product
    return bits_of(union)


def conjunction(left: Boolean, right: Boolean) -> Boolean:
    if len(left) * len(right) > MOST_TERMS:
        raise TooLarge
    result: set[int] = set()
    for one in left:
        for two in right:
            result ^= {one | two}
    return frozenset(result)


def replaced(function: Boolean, bit: int, value: Boolean) -> Boolean:
    """Returns a function with another one in place of a variable."""
    with_it = frozenset(product ^ bit for product in function if product & bit)
    if not with_it:
        return function
    return frozenset(product for product in function if not product & bit) ^ conjunction(with_it, value)


def by_path_sums(left: list[Step], right: list[Step], qubits: int) -> Proof | None:
    """Compares circuits as sums over paths."""
    paths = PathSum(qubits)
    try:
        for step in left + inverse(right):
            paths.add(step)
        phase = paths.identity_phase()
    except TooLarge:
        return None
    return None if phase is None else Proof(phase)


def by_matrices(left: list[Step], right: list[Step], qubits: int, most_bits: float, zero: int = 0) -> Proof | str:
    """Compares exact unitaries, or returns why that was not done or failed. Qubits in `zero` start in |0>."""
    ring = Ring(left, right)
    bits = ring.column * ring.order << 2 * qubits
    if ring.order > 256 or bits > most_bits:
        return "the exact unitary is too large"
    phase = ring.phase(left, right, qubits, zero)
    return "the unitaries differ" if phase is None else Proof(phase)


def by_numbers(left: list[Step], right: list[Step], qubits: int, zero: int = 0) -> Proof | str:
    """Compares unitaries in double precision and bounds the norm of their difference."""
    size, error, matrices = 1 << qubits, 0.0, []
    if qubits > 6:
        return "there are too many qubits for double precision"
    for steps in (left, right):
        rows = [[complex(row == column) for column in range(size) if not column & zero] for row in range(size)]
        for kind, first, second in steps:
            bit = 1 << first
            value = second.value_modulo_turn() if kind == P else 0.0
            # A butterfly and a product lose a few units of the last place of each entry, an angle those of its value.
            error += (16 + 4 * abs(value)) * 2.0**-53 * math.sqrt(size)
            factor = cmath.exp(1j * value)
            for row in range(size):
                if kind == P and row & bit:
                    rows[row] = [factor * entry for entry in rows[row]]
                elif kind == H and not row & bit:
                    one, two, half = rows[row], rows[row | bit], math.sqrt(0.5)
                    rows[row] = [half * (a + b) for a, b in zip(one, two)]
                    rows[row | bit] = [half * (a - b) for a, b in zip(one, two)]
                elif kind == CZ and row & bit and row >> second & 1:
                    rows[row] = [-entry for entry in rows[row]]
                elif kind == X and not row & bit or kind == CX and row & bit and not row >> second & 1:
                    flip = row ^ (bit if kind == X else 1 << second)
                    rows[row], rows[flip] = rows[flip], rows[row]
        matrices.append([entry for row in rows for entry in row])
    trace = sum(a * b.conjugate() for a, b in zip(*matrices))
    if abs(trace) < 0.5:
        return "the unitaries differ"
    phase = cmath.phase(trace)
    factor = cmath.exp(1j * phase)
    distance = math.sqrt(sum(abs(a - factor * b) ** 2 for a, b in zip(*matrices))) + error
    return Proof(number(phase), distance)


@lru_cache(maxsize=200_000)
def prove(left: Gates, right: Gates) -> Proof | str:
    """Proves that two lists of gates are equal up to a global phase, or says why not."""
    qubits = 1 + max((qubit for _, wires in left + right for qubit in wires), default=0)
    (steps, phase), (steps2, phase2) = expanded(left), expanded(right)
    proof = by_matrices(steps, steps2, qubits, 2.0**16 if len(steps) < 300 else 0.0)
    if isinstance(proof, str) and "differ" not in proof:
        proof = by_rotations(steps, steps2, qubits) or by_path_sums(steps, steps2, qubits) or by_matrices(
            steps, steps2, qubits, 2.0**29)
    if isinstance(proof, str):
        if any(symbol for step in steps + steps2 if step[0] == P for _, symbol in step[2].terms):
            return proof
        if all(step[2].eighth is not None for step in steps + steps2 if step[0] == P) and "differ" in proof:
            return proof
        proof = by_numbers(steps, steps2, qubits)
    if isinstance(proof, Proof) and proof.phase is not None:
        return Proof(proof.phase + phase - phase2, proof.distance)
    return proof


def prove_from_zero(left: Gates, right: Gates, zeros: frozenset[int]) -> Proof | str:
    """Proves that two lists of gates do the same where some qubits start in |0>, up to a phase, or says why not."""
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    place = {qubit: index for index, qubit in enumerate(sorted({q for _, wires in left + right for q in wires}))}
    (steps, phase), (steps2, phase2) = (
        expanded(tuple((each, tuple(place[qubit] for qubit in wires)) for each, wires in gates))
        for gates in (left, right)
    )
    zero = sum(1 << place[qubit] for qubit in zeros if qubit in place)
    proof = by_matrices(steps, steps2, len(place), 2.0**29, zero)
    angles = [step[2] for step in steps + steps2 if step[0] == P]
    symbolic = any(symbol for angle in angles for _, symbol in angle.terms)
    exact = all(angle.eighth is not None for angle in angles)
    if isinstance(proof, str) and not symbolic and not (exact and "differ" in proof):
        proof = by_numbers(steps, steps2, len(place), zero)
    if isinstance(proof, Proof) and proof.phase is not None:
        return Proof(proof.phase + phase - phase2, proof.distance)
    return proof


@lru_cache(maxsize=10_000)
def diagonal_on(each: Gate, operand: int) -> bool:
    """Returns whether a gate is known to be diagonal on an operand: whether it commutes with Z there."""
    own, flip = (each, tuple(range(each.qubits))), (gate("z", ()), (operand,))
    proof = prove((own, flip), (flip, own))
    return isinstance(proof, Proof) and proof.phase is not None and not proof.phase.terms and not proof.distance


def observed(gates: Gates, discarded: Iterable[int]) -> Gates:
    """Returns the gates without those that only act on wires that are discarded at the end.

    A wire that is discarded may also control gates before that: what is diagonal on it commutes with them.
    """
    use = dict.fromkeys(discarded, "nothing")
    kept = []
    for each, wires in reversed(gates):
        diagonal = [wire in use and diagonal_on(each, place) for place, wire in enumerate(wires)]
        if all(use.get(wire) == "nothing" or fits for wire, fits in zip(wires, diagonal)):
            continue
        kept.append((each, wires))
        for wire, fits in zip(wires, diagonal):
            if wire in use and fits:
                use[wire] = "control"
            else:
                use.pop(wire, None)
    return tuple(reversed(kept))


# -------------------------------------------------------------------------------------- circuits


class Node:
    """An operation of a circuit, with its neighbours on each of its wires."""

    __slots__ = ("gate", "wires", "previous", "next", "label")

    def __init__(self, gate: Gate, wires: tuple[int, ...], label: int) -> None:
        self.gate, self.wires, self.label = gate, wires, label
        self.previous: dict[int, Node | None] = {}
        self.next: dict[int, Node | None] = {}


class Circuit:
    """Operations as linked lists, one for each qubit and classical bit.

    Labels are numbers that increase along every wire; insertions keep them so.
    """

    def __init__(self, qubits: dict[str, int], bits: dict[str, int]) -> None:
        self.registers: dict[str, range] = {}
        wire = 0
        for name, size in [*qubits.items(), *bits.items()]:
            self.registers[name] = range(wire, wire + size)
            wire += size
        self.names = (tuple(qubits.items()), tuple(bits.items()))
        self.qubits = sum(qubits.values())
        self.first: list[Node | None] = [None] * wire
        self.last: list[Node | None] = [None] * wire
        self.nodes: dict[int, Node] = {}
        self.count = 0
        self.phase = ZERO
        self.labels: set[int] = set()
        self.old: dict[Node, int] = {}  # labels before the step, where they have changed

    def append(self, gate: Gate, wires: tuple[int, ...]) -> None:
        if len(set(wires)) != len(wires):
            raise BadInput(f"{gate.name} is on the same qubit twice")
        self.place(gate, wires, {wire: self.last[wire] for wire in wires}, self.count << 64)

    def place(self, gate: Gate, wires: tuple[int, ...], before: dict[int, Node | None], label: int) -> Node:
        """Inserts an operation after the given ones. The label must fit."""
        node = Node(gate, wires, label)
        for wire in wires:
            previous = before[wire]
            following = previous.next[wire] if previous else self.first[wire]
            node.previous[wire], node.next[wire] = previous, following
            self.link(wire, previous, node)
            self.link(wire, node, following)
        self.labels.add(label)
        self.nodes[self.count] = node
        self.count += 1
        return node

    def link(self, wire: int, previous: Node | None, following: Node | None) -> None:
        if previous:
            previous.next[wire] = following
        else:
            self.first[wire] = following
        if following:
            following.previous[wire] = previous
        else:
            self.last[wire] = previous

    def remove(self, number: int) -> None:
        node = self.nodes.pop(number)
        for wire in node.wires:
            self.link(wire, node.previous[wire], node.next[wire])
        self.labels.discard(node.label)

    def exchange_wires_behind(self, node: Node) -> None:
        """Moves what is behind an operation on two wires from each of them to the other."""
        first, second = node.wires
        other = {first: second, second: first}
        behind = set()
        for wire in node.wires:
            following = node.next[wire]
            while following:
                behind.add(following)
                following = following.next[wire]
        for each in behind:
            each.wires = tuple(other.get(wire, wire) for wire in each.wires)
            each.previous = {other.get(wire, wire): neighbour for wire, neighbour in each.previous.items()}
            each.next = {other.get(wire, wire): neighbour for wire, neighbour in each.next.items()}
        node.next = {first: node.next[second], second: node.next[first]}
        self.last[first], self.last[second] = self.last[second], self.last[first]

    def next_on(self, wire: int, node: Node | None) -> Node | None:
        return node.next[wire] if node else self.first[wire]

    def set_label(self, node: Node, label: int) -> None:
        self.old.setdefault(node, node.label)
        node.label = label

    def gap(self, before: dict[int, Node | None], count: int) -> list[int]:
        """Makes room after the given operations, in an order of the circuit. Returns labels for new ones.

        Labels are exchanged as by D. Pearce and P. Kelly, A dynamic topological sort algorithm (2006).
        """
        early = {node for node in before.values() if node}
        late = {node for node in (self.next_on(wire, node) for wire, node in before.items()) if node}
        if early and late:
            low, high = min(node.label for node in late), max(node.label for node in early)
            if low <= high:
                behind = self.reach(late, "next", lambda label: label <= high)
                if not behind.isdisjoint(early):
                    raise Wrong("a path leads from behind the new gates to before them")
                ahead = self.reach(early, "previous", lambda label: label >= low)
                nodes = [*sorted(ahead, key=lambda node: node.label), *sorted(behind, key=lambda node: node.label)]
                for node, label in zip(nodes, sorted(node.label for node in nodes)):
                    self.set_label(node, label)
        while True:
            low = max((node.label for node in early), default=min((node.label for node in late), default=0) - (1 << 64))
            high = min((node.label for node in late), default=low + (1 << 64))
            labels, label = [], low
            for place in range(count):
                label = max(label + 1, low + (high - low) * (place + 1) // (count + 1))
                while label in self.labels:
                    label += 1
                labels.append(label)
            if not labels or label < high:
                return labels
            self.stretch()

    def stretch(self) -> None:
        """Multiplies all labels, so that there is room between any two."""
        for node in self.nodes.values():
            node.label <<= 64
        self.labels = {node.label for node in self.nodes.values()}
        self.old = {node: label << 64 for node, label in self.old.items()}

    def begin(self) -> None:
        """Begins a step: forgets old labels, and makes labels small if they have grown."""
        self.old.clear()
        if self.labels and self.count % 512 == 0 and max(map(abs, self.labels)).bit_length() > 256:
            for place, node in enumerate(sorted(self.nodes.values(), key=lambda node: node.label)):
                node.label = place << 64
            self.labels = {node.label for node in self.nodes.values()}

    @staticmethod
    def reach(start: Iterable[Node], direction: str, within: Callable[[int], bool]) -> set[Node]:
        """Returns the operations with labels of a range that paths in a direction reach."""
        found = {node for node in start if within(node.label)}
        stack = list(found)
        while stack:
            for node in getattr(stack.pop(), direction).values():
                if node and node not in found and within(node.label):
                    found.add(node)
                    stack.append(node)
        return found


# -------------------------------------------------------------------------------------- programs

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)|(?P<string>"[^"]*")
    |(?P<word>[A-Za-z_\u0370-\u03ff$][\w\u0370-\u03ff]*)|(?P<sign>->|==|\*\*|[-+*/^()\[\]{};,=:@!])""", re.X | re.S)


class Parser:
    """Reads OpenQASM 2 and the part of OpenQASM 3 that quartz-opt writes, but conditions.

    Loops over measured bits and boxes are kept as they stand.
    """

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise BadInput(f"line {text.count(chr(10), 0, place) + 1}: unexpected character {text[place]!r}")
            if match.lastgroup:
                self.tokens.append(match.group())
            place = match.end()
        self.place = 0
        self.symbols: dict[str, Angle] = {name: pi() for name in ("pi", "\u03c0")}
        self.symbols |= {"tau": pi(2), "\u03c4": pi(2), "euler": number(math.e)}
        self.gates: dict[str, tuple[list[str], list[str], list]] = {}
        #: Standard gates that the file defines, up to a global phase, and a factor for their angles.
        self.known: dict[str, Angle] = {}
        self.opaque: set[str] = set()

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or expected and token != expected:
            raise BadInput(f"{expected or 'more'} is expected, not {token or 'the end'!r}")
        self.place += 1
        return token

    def accept(self, token: str) -> bool:
        found = self.peek() == token
        self.place += found
        return found

    def expression(self, names: dict[str, Angle], level: int = 0) -> Angle:
        """Reads a sum (level 0), a product (1), or a factor (2)."""
        if level == 2:
            return self.factor(names)
        value = self.expression(names, level + 1)
        while self.peek() in (("+", "-"), ("*", "/"))[level]:
            sign = self.take()
            other = self.expression(names, level + 1)
            operation = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[sign]
            value = in_range(operation(value, other))
        return value

    def factor(self, names: dict[str, Angle]) -> Angle:
        token = self.take()
        if token in "+-":
            value = self.factor(names)
            return -value if token == "-" else value
        if token == "(":
            value = self.expression(names)
            self.take(")")
        elif token in FUNCTIONS:
            self.take("(")
            value = number(FUNCTIONS[token](self.expression(names).value()))
            self.take(")")
        elif token in names:
            value = names[token]
        elif token[0].isdigit() or token[0] == ".":
            value = decimal(token)
        else:
            raise BadInput(f"an angle is expected, not {token!r}")
        if self.accept("^") or self.accept("**"):
            value = number(value.value() ** self.factor(names).value())
        return value

    def angles(self, names: dict[str, Angle]) -> tuple[Angle, ...]:
        found: list[Angle] = []
        if self.accept("("):
            if self.accept(")"):
                return ()
            found.append(self.expression(names))
            while not self.accept(")"):
                self.take(",")
                found.append(self.expression(names))
        return tuple(found)

    def words(self, end: str) -> list[str]:
        found: list[str] = []
        while not self.accept(end):
            token = self.take()
            if token != ",":
                found.append(token)
        return found

    def circuit(self) -> Circuit:
        """Reads the program. Registers are collected first, since wires have numbers."""
        registers: dict[str, dict[str, int]] = {"q": {}, "c": {}}
        body: list[tuple[str, int]] = []
        depth = 0  # the number of blocks, loops over measured bits and boxes, that have begun and not ended
        while self.peek():
            start, word = self.place, self.take()
            if word in ("OPENQASM", "include", "input"):
                words = self.words(";")
                if word == "input":
                    if words[0] not in ("float", "angle"):
                        raise BadInput(f"an input of type {words[0]} is not supported")
                    self.symbols[words[-1]] = Angle({(0, words[-1]): Fraction(1)})
            elif word in ("qreg", "creg", "qubit", "bit"):
                words = self.words(";")
                size = int(words[words.index("[") + 1]) if "[" in words else 1
                name = words[0] if word.endswith("reg") or len(words) == 1 else words[-1]
                registers["q" if word.startswith("q") else "c"][name] = size
            elif word == "gate":
                self.definition()
                self.recognise(self.tokens[start + 1])
            elif word == "opaque":
                self.opaque.add(self.take())
                self.words(";")
            elif word in ("if", "for", "def", "ctrl", "negctrl", "inv", "pow", "let", "const", "switch"):
                raise BadInput(f"{word!r} is not supported")
            elif word in ("while", "box"):
                depth += 1
                body.append((word, start))
                while self.take() != "{":
                    pass
            elif word == "}":
                depth -= 1
                if depth < 0:
                    raise BadInput("a block ends that has not begun")
                body.append((word, start))
            else:
                body.append((word, start))
                while self.take() != ";":
                    pass
        if depth:
            raise BadInput("a block does not end")
        circuit = Circuit(registers["q"], registers["c"])
        for word, start in body:
            self.place = start
            if word in ("while", "box", "}"):
                self.block(circuit, word)
            else:
                self.statement(circuit, word)
        return circuit

    def block(self, circuit: Circuit, word: str) -> None:
        """Reads the beginning or the end of a block, which is an operation on all wires: nothing moves across it."""
        words = [self.take()]
        while word != "}" and words[-1] != "{":
            words.append(self.take())
        wires = tuple(range(len(circuit.first)))
        circuit.append(fixed(" ".join(words), len(wires)), wires)

    def definition(self) -> None:
        """Reads the definition of a gate."""
        name, parameters = self.take(), self.words(")") if self.accept("(") else []
        qubits = self.words("{")
        values = self.symbols | {one: Angle({(0, one): Fraction(1)}) for one in parameters}
        body = []
        while not self.accept("}"):
            body.append((self.take(), self.angles(values), self.words(";")))
        self.gates[name] = (parameters, qubits, body)

    def recognise(self, name: str) -> None:
        """Finds out whether the definition of a gate means the standard gate of that name."""
        parameters, qubits, _ = self.gates[name]
        if shape(ALIASES.get(name, name)) != (len(qubits), len(parameters)):
            return
        wires = tuple(range(len(qubits)))
        own = tuple(Angle({(0, one): Fraction(1)}) for one in parameters)
        meaning = tuple(item for item in self.expand(name, own, wires) if item[0].name != "gphase")
        for factor in (number(1), pi(2)):  # IonQ's gates have angles in turns.
            same = prove(meaning, ((gate(name, tuple(one * factor for one in own)), wires),))
            if isinstance(same, Proof) and same.distance == 0:
                self.known[name] = factor
                return

    def expand(self, name: str, angles: tuple[Angle, ...], wires: tuple[int, ...]) -> Iterator[tuple[Gate, tuple]]:
        """Replaces a call by those of gates that are known."""
        if name == "gphase":
            yield Gate("gphase", angles, 0, fixed=True), ()
        elif name in self.known:
            yield gate(name, tuple(angle * self.known[name] for angle in angles)), wires
        elif name in self.gates:
            parameters, qubits, body = self.gates[name]
            if (len(parameters), len(qubits)) != (len(angles), len(wires)):
                raise BadInput(f"{name} is called with a wrong number of angles or qubits")
            values, places = dict(zip(parameters, angles)), dict(zip(qubits, wires))
            for inner, terms, operands in body:
                if inner != "barrier":
                    yield from self.expand(inner, tuple(substituted(each, values) for each in terms),
                                           tuple(places[each] for each in operands))
        elif name in self.opaque:
            yield fixed(f"{name}({', '.join(map(str, angles))})", len(wires)), wires
        else:
            known = gate(name, angles)
            if known.qubits != len(wires):
                raise BadInput(f"{name} is on {len(wires)} qubits")
            yield known, wires

    def statement(self, circuit: Circuit, word: str) -> None:
        """Reads a call of a gate or another operation, which is repeated for each qubit of registers."""
        self.take()
        angles: tuple[Angle, ...] = ()
        target: Sequence[int] = ()
        if self.peek() in ("=", "[") and word != "delay":  # c[0] = measure q[0];
            self.place -= 1
            target, word = self.operand(circuit), "measure"
            self.take("=")
            self.take("measure")
        elif word == "delay":
            word += " ".join(self.words("]"))
        else:
            angles = self.angles(self.symbols)
        operands = []
        while not self.accept(";"):
            operands.append(self.operand(circuit))
            self.accept(",") or self.accept("->")
        if target:
            operands.append(target)
        if word == "barrier":
            wires = tuple(wire for each in operands for wire in each) or tuple(range(circuit.qubits))
            circuit.append(fixed("barrier", len(wires)), wires)
            return
        lengths = {len(each) for each in operands if len(each) != 1}
        if len(lengths) > 1:
            raise BadInput(f"{word} is called with registers of different sizes")
        for place in range(max(lengths, default=1) if 0 not in lengths else 0):
            wires = tuple(each[place if len(each) > 1 else 0] for each in operands)
            if word in ("measure", "reset") or word.startswith("delay"):
                circuit.append(fixed(word, len(wires)), wires)
                continue
            for each, inner in self.expand(word, angles, wires):
                if each.name == "gphase":
                    circuit.phase += each.angles[0]
                else:
                    circuit.append(each, inner)

    def operand(self, circuit: Circuit) -> Sequence[int]:
        name = self.take()
        if name not in circuit.registers:
            raise BadInput(f"there is no register {name}")
        if not self.accept("["):
            return circuit.registers[name]
        place = int(self.take())
        self.take("]")
        if place >= len(circuit.registers[name]):
            raise BadInput(f"{name}[{place}] is out of range")
        return (circuit.registers[name][place],)


def substituted(angle: Angle, values: dict[str, Angle]) -> Angle:
    """Replaces parameters by their values."""
    total = ZERO
    for (power, symbol), value in angle.terms.items():
        total += Angle({(power, ""): value}) * values[symbol] if symbol in values else Angle({(power, symbol): value})
    return total


def read_circuit(path: pathlib.Path) -> Circuit:
    """Reads an OpenQASM file. The global phase of version 2 is in a comment."""
    try:
        text = path.read_text(encoding="utf-8")
        circuit = Parser(text).circuit()
        comment = re.search(r"^// global phase: (.*)$", text, re.M)
        if comment and not re.search(r"^\s*OPENQASM\s+3", text, re.M):
            circuit.phase += Parser(comment.group(1)).expression({"pi": pi()})
        return circuit
    except (OSError, ValueError, ArithmeticError, LookupError, RecursionError, BadInput) as error:
        raise BadInput(f"{path}: {error}") from error


def with_edges(circuit: Circuit, edges: Sequence[str]) -> Circuit:
    """Returns a circuit with a reset of each qubit at its edges: at the start, the end, or both."""
    qubits, bits = map(dict, circuit.names)
    result = Circuit(qubits, bits)
    operations = [(node.gate, node.wires) for _, node in sorted(circuit.nodes.items())]
    resets = [(fixed("reset", 1), (qubit,)) for qubit in range(circuit.qubits)]
    for each, wires in (resets if "start" in edges else []) + operations + (resets if "end" in edges else []):
        result.append(each, wires)
    result.phase = circuit.phase
    return result


def without_swaps(circuit: Circuit) -> tuple[Circuit, list[int]]:
    """Returns a circuit without its SWAP gates, and where its qubits end: what is behind them is on the other one.
    Three consecutive CNOTs that make a SWAP gate count as one.

    The body of a loop is executed any number of times. Its operations are on the same qubits each time only if the
    qubits are at its end where they were at its start, so SWAP gates bring them back there.
    """
    now = list(range(len(circuit.first)))
    original = list(now)
    kept: list[tuple[Gate, tuple[int, ...], tuple[int, ...]] | None] = []  # gate, wires, and what is before it there
    last = [-1] * len(now)
    blocks: list[list[int] | None] = []  # where the qubits were at the start of each loop; None for a box

    def swap_wires(first: int, second: int) -> None:
        now[original[first]], now[original[second]] = now[original[second]], now[original[first]]
        original[first], original[second] = original[second], original[first]

    def bring_back(places: list[int]) -> None:
        for wire in range(circuit.qubits):
            other = now[places.index(wire)]
            if other != wire:
                for each in (wire, other):
                    last[each] = len(kept)
                kept.append((gate("swap", ()), (wire, other), ()))
                swap_wires(wire, other)

    def reverse_before(wires: tuple[int, ...], before: tuple[int, ...]) -> int:
        found = before[0] if before[0] >= 0 and before[0] == before[1] else -1
        entry = kept[found] if found >= 0 else None
        return found if entry is not None and entry[0].name == "cx" and entry[1] == wires[::-1] else -1

    for _, node in sorted(circuit.nodes.items()):
        if node.gate.name == "}":
            start = blocks.pop()
            if start is not None:
                bring_back(start)
        elif node.gate.name.endswith("{"):
            blocks.append(None if node.gate.name.startswith("box ") else list(now))
        is_block = node.gate.name == "}" or node.gate.name.endswith("{")
        wires = node.wires if is_block else tuple(now[wire] for wire in node.wires)
        if node.gate.name == "swap":
            swap_wires(*wires)
            continue
        before = tuple(last[wire] for wire in wires)
        if node.gate.name == "cx":
            middle = reverse_before(wires, before)
            entry = kept[middle] if middle >= 0 else None
            first = reverse_before(entry[1], entry[2]) if entry is not None else -1
            earliest = kept[first] if first >= 0 else None
            if earliest is not None:
                for wire, previous in zip(earliest[1], earliest[2]):
                    last[wire] = previous
                kept[first] = kept[middle] = None
                swap_wires(*wires)
                continue
        for wire in wires:
            last[wire] = len(kept)
        kept.append((node.gate, wires, before))
    qubits, bits = map(dict, circuit.names)
    result = Circuit(qubits, bits)
    for entry in kept:
        if entry is not None:
            result.append(entry[0], entry[1])
    result.phase = circuit.phase
    return result, now[:circuit.qubits]


def starts_in_any_order(circuit: Circuit, permutation: list[int]) -> list[tuple[Circuit, list[int]]]:
    """Returns the circuits with which a journal may begin if the order of the qubits is free, and the permutation by
    which it leads to the result: without the SWAP gates of the input, or with them, as a search with a coupling map
    does."""
    removed, ends = without_swaps(circuit)
    kept = (circuit, permutation)
    if [(node.gate, node.wires) for _, node in sorted(removed.nodes.items())] == [
            (node.gate, node.wires) for _, node in sorted(circuit.nodes.items())]:
        return [kept]
    return [(removed, [permutation[ends.index(wire)] for wire in range(circuit.qubits)]), kept]


def stated_order(path: pathlib.Path, qubits: int) -> list[int]:
    """Returns the output permutation that a comment of a file states."""
    comment = re.search(r"^// output permutation: \[([\d, ]*)\]$", path.read_text(encoding="utf-8"), re.M)
    return [int(number) for number in comment.group(1).split(",")] if comment else list(range(qubits))


# --------------------------------------------------------------------------------------- journals

LARGEST_BLOCK = 1 << 24
MOST_CHARACTERS = 1 << 16  # a gate with its angles has
MOST_ELEMENTS = 1 << 20  # a list has
#: Operations that a journal may renumber for free. Beyond that, each number that it gives pays for four of them.
#: Journals of quartz-opt renumber fewer operations than they give numbers.
FREE_RENUMBERINGS = 1 << 20


def decompressed(frame: bytes) -> bytes:
    """Decompresses a Zstandard frame, whatever size it declares. It may contain LARGEST_BLOCK bytes."""
    try:
        import zstandard
    except ImportError:
        return decompressed_by_command(frame)
    try:
        with zstandard.ZstdDecompressor(max_window_size=LARGEST_BLOCK).stream_reader(frame) as reader:
            records = reader.read(LARGEST_BLOCK + 1)
    except (zstandard.ZstdError, MemoryError) as error:
        raise BadInput(f"a block of the journal is damaged: {error}") from error
    if len(records) > LARGEST_BLOCK:
        raise BadInput("a block of the journal is too large")
    return records


def decompressed_by_command(frame: bytes) -> bytes:
    """Decompresses a frame with the command zstd, which has no module."""
    with tempfile.TemporaryFile() as compressed:
        compressed.write(frame)
        compressed.seek(0)
        try:
            process = subprocess.Popen(["zstd", "-dcq"], stdin=compressed, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
        except FileNotFoundError as error:
            raise BadInput("neither the module zstandard nor the command zstd is installed") from error
        with process:
            records = process.stdout.read(LARGEST_BLOCK + 1)
            if len(records) > LARGEST_BLOCK:
                process.kill()
                raise BadInput("a block of the journal is too large")
        if process.returncode:
            raise BadInput("a block of the journal is damaged")
    return records


def read_frames(path: pathlib.Path) -> list[bytes]:
    """Returns the compressed blocks of a journal."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error}") from error
    if data[:7] == b"QUARTZC":
        raise BadInput(f"{path}: this is a compound journal, which only quartz-check reads")
    if data[:8] != b"QUARTZJ\x01":
        raise BadInput(f"{path}: this is not a journal of version 1")
    place, frames = 8, []
    while True:
        size = int.from_bytes(data[place:place + 4], "little")
        end = place + 4 + size
        if end > len(data) or len(data) < place + 4 or size > LARGEST_BLOCK:
            raise BadInput(f"{path}: the file is truncated or damaged")
        if size == 0:
            break
        frames.append(data[place + 4:end])
        place = end
    if end != len(data):
        raise BadInput(f"{path}: something follows the end")
    return frames


#: A wire, and the number of an operation on it plus 1, or 0 for the start of the wire.
Place = tuple[int, int]


class Records:
    """The records of a journal as one sequence of bytes. One block at a time is in memory."""

    def __init__(self, frames: list[bytes]) -> None:
        self.frames = iter(frames)
        self.block = b""
        self.place = 0

    def at_end(self) -> bool:
        """Returns whether no byte follows."""
        while self.place == len(self.block):
            frame = next(self.frames, None)
            if frame is None:
                return True
            self.block, self.place = decompressed(frame), 0
        return False

    def byte(self) -> int:
        if self.place == len(self.block) and self.at_end():
            raise BadInput("the records are truncated or damaged")
        self.place += 1
        return self.block[self.place - 1]

    def take(self, size: int) -> bytes:
        if self.place + size <= len(self.block):
            self.place += size
            return self.block[self.place - size:self.place]
        return bytes(self.byte() for _ in range(size))

    def number(self) -> int:
        value = shift = 0
        while True:
            if shift > 56:
                raise BadInput("the records are truncated or damaged")
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def text(self) -> str:
        size = self.number()
        if size > MOST_CHARACTERS:
            raise BadInput(f"a gate has {size} characters, expected at most {MOST_CHARACTERS}")
        return self.take(size).decode("utf-8", "replace")

    def count(self) -> int:
        """Reads how many elements a list has."""
        count = self.number()
        if count > MOST_ELEMENTS:
            raise BadInput("the records are truncated or damaged")
        return count

    def differences(self) -> list[int]:
        """Reads numbers, each as the difference from the one before."""
        numbers, last = [], 0
        for _ in range(self.count()):
            value = self.number()
            last += value >> 1 if value % 2 == 0 else -(value + 1 >> 1)
            numbers.append(last)
        return numbers

    def two_places(self) -> list[Place]:
        return [(self.number(), self.number()) for _ in range(2)]

    def places(self) -> list[Place]:
        return [(self.number(), self.number()) for _ in range(self.count())]

    def gates_on_wires(self) -> list[tuple[int, tuple[int, ...]]]:
        """Reads codes of gates, with a byte for each operand."""
        return [(self.number(), tuple(self.take(self.count()))) for _ in range(self.count())]

    def gates_at_places(self) -> list[tuple[int, list[Place]]]:
        """Reads codes of gates, with a place for each operand."""
        return [(self.number(), self.places()) for _ in range(self.count())]


@dataclass(frozen=True)
class Record:
    """A kind of record: the method of Replay that applies it, and the methods of Records that read its fields."""

    apply: str
    fields: tuple[Callable[[Records], object], ...]
    #: What the steps of this kind are counted as; None if the record is no step.
    step: str | None = None


#: The kinds of records, by the bytes with which they begin.
RECORDS = {
    0: Record("end", (Records.number, Records.number)),
    1: Record("define", (Records.text,)),
    2: Record("rewrite", (Records.differences, Records.places, Records.gates_on_wires), "rewrites"),
    3: Record("renumber", ()),
    4: Record("exchange", (Records.differences, Records.gates_at_places), "exchanges"),
    5: Record("exchange_in_context", (Records.differences, Records.differences, Records.gates_at_places), "exchanges"),
    6: Record("swap", (Records.two_places,), "swaps"),
    7: Record("lemma", (Records.gates_on_wires,)),
    8: Record("end_lemma", (Records.differences,)),
    9: Record("use", (Records.number, Records.differences), "uses"),
}


@dataclass
class Lemma:
    """Two lists of gates that were proved equal, on wires numbered in the order in which they occur in the first one."""

    before: Gates
    after: Gates
    proof: Proof


class Replay:
    """Applies the records of a journal to a circuit, and proves each step."""

    def __init__(self, circuit: Circuit, records: Records, tolerance: float) -> None:
        self.circuit, self.records, self.tolerance = circuit, records, tolerance
        self.lemmas: list[Lemma] = []
        self.is_lemma = self.is_over = False
        self.order: list[int] = []
        self.renumberings_left = FREE_RENUMBERINGS + 4 * circuit.count
        self.codes: list[Gate] = []
        self.count: Counter[str] = Counter()
        self.inside = False
        self.distance = 0.0
        self.phases: dict[Angle | None, int] = defaultdict(int)
        self.permutation = list(range(circuit.qubits))

    def where(self) -> str:
        """Names the step that is being replayed, if any."""
        return f"step {self.steps() + 1}: " if self.inside else ""

    def steps(self) -> int:
        return sum(self.count.values())

    def node(self, number: int, wire: int | None = None) -> Node:
        node = self.circuit.nodes.get(number)
        if node is None or wire is not None and wire not in node.next:
            raise Wrong(f"operation {number} does not exist" + ("" if wire is None else f" on qubit {wire}"))
        return node

    def position(self, wire: int, after: int) -> Node | None:
        """Returns the operation after which a gate is put on a qubit."""
        if wire >= self.circuit.qubits:
            raise Wrong(f"there is no qubit {wire}")
        return self.node(after - 1, wire) if after else None

    def code(self, code: int, operands: Sequence[object]) -> Gate:
        self.renumberings_left += 4
        if code >= len(self.codes) or len(operands) != self.codes[code].qubits:
            raise Wrong("a gate is not defined or has a wrong number of qubits")
        return self.codes[code]

    def removed(self, numbers: list[int]) -> list[Node]:
        nodes = [self.node(number) for number in numbers]
        if len(set(numbers)) != len(numbers) or any(node.gate.fixed for node in nodes):
            raise Wrong("an operation is removed twice or is not a gate")
        return nodes

    def run(self) -> None:
        """Applies all records."""
        while not self.is_over:
            self.circuit.begin()
            kind = self.records.byte()
            record = RECORDS.get(kind)
            if record is None:
                raise BadInput(f"there is no record of kind {kind}")
            self.inside = record.step is not None
            getattr(self, record.apply)(*(read(self.records) for read in record.fields))
            if record.step is not None:
                self.count[record.step] += 1
                self.inside = False

    def end(self, steps: int, operations: int) -> None:
        if self.is_lemma:
            raise Wrong("the journal ends within a lemma")
        if steps != self.steps() or operations != len(self.circuit.nodes):
            raise Wrong("the numbers of steps or operations at the end are wrong")
        if not self.records.at_end():
            raise BadInput("something follows the end of the records")
        self.is_over = True

    def renumber(self) -> None:
        """Gives the operations that are left new numbers, which takes a time that grows with their number."""
        circuit = self.circuit
        self.renumberings_left -= 1 + len(circuit.nodes)
        if self.renumberings_left < 0:
            raise BadInput("the journal renumbers the operations more often than its steps require")
        circuit.nodes = dict(enumerate(node for _, node in sorted(circuit.nodes.items())))
        circuit.count = len(circuit.nodes)

    def define(self, text: str) -> None:
        parser = Parser(text)
        for token in parser.tokens[1:]:
            if token[0].isalpha() and token not in FUNCTIONS:
                parser.symbols.setdefault(token, Angle({(0, token): Fraction(1)}))
        self.codes.append(gate(parser.take(), parser.angles(parser.symbols)))
        if parser.peek():
            raise BadInput(f"the gate {text!r} is not understood")

    def rewrite(self, numbers: list[int], gaps: list[Place], gates: list[tuple[int, tuple[int, ...]]]) -> None:
        """Replaces consecutive gates, which are proved equal to the new ones."""
        circuit = self.circuit
        nodes = self.removed(numbers)
        before: dict[int, Node | None] = {}
        last: dict[int, Node] = {}
        for node in nodes:
            for wire in node.wires:
                if wire not in last:
                    before[wire] = node.previous[wire]
                elif node.previous[wire] is not last[wire]:
                    raise Wrong("the removed gates are not consecutive, or not in an order of the circuit")
                last[wire] = node
        for wire, after in gaps:
            if wire in before:
                raise Wrong(f"qubit {wire} is already one of the window")
            before[wire] = self.position(wire, after)
        wires = list(before)
        place = {wire: index for index, wire in enumerate(wires)}
        inserted = []
        for code, indices in gates:
            new = self.code(code, indices)
            if len(set(indices)) != new.qubits or any(index >= len(wires) for index in indices):
                raise Wrong(f"{new.name} is inserted on wrong qubits")
            inserted.append((new, indices))
        left = tuple((node.gate, tuple(place[wire] for wire in node.wires)) for node in nodes)
        self.accept(prove(left, tuple(inserted)))
        for number in numbers:
            circuit.remove(number)
        for (new, indices), label in zip(inserted, circuit.gap(before, len(inserted))):
            on = tuple(wires[index] for index in indices)
            node = circuit.place(new, on, {wire: before[wire] for wire in on}, label)
            before.update(dict.fromkeys(on, node))

    def lemma(self, first: list[tuple[int, tuple[int, ...]]]) -> None:
        """Reads a lemma that begins with these gates, and proves it by its own steps."""
        if self.is_lemma:
            raise Wrong("a lemma begins within another one")
        gates: list[tuple[Gate, tuple[int, ...]]] = []
        wires = 0
        for code, on in first:
            new = self.code(code, on)
            for wire in on:
                if wire > wires:
                    raise Wrong(f"wire {wire} of a lemma occurs before wire {wires}")
                wires = max(wires, wire + 1)
            gates.append((new, on))
        if not gates:
            raise Wrong("a lemma has no gates")
        circuit = Circuit({"lemma": wires}, {})
        for each, on in gates:
            circuit.append(each, on)
        own = Replay(circuit, self.records, self.tolerance)
        own.is_lemma, own.codes, own.lemmas = True, self.codes, self.lemmas
        own.renumberings_left, own.count = self.renumberings_left, self.count
        try:
            own.run()
            order = own.removed(own.order)
            if len(order) != len(circuit.nodes):
                raise Wrong("the gates at the end of a lemma are not those of its circuit")
            last: list[Node | None] = [None] * wires
            for node in order:
                for wire in node.wires:
                    if node.previous[wire] is not last[wire]:
                        raise Wrong("the gates at the end of a lemma are not in an order of its circuit")
                    last[wire] = node
        finally:
            self.renumberings_left, self.inside = own.renumberings_left, own.inside
        phase: Angle | None = ZERO
        for each, count in own.phases.items():
            phase = None if each is None or phase is None else phase + each * count
        after = tuple((node.gate, node.wires) for node in order)
        self.lemmas.append(Lemma(tuple(gates), after, Proof(phase, own.distance)))

    def end_lemma(self, order: list[int]) -> None:
        if not self.is_lemma:
            raise Wrong("a lemma ends that has not begun")
        self.order = order
        self.is_over = True

    def use(self, number: int, numbers: list[int]) -> None:
        """Replaces the gates that a lemma begins with by those to which it leads."""
        circuit = self.circuit
        if number >= len(self.lemmas):
            raise Wrong(f"there is no lemma {number}")
        lemma = self.lemmas[number]
        nodes = self.removed(numbers)
        before: dict[int, Node | None] = {}
        last: dict[int, Node] = {}
        place: dict[int, int] = {}
        found = []
        for node in nodes:
            for wire in node.wires:
                if wire not in last:
                    before[wire] = node.previous[wire]
                    place[wire] = len(place)
                elif node.previous[wire] is not last[wire]:
                    raise Wrong("the removed gates are not consecutive, or not in an order of the circuit")
                last[wire] = node
            found.append((node.gate, tuple(place[wire] for wire in node.wires)))
        if [on for _, on in found] != [on for _, on in lemma.before]:
            raise Wrong(f"the removed gates are not on the wires of lemma {number}")
        for (one, _), (two, _) in zip(found, lemma.before):
            if one is not two:  # The same gate may be written in two ways.
                places = tuple(range(one.qubits))
                if one.qubits != two.qubits:
                    raise Wrong(f"the removed gates are not those of lemma {number}")
                self.accept(prove(((one, places),), ((two, places),)))
        self.accept(lemma.proof)
        for removed in numbers:
            circuit.remove(removed)
        wires = list(before)
        self.renumberings_left += 4 * len(lemma.after)
        for (new, indices), label in zip(lemma.after, circuit.gap(before, len(lemma.after))):
            on = tuple(wires[index] for index in indices)
            node = circuit.place(new, on, {wire: before[wire] for wire in on}, label)
            before.update(dict.fromkeys(on, node))

    def swap(self, places: list[Place]) -> None:
        """Inserts a SWAP gate before final operations, which move to the other wire."""
        if self.is_lemma:
            raise Wrong("a lemma has no final SWAP gates")
        circuit = self.circuit
        before: dict[int, Node | None] = {}
        for wire, after in places:
            if wire in before:
                raise Wrong(f"the SWAP gate is on qubit {wire} twice")
            before[wire] = self.position(wire, after)
        (label,) = circuit.gap(before, 1)
        first, second = before
        node = circuit.place(gate("swap", ()), (first, second), before, label)
        behind = circuit.reach([each for each in node.next.values() if each], "next", lambda _: True)
        if any(each.gate.name not in ("measure", "reset", "barrier") for each in behind):
            raise Wrong("an operation behind the SWAP gate is not final")
        circuit.exchange_wires_behind(node)
        other = {first: second, second: first}
        self.permutation = [other.get(wire, wire) for wire in self.permutation]

    def exchange_in_context(self, resets: list[int], numbers: list[int],
                            gates: list[tuple[int, list[Place]]]) -> None:
        """Does what exchange() does, with resets on which it depends."""
        context = [self.node(number) for number in resets]
        if any(node.gate.name != "reset" for node in context):
            raise Wrong("an operation of a context is not a reset")
        self.exchange(numbers, gates, context)

    def exchange(self, numbers: list[int], gates: list[tuple[int, list[Place]]],
                 context: Sequence[Node] = ()) -> None:
        """Removes and inserts gates that may be far apart, and compares all that is between them."""
        circuit = self.circuit
        removed = self.removed(numbers)
        circuit.old = {node: node.label for node in removed}
        for number in numbers:
            circuit.remove(number)
        ends = {"previous": set(), "next": set()}
        gone = set(removed)
        for node in removed:
            for direction, found in ends.items():
                for wire in node.wires:
                    other = getattr(node, direction)[wire]
                    while other in gone:
                        other = getattr(other, direction)[wire]
                    found.add(other)
        added = []
        for code, operands in gates:
            new = self.code(code, operands)
            before: dict[int, Node | None] = {}
            for wire, after in operands:
                before[wire] = self.position(wire, after)
            if len(before) != new.qubits:
                raise Wrong(f"{new.name} is inserted on the same qubit twice")
            label, = circuit.gap(before, 1)
            added.append(circuit.place(new, tuple(before), before, label))
        for node in added:
            ends["previous"].update(node.previous.values())
            ends["next"].update(node.next.values())
        starts, stops = ends["next"].union(context) - {None}, ends["previous"].union(context) - {None}
        low, high = min((node.label for node in starts), default=0), max((node.label for node in stops), default=-1)
        hull = circuit.reach(starts, "next", lambda label: label <= high)
        hull &= circuit.reach(stops, "previous", lambda label: label >= low)
        kept = hull.difference(added)
        old = sorted(kept.union(removed), key=lambda node: circuit.old.get(node, node.label))
        new_order = sorted(kept.union(added), key=lambda node: node.label)
        wires: dict[object, int] = {}
        for node in old + new_order:
            for wire in node.wires:
                if wire < circuit.qubits:
                    wires.setdefault(wire, len(wires))
        edges: dict[str, set[int]] | None = {"zero": set(), "discarded": set()} if context else None
        left, right = (self.opened(nodes, wires, edges) for nodes in (old, new_order))
        if edges is None:
            self.accept(prove(left, right))
            return
        left, right = (observed(gates, edges["discarded"]) for gates in (left, right))
        self.accept(prove_from_zero(left, right, frozenset(edges["zero"])))

    def opened(self, nodes: list[Node], wires: dict[object, int], edges: dict[str, set[int]] | None) -> Gates:
        """Returns the gates of a hull on its wires. Other operations give each of their qubits a new wire.

        Circuits that are equal with what enters and what leaves such an operation as separate wires are equal with
        any operation there. A measurement is a copy of its qubit. With a context, `edges` gets the wires that begin
        and that end at resets, and barriers, which have no effect, are left out.
        """
        gates: list[tuple[Gate, tuple[int, ...]]] = []
        now = dict(wires)
        for node in nodes:
            if not node.gate.fixed:
                gates.append((node.gate, tuple(now[wire] for wire in node.wires)))
                continue
            if edges is not None and node.gate.name == "barrier":
                continue
            for wire in node.wires:
                if wire >= self.circuit.qubits:
                    continue
                new = wires.setdefault((node, wire), len(wires))
                if node.gate.name == "measure":
                    gates.append((gate("cx", ()), (now[wire], new)))
                    continue
                if edges is not None and node.gate.name == "reset":
                    edges["zero"].add(new)
                    edges["discarded"].add(now[wire])
                now[wire] = new
        return tuple(gates)

    def accept(self, proof: Proof | str) -> None:
        """Adds up the phase and the distance of a proved step, or refuses it."""
        if isinstance(proof, str):
            raise Wrong(f"the gates are not proved equal: {proof}")
        if proof.distance:
            self.distance += proof.distance
            if self.distance > self.tolerance:
                raise Wrong(f"the sum of the distances exceeds {self.tolerance}: {self.distance:.3g}")
        self.phases[proof.phase] += 1

    def compare(self, other: Circuit) -> None:
        """Checks that the operations on every wire are those of another circuit."""
        circuit = self.circuit
        if circuit.names != other.names:
            raise Wrong("the circuits have different registers")
        partner: dict[Node, Node] = {}
        for wire in range(len(circuit.first)):
            one, two = circuit.first[wire], other.first[wire]
            while one or two:
                if not one or not two or partner.setdefault(one, two) is not two or one.wires != two.wires:
                    raise Wrong(f"the last circuit is not the second one: wire {wire} differs")
                one, two = one.next[wire], two.next[wire]
        for one, two in partner.items():
            if one.gate is not two.gate:
                if one.gate.fixed or two.gate.fixed:
                    raise Wrong(f"the last circuit is not the second one: {one.gate.name} is not {two.gate.name}")
                places = tuple(range(one.gate.qubits))
                try:
                    self.accept(prove(((one.gate, places),), ((two.gate, places),)))
                except Wrong as error:
                    raise Wrong(f"the last circuit is not the second one: {error}") from error

    def phase(self, other: Circuit) -> str:
        """Returns phi where the other circuit is e^(i phi) times the first one."""
        if None in self.phases:
            return "not certified"
        total = other.phase - self.circuit.phase
        for phase, count in self.phases.items():
            total -= phase * count
        total += pi(2) * -round(total.terms.get((1, ""), Fraction(0)) / 2)
        if not self.distance or any(symbol for _, symbol in total.terms):
            return str(total)
        return f"{round(math.remainder(total.value(), math.tau), 9) + 0.0:g}"


def replayed(before: Circuit, after: Circuit, journal: pathlib.Path, tolerance: float,
             permutation: list[int] | None = None) -> Replay:
    """Replays a journal. Throws Wrong, with the place, if it does not lead from one circuit to the other by the output
    permutation."""
    replay = Replay(before, Records(read_frames(journal)), tolerance)
    try:
        replay.run()
        replay.compare(after)
        if replay.permutation != (permutation or list(range(before.qubits))):
            raise Wrong(f"the output permutation of the journal is {replay.permutation}, expected {permutation}")
    except Wrong as error:
        raise Wrong(f"{replay.where()}{error}") from error
    return replay


def first_certified(starts: list[tuple[Circuit, list[int]]], after: Circuit, journal: pathlib.Path,
                    tolerance: float) -> Replay:
    """Replays a journal from each start, with its permutation, until it leads to the result. Throws the error of the first start."""
    errors: list[Exception] = []
    for start, permutation in starts:
        try:
            return replayed(start, after, journal, tolerance, permutation)
        except (Wrong, BadInput) as error:
            errors.append(error)
    raise errors[0]


def main(arguments: list[str] | None = None) -> int:
    """Replays the journal named on the command line."""
    parser = argparse.ArgumentParser(description="Certifies by a journal of rewrites that two circuits are equal.")
    parser.add_argument("before", type=pathlib.Path, help="OpenQASM file of the first circuit")
    parser.add_argument("after", type=pathlib.Path, help="OpenQASM file of the second circuit")
    parser.add_argument("journal", type=pathlib.Path, help="journal that quartz-opt --journal wrote")
    parser.add_argument("--initial-state", choices=["any", "zero"], default="any",
                        help="zero: every qubit starts in |0>, as in quartz-opt --initial-state")  # fmt: skip
    parser.add_argument("--final-state", choices=["kept", "discarded"], default="kept",
                        help="discarded: only classical bits count, as in quartz-opt --final-state")  # fmt: skip
    parser.add_argument("--permutation", choices=["keep", "free"], default="keep",
                        help="free: without SWAP gates, as in quartz-opt --permutation")  # fmt: skip
    parser.add_argument("--tolerance", "--epsilon", type=float, default=1e-9, help="largest sum of numeric distances (%(default)s)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        edges = ["start"] * (options.initial_state == "zero") + ["end"] * (options.final_state == "discarded")
        before, after = read_circuit(options.before), read_circuit(options.after)
        starts = [(before, list(range(before.qubits)))]
        if options.permutation == "free":
            order, stated = stated_order(options.before, before.qubits), stated_order(options.after, before.qubits)
            starts = starts_in_any_order(before, [stated[order.index(qubit)] for qubit in range(before.qubits)])
        starts = [(with_edges(each, edges), permutation) for each, permutation in starts]
        after = with_edges(after, edges)
        replay = first_certified(starts, after, options.journal, options.tolerance)
    except Wrong as error:
        print(f"not certified\n{error}")
        return 1
    except (BadInput, ValueError, ArithmeticError, LookupError, RecursionError, MemoryError) as error:
        print(f"replay_journal.py: {error or 'there is not enough memory'}", file=sys.stderr)
        return 2
    count = replay.count
    exact = "all exact" if replay.distance == 0 else "not all exact"
    print(f"certified\nrewrites   {count['rewrites']}, {count['exchanges']} exchanges and {count['swaps']} final SWAP gates, {exact}")
    if count["uses"]:
        print(f"lemmas     {len(replay.lemmas)}, used {count['uses']} times")
    print(f"distance   {replay.distance:.3g}\nphase      {replay.phase(after)}")
    print(f"seconds    {time.perf_counter() - start:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

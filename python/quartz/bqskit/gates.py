"""The gates of BQSKit in OpenQASM, and those of Quartz in BQSKit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bqskit import Circuit as BqskitCircuit
from bqskit.ir import Gate as BqskitGate
from bqskit.ir import gates
from bqskit.ir.operation import Operation as BqskitOperation

from quartz.interchange.exact_numbers import text_of_radians
from quartz.interchange.steps import Call, controlled, inverse, moved
from quartz.interchange.templates import instantiate

#: How gates are written in OpenQASM (quartz.interchange.templates).
_TEMPLATES: dict[type, str] = {
    gates.IdentityGate: "",
    gates.XGate: "x 0",
    gates.YGate: "y 0",
    gates.ZGate: "z 0",
    gates.HGate: "h 0",
    gates.SGate: "s 0",
    gates.SdgGate: "sdg 0",
    gates.TGate: "t 0",
    gates.TdgGate: "tdg 0",
    gates.SXGate: "sx 0",
    gates.SqrtTGate: "p(pi/8) 0",
    gates.RXGate: "rx(p0) 0",
    gates.RYGate: "ry(p0) 0",
    gates.RZGate: "rz(p0) 0",
    gates.U1Gate: "p(p0) 0",
    gates.U2Gate: "u2(p0, p1) 0",
    gates.U3Gate: "u3(p0, p1, p2) 0",
    gates.U1qGate: "r(p0, p1) 0",
    gates.CNOTGate: "cx 0 1",
    gates.CYGate: "cy 0 1",
    gates.CZGate: "cz 0 1",
    gates.CHGate: "ch 0 1",
    gates.CSGate: "cs 0 1",
    gates.CTGate: "cp(pi/4) 0 1",
    gates.SqrtCNOTGate: "csx 0 1",
    gates.CPGate: "cp(p0) 0 1",
    gates.CRXGate: "crx(p0) 0 1",
    gates.CRYGate: "cry(p0) 0 1",
    gates.CRZGate: "crz(p0) 0 1",
    gates.CUGate: "cu(p0, p1, p2, p3) 0 1",
    gates.SwapGate: "swap 0 1",
    gates.ISwapGate: "iswap 0 1",
    gates.SqrtISwapGate: "sqrtiswap 0 1",
    gates.ECRGate: "ecr 0 1",
    gates.XXGate: "rxx(pi/2) 0 1",
    gates.YYGate: "ryy(pi/2) 0 1",
    gates.ZZGate: "rzz(pi/2) 0 1",
    gates.RXXGate: "rxx(p0) 0 1",
    gates.RYYGate: "ryy(p0) 0 1",
    gates.RZZGate: "rzz(p0) 0 1",
    gates.BGate: "rxx(-pi/2) 0 1; ryy(-pi/4) 0 1",
    gates.FSIMGate: "rxx(p0) 0 1; ryy(p0) 0 1; cp(-p1) 0 1",
    gates.SycamoreGate: "rxx(pi/2) 0 1; ryy(pi/2) 0 1; cp(-pi/6) 0 1",
    gates.CCXGate: "ccx 0 1 2",
    gates.CCPGate: "ctrl @ cp(p0) 0 1 2",
    gates.RCCXGate: "rccx 0 1 2",
    gates.RC3XGate: "rc3x 0 1 2 3",
    gates.IToffoliGate: "ccx 0 1 2; cs 0 1",
}

#: The gates of Quartz in BQSKit.
_NATIVE: dict[str, BqskitGate] = {
    "x": gates.XGate(),
    "y": gates.YGate(),
    "z": gates.ZGate(),
    "h": gates.HGate(),
    "s": gates.SGate(),
    "sdg": gates.SdgGate(),
    "t": gates.TGate(),
    "tdg": gates.TdgGate(),
    "sx": gates.SXGate(),
    "rx": gates.RXGate(),
    "ry": gates.RYGate(),
    "rz": gates.RZGate(),
    "p": gates.U1Gate(),
    "u1": gates.U1Gate(),
    "u2": gates.U2Gate(),
    "u3": gates.U3Gate(),
    "u": gates.U3Gate(),
    "r": gates.U1qGate(),
    "cx": gates.CNOTGate(),
    "cy": gates.CYGate(),
    "cz": gates.CZGate(),
    "ch": gates.CHGate(),
    "cs": gates.CSGate(),
    "csx": gates.SqrtCNOTGate(),
    "cp": gates.CPGate(),
    "cu1": gates.CPGate(),
    "crx": gates.CRXGate(),
    "cry": gates.CRYGate(),
    "crz": gates.CRZGate(),
    "cu": gates.CUGate(),
    "swap": gates.SwapGate(),
    "iswap": gates.ISwapGate(),
    "sqrtiswap": gates.SqrtISwapGate(),
    "ecr": gates.ECRGate(),
    "rxx": gates.RXXGate(),
    "ryy": gates.RYYGate(),
    "rzz": gates.RZZGate(),
    "ccx": gates.CCXGate(),
    "rccx": gates.RCCXGate(),
    "rc3x": gates.RC3XGate(),
}


def native_gate(name: str) -> BqskitGate | None:
    """Returns the gate of BQSKit for a gate of Quartz; None if there is none."""
    return _NATIVE.get(name)


def calls_of(gate: BqskitGate, parameters: Sequence[float]) -> tuple[Call, ...] | None:
    """Returns how a gate is written; None for one that is no gate of qubits, or that Quartz does not know."""
    if any(radix != 2 for radix in gate.radixes):
        return None
    if type(gate) in _TEMPLATES:
        return instantiate(_TEMPLATES[type(gate)], [text_of_radians(each) for each in parameters])
    if isinstance(gate, gates.CircuitGate):
        return _calls_of_block(gate, parameters)
    if isinstance(gate, gates.TaggedGate):
        return calls_of(gate.gate, parameters)
    if isinstance(gate, gates.FrozenParameterGate):
        return calls_of(gate.gate, gate.get_full_params(list(parameters)))
    if isinstance(gate, gates.DaggerGate):
        base = calls_of(gate.gate, parameters)
        return None if base is None else inverse(base)
    if isinstance(gate, gates.PowerGate):
        base = calls_of(gate.gate, parameters)
        return None if base is None else (base if gate.power >= 0 else inverse(base)) * abs(gate.power)
    if isinstance(gate, gates.ControlledGate):
        base = calls_of(gate.gate, parameters)
        levels = [list(each) for each in gate.control_levels]
        if base is None or any(len(each) != 1 for each in levels):
            return None
        return controlled(base, [each == [1] for each in levels])
    return None


def _calls_of_block(gate: gates.CircuitGate, parameters: Sequence[float]) -> tuple[Call, ...] | None:
    circuit = BqskitCircuit.from_operation(BqskitOperation(gate, list(range(gate.num_qudits)), list(parameters)))
    circuit.unfold_all()
    calls: list[Call] = []
    for operation in circuit:
        inner = calls_of(operation.gate, operation.params)
        if inner is None:
            return None
        calls += moved(inner, list(operation.location))
    return tuple(calls)


def is_boundary(gate: Any) -> bool:
    """Returns whether a gate is a placeholder for an operation that is no gate."""
    return isinstance(gate, (gates.MeasurementPlaceholder, gates.BarrierPlaceholder, gates.Reset))

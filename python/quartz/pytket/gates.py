"""The gates of pytket in OpenQASM, and those of Quartz in pytket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytket.circuit import OpType, ToffoliBox, ToffoliBoxSynthStrat

from quartz.interchange.steps import Call, controlled, moved
from quartz.interchange.templates import instantiate

#: How gates are written in OpenQASM (quartz.interchange.templates); parameters are in radians.
_TEMPLATES = {
    "noop": "",
    "Phase": "gphase(p0)",
    "X": "x 0",
    "Y": "y 0",
    "Z": "z 0",
    "H": "h 0",
    "S": "s 0",
    "Sdg": "sdg 0",
    "T": "t 0",
    "Tdg": "tdg 0",
    "V": "rx(pi/2) 0",
    "Vdg": "rx(-pi/2) 0",
    "SX": "sx 0",
    "SXdg": "sxdg 0",
    "Rx": "rx(p0) 0",
    "Ry": "ry(p0) 0",
    "Rz": "rz(p0) 0",
    "U1": "p(p0) 0",
    "U2": "u2(p0, p1) 0",
    "U3": "u3(p0, p1, p2) 0",
    "TK1": "u3(p1, p0-pi/2, p2+pi/2) 0; gphase(-p0/2-p2/2)",
    "PhasedX": "r(p0, p1) 0",
    "GPI": "gpi(p0) 0",
    "GPI2": "gpi2(p0) 0",
    "AAMS": "ms(p1, p2, p0) 0 1",
    "CX": "cx 0 1",
    "CY": "cy 0 1",
    "CZ": "cz 0 1",
    "CH": "ch 0 1",
    "CV": "crx(pi/2) 0 1",
    "CVdg": "crx(-pi/2) 0 1",
    "CSX": "csx 0 1",
    "CSXdg": "inv @ csx 0 1",
    "CS": "cs 0 1",
    "CSdg": "csdg 0 1",
    "CRx": "crx(p0) 0 1",
    "CRy": "cry(p0) 0 1",
    "CRz": "crz(p0) 0 1",
    "CU1": "cp(p0) 0 1",
    "CU3": "cu3(p0, p1, p2) 0 1",
    "SWAP": "swap 0 1",
    "ECR": "ecr 0 1",
    "ISWAPMax": "iswap 0 1",
    "ISWAP": "rxx(-p0/2) 0 1; ryy(-p0/2) 0 1",
    "PhasedISWAP": "rz(p0) 0; rz(-p0) 1; rxx(-p1/2) 0 1; ryy(-p1/2) 0 1; rz(-p0) 0; rz(p0) 1",
    "XXPhase": "rxx(p0) 0 1",
    "YYPhase": "ryy(p0) 0 1",
    "ZZPhase": "rzz(p0) 0 1",
    "ZZMax": "rzz(pi/2) 0 1",
    "PhasedXX": "rz(-p1) 0; rz(-p1) 1; rxx(p0) 0 1; rz(p1) 0; rz(p1) 1",
    "TwinPhasedX": "r(p0, p1) 0; r(p0, p1) 1",
    "TK2": "rxx(p0) 0 1; ryy(p1) 0 1; rzz(p2) 0 1",
    "ESWAP": "gphase(-p0/4); rxx(p0/2) 0 1; ryy(p0/2) 0 1; rzz(p0/2) 0 1",
    "FSim": "rxx(p0) 0 1; ryy(p0) 0 1; cp(-p1) 0 1",
    "Sycamore": "rxx(pi/2) 0 1; ryy(pi/2) 0 1; cp(-pi/6) 0 1",
    "CCX": "ccx 0 1 2",
    "CSWAP": "cswap 0 1 2",
    "BRIDGE": "cx 0 2",
    "XXPhase3": "rxx(p0) 0 1; rxx(p0) 1 2; rxx(p0) 0 2",
}
#: Gates with any number of controls.
_CONTROLLED = {"CnX": "x 0", "CnY": "y 0", "CnZ": "z 0", "CnRx": "rx(p0) 0", "CnRy": "ry(p0) 0", "CnRz": "rz(p0) 0"}
#: Boxes whose circuits are computed in floating-point numbers; they are kept.
_NUMERIC_BOXES = frozenset(
    "Unitary1qBox Unitary2qBox Unitary3qBox ExpBox DiagonalBox StatePreparationBox UnitaryTableauBox".split()
)

#: The gates of Quartz in pytket.
_NATIVE = {
    "id": OpType.noop,
    "x": OpType.X,
    "y": OpType.Y,
    "z": OpType.Z,
    "h": OpType.H,
    "s": OpType.S,
    "sdg": OpType.Sdg,
    "t": OpType.T,
    "tdg": OpType.Tdg,
    "sx": OpType.SX,
    "sxdg": OpType.SXdg,
    "rx": OpType.Rx,
    "ry": OpType.Ry,
    "rz": OpType.Rz,
    "p": OpType.U1,
    "u1": OpType.U1,
    "u2": OpType.U2,
    "u3": OpType.U3,
    "u": OpType.U3,
    "r": OpType.PhasedX,
    "gpi": OpType.GPI,
    "gpi2": OpType.GPI2,
    "ms": OpType.AAMS,
    "cx": OpType.CX,
    "cy": OpType.CY,
    "cz": OpType.CZ,
    "ch": OpType.CH,
    "cs": OpType.CS,
    "csdg": OpType.CSdg,
    "csx": OpType.CSX,
    "crx": OpType.CRx,
    "cry": OpType.CRy,
    "crz": OpType.CRz,
    "cp": OpType.CU1,
    "cu1": OpType.CU1,
    "cu3": OpType.CU3,
    "swap": OpType.SWAP,
    "ecr": OpType.ECR,
    "iswap": OpType.ISWAPMax,
    "sqrtiswap": OpType.ISWAP,
    "sqrtiswapdg": OpType.ISWAP,
    "iswapdg": OpType.ISWAP,
    "rxx": OpType.XXPhase,
    "ryy": OpType.YYPhase,
    "rzz": OpType.ZZPhase,
    "ccx": OpType.CCX,
    "ccz": OpType.CnZ,
    "c3x": OpType.CnX,
    "c4x": OpType.CnX,
    "cswap": OpType.CSWAP,
}
#: The parameters of gates that have none in Quartz, in half turns.
_FIXED_PARAMETERS = {"sqrtiswap": [0.5], "sqrtiswapdg": [-0.5], "iswapdg": [-1.0]}


def calls_of(op: Any, num_qubits: int, text_of: Callable[[Any], str]) -> tuple[Call, ...] | None:
    """Returns how an operation on qubits is written; None for one that is no gate that Quartz knows. ``text_of``
    returns a parameter in half turns as an expression in radians."""
    name = op.type.name
    if name in _TEMPLATES:
        return instantiate(_TEMPLATES[name], [text_of(each) for each in op.params])
    if name in _CONTROLLED:
        calls = instantiate(_CONTROLLED[name], [text_of(each) for each in op.params])
        return controlled(calls, [True] * (num_qubits - 1))
    if name == "NPhasedX":
        (one,) = instantiate(_TEMPLATES["PhasedX"], [text_of(each) for each in op.params])
        return tuple(Call(one.gate, (place,)) for place in range(num_qubits))
    if name == "PhaseGadget" and num_qubits == 0:
        return instantiate("gphase(-p0/2)", [text_of(op.params[0])])
    if name == "PhaseGadget":
        parities = [Call("cx", (place, place + 1)) for place in range(num_qubits - 1)]
        (rotation,) = instantiate(_TEMPLATES["Rz"], [text_of(op.params[0])])
        return (*parities, Call(rotation.gate, (num_qubits - 1,)), *reversed(parities))
    if isinstance(op, ToffoliBox):  # the other strategy computes phases in floating-point numbers
        permutation: Any = op.get_permutation()
        return _calls_of_circuit(ToffoliBox(permutation, ToffoliBoxSynthStrat.Cycle).get_circuit(), text_of)
    if name in _NUMERIC_BOXES or not hasattr(op, "get_circuit"):
        return None
    return _calls_of_circuit(op.get_circuit(), text_of)


def _calls_of_circuit(circuit: Any, text_of: Callable[[Any], str]) -> tuple[Call, ...] | None:
    """Returns a circuit of gates as calls; None if it has other operations."""
    explicit = circuit.copy()
    explicit.replace_implicit_wire_swaps()
    places = {qubit: place for place, qubit in enumerate(explicit.qubits)}
    calls = list(instantiate(_TEMPLATES["Phase"], [text_of(explicit.phase)]))
    for command in explicit.get_commands():
        inner = (
            None
            if command.bits or len(command.args) > len(command.qubits)
            else calls_of(command.op, len(command.qubits), text_of)
        )
        if inner is None:
            return None
        calls += moved(inner, [places[qubit] for qubit in command.qubits])
    return tuple(calls)


def is_native(name: str) -> bool:
    """Returns whether pytket has a gate of Quartz."""
    return name in _NATIVE


def native_gate(name: str, parameters: Sequence[Any]) -> tuple[OpType, list[Any]]:
    """Returns the gate of pytket, and its parameters, for a native gate of Quartz with parameters in half turns."""
    values = list(parameters)
    if name == "ms":
        values = [values[2], values[0], values[1]]
    return _NATIVE[name], _FIXED_PARAMETERS.get(name, values)

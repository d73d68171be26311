"""What a Target of Qiskit says: gates with their angles, pairs of qubits with their directions, error rates."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from qiskit.circuit import Gate, Parameter
from qiskit.transpiler import Target

from quartz._core import Cost, CouplingMap, GateSet, RuleSet
from quartz.errors import UsageError
from quartz.interchange.gate_set import BUNDLED_BY_GATES, CLIFFORD_T, parse_gate_set
from quartz.qiskit.conversion import Placed
from quartz.qiskit.gates import GateForm, foreign_form, standard_form, standard_gate
from quartz.qiskit.setting_values import TargetCost, parts_of_cost

#: The gates on two qubits that are the same for both orders of their qubits.
_SYMMETRIC = frozenset("cz cs csdg cp cu1 swap iswap iswapdg sqrtiswap sqrtiswapdg rxx ryy rzz".split())

#: The most costs of a list.
_MOST_PARTS = 4


@dataclasses.dataclass(frozen=True)
class NativeGate:
    """A gate of a target, under its name there and in the form of Quartz."""

    target_name: str
    form: GateForm
    #: The operation in the target, from which others are made.
    operation: Gate
    #: The error rates by qubits, None where the target states none; None if the gate acts on any qubits.
    errors: Mapping[tuple[int, ...], float | None] | None

    @property
    def fixed_angles(self) -> tuple[float, ...] | None:
        """The angles, in radians, if they are fixed."""
        parameters = self.operation.params
        if not parameters or any(isinstance(each, Parameter) for each in parameters):
            return None
        return tuple(float(each) * self.form.unit for each in parameters)

    def make(self, parameters: Sequence[Any]) -> Gate:
        """Returns the gate with these parameters, in radians."""
        if self.fixed_angles is not None:
            return self.operation.copy()
        if self.form.unit == 1:
            standard = standard_gate(self.form.name, parameters)
            if standard is not None and standard.name == self.operation.name:
                return standard
        made: Gate = self.operation.base_class(*(each / self.form.unit for each in parameters))
        return made


def native_gates(target: Target) -> list[NativeGate]:
    """Returns the gates of a target that Quartz knows, except for identities, gates on certain triples of qubits, and
    gates with several parameters that have limits."""
    gates = []
    for name in target.operation_names:
        operation = target.operation_from_name(name)
        if not isinstance(operation, Gate) or operation.num_qubits == 0:
            continue
        form = standard_form(operation) or foreign_form(operation)
        if form is None or form.name == "id":
            continue
        properties = target[name]
        errors = None
        if properties is not None and None not in properties:
            errors = {qubits: _error_of(each) for qubits, each in properties.items()}
        is_known = operation.num_qubits <= 2 or errors is None
        if is_known and (len(operation.params) <= 1 or not _has_bounds(target, name)):
            gates.append(NativeGate(name, form, operation, errors))
    return gates


def _error_of(properties: Any) -> float | None:
    error = getattr(properties, "error", None)
    return None if error is None or not math.isfinite(error) else min(max(float(error), 0.0), 1.0)


class NativeTarget:
    """A target in the terms of Quartz."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._gates: dict[str, list[NativeGate]] = {}
        self._forms: dict[object, GateForm | None] = {}
        for gate in native_gates(target):
            self._gates.setdefault(gate.form.name, []).append(gate)
        if not self._gates:
            raise UsageError("the target has no gate that Quartz knows")
        self.gate_set = gate_set_of(target, self._gates)
        #: None for the rules that come with a bundled gate set.
        self.rules: RuleSet | None = None
        if RuleSet.bundled(self.gate_set) is None:
            self.rules = RuleSet.empty(self.gate_set)  # generating rules would take longer than a search

    def form_of(self, operation: Any) -> GateForm | None:
        """Returns the form of a gate of the target; None for all other operations."""
        standard = standard_form(operation)
        if standard is not None and standard.name in self._gates:
            return standard
        key = (type(operation), operation.name, getattr(operation, "ctrl_state", None))
        if key not in self._forms:
            form = standard or foreign_form(operation)
            self._forms[key] = form if form is not None and form.name in self._gates else None
        return self._forms[key]

    def make_gate(self, name: str, parameters: Sequence[Any]) -> Gate | None:
        """Returns the gate of the target for a gate of Quartz with parameters in radians."""
        natives = self._gates.get(name, [])
        for native in natives:
            fixed = native.fixed_angles
            if fixed is None or all(_is_same_angle(*pair) for pair in zip(fixed, parameters)):
                return native.make(parameters)
        return None

    def in_best_order(self, placed: Placed, numbers: Mapping[Any, int]) -> Placed:
        """Returns an operation with its two qubits in the order that the target supports with the lower error rate, if
        the gate is the same for both orders."""
        operation, qubits, clbits = placed
        form = self.form_of(operation)
        if form is None or form.name not in _SYMMETRIC:
            return placed
        native = next(each for each in self._gates[form.name] if each.target_name == operation.name)
        exchanged = (operation, [qubits[1], qubits[0]], clbits)
        places = (numbers[qubits[0]], numbers[qubits[1]])
        if native.errors is None or places[::-1] not in native.errors:
            return placed
        if places not in native.errors or _is_less(native.errors[places[::-1]], native.errors[places]):
            return exchanged
        return placed

    def supports(self, placed: Placed, numbers: Mapping[Any, int]) -> bool:
        """Returns whether the target supports a gate on its qubits. Operations that are not gates are not looked at."""
        operation, qubits, _ = placed
        if self.form_of(operation) is None:
            return True
        places = tuple(numbers[qubit] for qubit in qubits)
        return bool(
            self._target.instruction_supported(operation.name, places, parameters=list(operation.params))
            and _keeps_bounds(self._target, operation)
        )

    def coupling(self, places: Sequence[int]) -> CouplingMap | None:
        """Returns the pairs among these qubits of the target, with their indices in the list; None for all pairs."""
        gates = [gate for each in self._gates.values() for gate in each if gate.operation.num_qubits == 2]
        if not gates or any(gate.errors is None for gate in gates):
            return None
        indices = {place: index for index, place in enumerate(places)}
        pairs = {
            (indices[pair[0]], indices[pair[1]])
            for gate in gates
            for pair in gate.errors or ()
            if pair[0] in indices and pair[1] in indices
        }
        directed = any(
            (second, first) not in pairs and (second, first) != (first, second) for first, second in pairs
        ) and any(gate.form.name not in _SYMMETRIC for gate in gates)
        both = pairs if directed else pairs | {(second, first) for first, second in pairs}
        if len(both) == len(places) * (len(places) - 1):
            return None
        return CouplingMap(sorted(pairs), directed=directed)

    def cost(self, given: TargetCost | None, places: Sequence[int]) -> Cost:
        """Returns a cost, in which the name ``errors`` is that of the error rates of these qubits."""
        errors = self._errors(places)
        if given is None:
            first = "t,two-qubit" if self._is_clifford_t() else "two-qubit"
            given = f"{first},errors,total" if errors else f"{first},total"
        parts = []
        for part in parts_of_cost(given):
            if part != "errors":
                parts.append(part if isinstance(part, Cost) else Cost.load(part, self.gate_set))
            elif errors is None:
                raise UsageError("the target states no error rates")
            else:
                parts.append(errors)
        unsupported = self._unsupported(places)
        if unsupported is not None and len(parts) == _MOST_PARTS and parts[-1].name == "total":
            parts.pop()  # the number of gates decides between equal costs in any case
        if unsupported is not None and len(parts) < _MOST_PARTS:
            parts.insert(0, unsupported)
        return Cost.join(parts)

    def _is_clifford_t(self) -> bool:
        return "t" in self._gates and set(self._gates) <= CLIFFORD_T

    def _unsupported(self, places: Sequence[int]) -> Cost | None:
        """Returns the number of gates on qubits on which the target does not have them, as a cost; None if each of its
        gates works wherever another one does. A search that begins without such gates then ends without them."""
        indices = {place: index for index, place in enumerate(places)}
        known = [gate for natives in self._gates.values() for gate in natives if gate.errors is not None]
        everywhere = {tuple(sorted(qubits)) for gate in known for qubits in gate.errors or () if indices.keys() >= set(qubits)}
        rows: list[dict[str, object]] = []
        for name, natives in self._gates.items():
            if any(native.errors is None for native in natives):
                continue
            own = {tuple(sorted(qubits)) for native in natives for qubits in native.errors or ()}
            for qubits in sorted(everywhere - own):
                if len(qubits) == natives[0].operation.num_qubits:
                    orders = [qubits] if name in _SYMMETRIC or len(qubits) == 1 else [qubits, qubits[::-1]]
                    rows += [{"gate": name, "qubits": [indices[each] for each in order], "weight": 1} for order in orders]
        if not rows:
            return None
        text = {"format": "quartz-cost", "version": 1, "name": "unsupported", "gates": rows, "default": 0}
        return Cost.parse(json.dumps(text), name="the gates that the target lacks on some qubits")

    def _errors(self, places: Sequence[int]) -> Cost | None:
        """Returns the cost of the error rates; None if no gate on two qubits has one that is not zero."""
        rows: list[dict[str, object]] = []
        stated = False
        for name, natives in self._gates.items():
            rates = _rates(natives, {place: index for index, place in enumerate(places)})
            known = [rate for rate in rates.values() if rate is not None]
            greatest = max(known, default=0.0)
            stated = stated or (greatest > 0 and natives[0].operation.num_qubits > 1)
            rows.append({"gate": name, "error_rate": greatest})
            if len(set(known)) > 1:
                rows += [
                    {"gate": name, "qubits": list(qubits), "error_rate": greatest if rate is None else rate}
                    for qubits, rate in rates.items()
                ]
        text = {"format": "quartz-cost", "version": 1, "name": "errors", "errors": True, "gates": rows}
        return Cost.parse(json.dumps(text), name="the error rates of the target") if stated else None


def _rates(natives: Iterable[NativeGate], indices: Mapping[int, int]) -> dict[tuple[int, ...], float | None]:
    """Returns the error rate of a gate on each choice of the qubits: the greatest one of those with fixed angles. A
    gate that is the same for both orders of its qubits is used in the better one."""
    rates: dict[tuple[int, ...], float | None] = {}
    for native in natives:
        own: dict[tuple[int, ...], float | None] = {}
        for qubits, rate in (native.errors or {}).items():
            if all(qubit in indices for qubit in qubits):
                key = tuple(indices[qubit] for qubit in qubits)
                key = tuple(sorted(key)) if native.form.name in _SYMMETRIC else key
                if key not in own or _is_less(rate, own[key]):
                    own[key] = rate
        for key, rate in own.items():
            if key not in rates or _is_less(rates[key], rate):
                rates[key] = rate
    return rates


def _is_less(rate: float | None, other: float | None) -> bool:
    """Returns whether an error rate is less than another one, where None is an unknown rate and the greatest one."""
    return rate is not None and (other is None or rate < other)


def _is_same_angle(fixed: float, value: Any) -> bool:
    """Returns whether two angles differ by whole turns."""
    return isinstance(value, float) and abs(math.remainder(fixed - value, 2 * math.pi)) < 1e-9


# --- gate sets -----------------------------------------------------------------------------------

#: The limits of angles in the bundled gate sets, in multiples of pi/48.
_BUNDLED_LIMITS = {"ibm_heron_fractional": {"rzz": (0, 24)}}
#: The names of the only parameters of gates, where they are not "theta".
_PARAMETER_NAMES = {"p": "lambda", "u1": "lambda", "cp": "lambda", "cu1": "lambda", "gpi": "phi", "gpi2": "phi"}

#: The least and the greatest angle of a gate, in multiples of pi/48.
Limits = tuple[int, int]


def gate_set_of(target: Target, gates: Mapping[str, Sequence[NativeGate]]) -> GateSet:
    """Returns the bundled gate set with the gates of a target, or else one that is made from them."""
    limits = {name: found for name, natives in gates.items() if (found := limits_of(target, natives[0])) is not None}
    fixed = {name for name, natives in gates.items() if all(each.fixed_angles is not None for each in natives)}
    bundled = BUNDLED_BY_GATES.get(frozenset(gates))
    if bundled is not None and not fixed and limits == _BUNDLED_LIMITS.get(bundled, {}):
        return GateSet.load(bundled)
    entries: list[dict[str, object]] = []
    for name, natives in gates.items():
        entry: dict[str, object] = {"gate": name}
        if name in fixed:
            entry["angles"] = [[_angle_text(angle) for angle in native.fixed_angles or ()] for native in natives]
        elif name in limits:
            least, greatest = (_angle_text(limit * math.pi / 48) for limit in limits[name])
            entry["ranges"] = {_PARAMETER_NAMES.get(name, "theta"): [least, greatest]}
        entries.append(entry)
    return parse_gate_set(entries, "the gates of the target")


def limits_of(target: Target, native: NativeGate) -> Limits | None:
    """Returns the limits of the angle of a gate with one parameter; None if there are none.

    A target only says whether an angle is permitted. The limits are therefore the outermost multiples of pi/48 that
    are: angles beyond them are written in another way, although the target may permit them.
    """
    name = native.target_name
    if not _has_bounds(target, name) or native.fixed_angles is not None:
        return None
    unit = math.pi / 48 / native.form.unit
    permitted = [step for step in range(-48, 49) if target.supported_angle_bound(name, [step * unit])]
    if permitted == list(range(-48, 49)):
        return None
    return min(permitted, default=0), max(permitted, default=0)


def _has_bounds(target: Target, name: str) -> bool:
    """Returns whether a target limits the angles of a gate. Qiskit has such limits since version 2.2."""
    return hasattr(target, "gate_has_angle_bounds") and bool(target.gate_has_angle_bounds(name))


def _keeps_bounds(target: Target, operation: Gate) -> bool:
    if not _has_bounds(target, operation.name):
        return True
    constants = [each for each in operation.params if isinstance(each, (int, float))]
    return len(constants) == len(operation.params) and bool(target.supported_angle_bound(operation.name, constants))


def _angle_text(radians: float) -> str:
    """Returns an angle as a multiple of pi if it is one, and otherwise as a decimal number."""
    multiple = radians / math.pi * 48
    if abs(multiple - round(multiple)) < 1e-12:
        divisor = math.gcd(round(multiple), 48)
        return f"{round(multiple) // divisor}*pi/{48 // divisor}"
    return repr(radians)

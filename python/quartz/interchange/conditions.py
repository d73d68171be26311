"""Conditions of Quartz on classical bits."""

from __future__ import annotations

from quartz._core import Circuit, Condition
from quartz.errors import UsageError


def bit_values(condition: Condition, circuit: Circuit) -> dict[int, bool]:
    """Returns the numbers of the bits that a condition of a circuit tests, with the values that they must have. Raises
    UsageError for a condition of another form."""
    if condition.register is None:
        raise UsageError(f"the condition {condition.expression} is not a comparison with a number")
    first = 0
    for name, size in circuit.bit_registers.items():
        if name == condition.register:
            break
        first += size
    if condition.element is not None:
        return {first + condition.element: (condition.value != 0) != condition.negated}
    if condition.negated and size > 1:
        raise UsageError(f"a condition excludes one value of the register {condition.register} of several bits")
    return {first + place: bool(condition.value >> place & 1) != condition.negated for place in range(size)}

#pragma once

#include <cstddef>
#include <span>

#include "certify/pauli/gate_parts.hpp"
#include "certify/pauli/moved_rotations.hpp"
#include "certify/problem/comparison.hpp"

namespace quartz::certify {

/// Compares the same circuits as compare_moved_rotations, of which gates on one qubit were moved
/// along their wires and past others.
///
/// Both circuits are followed at the same time. At any place, the gates before it of the circuit
/// before are equal to those of the circuit after, followed by an operator on each wire: a Clifford
/// operator of one qubit with its exact phase, and rotations about X, Y or Z behind it, which a
/// removed gate begins and an inserted one ends. A gate that is removed is multiplied from the
/// left, the inverse of one that is inserted from the right. A gate on several qubits that stays
/// must turn these operators into others of this kind: Z and quarter turns about it pass the
/// control of a CNOT, and X of the control becomes X of both wires. The circuits are equal if all
/// operators are multiples of the identity at the end.
///
/// The time is linear in the number of gates, tens of nanoseconds for each, whatever the number of
/// wires. The phase is exact. Never finds a difference.
[[nodiscard]] Comparison compare_carried_cliffords(GateParts& parts, std::size_t wires,
                                                   std::span<const MovableGate> gates,
                                                   const Budget& budget);

}  // namespace quartz::certify

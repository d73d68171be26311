#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "certify/pauli/gate_parts.hpp"
#include "certify/pauli/moved_rotations.hpp"

namespace quartz::certify {

/// Returns for each gate whether it matters to the comparison of two circuits: that of the gates
/// that stay or are removed, and that of those that stay or are inserted. The circuits are equal
/// up to a global phase if they are so without the gates that do not matter, and then the phase is
/// the same.
///
/// Let A and B be the operators of both circuits up to some place. A gate that stays turns the
/// difference B A^-1 into its conjugate, so that a gate that commutes with the difference can be
/// left out of both circuits. The difference is a sum of products of Pauli operators; for each wire
/// there is a bit for X and one for Z in any of them (Heisenberg's picture). Changed gates add
/// their own operators, and a gate commutes if all of its parts commute with X and Z where they may
/// occur. The same is done from the end. What is left is often on a few wires of many.
///
/// The time is linear in the number of gates.
[[nodiscard]] std::vector<bool> difference_cone(GateParts& parts, std::size_t wires,
                                                std::span<const MovableGate> gates);

}  // namespace quartz::certify

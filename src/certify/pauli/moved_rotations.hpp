#pragma once

#include <cstdint>
#include <span>

#include "certify/pauli/gate_parts.hpp"
#include "certify/pauli/pauli_rotations.hpp"
#include "certify/problem/comparison.hpp"

namespace quartz::certify {

/// A gate of a circuit in which rotations are moved.
struct MovableGate {
  enum class Role : std::uint8_t {
    stays,     ///< in both circuits
    removed,   ///< only in the circuit before
    inserted,  ///< only in the circuit after
  };
  PlacedGate gate;
  Role role = Role::stays;
};

/// Compares the circuit of the gates that stay or are removed with the circuit of those that stay
/// or are inserted.
///
/// Each rotation that is removed or inserted is pulled back through the Clifford gates that stay.
/// Rotations about the same operator form a group. The circuits are equal if in each group the
/// angles of the removed rotations add up to those of the inserted ones, and if all rotations
/// between the first and the last place of the group commute with it: then the groups can be
/// changed one after the other, each by moving its rotations together. The operators of the groups
/// between their first and last places are pushed forward, and stored by columns, one bit for each
/// group, so that a gate takes a few operations on 64 groups at a time.
///
/// The time is linear in the number of gates for a given number of wires and of groups that are
/// moved at the same time. The phase is exact. Never finds a difference.
[[nodiscard]] Comparison compare_moved_rotations(GateParts& parts, std::size_t wires,
                                                 std::span<const MovableGate> gates,
                                                 const Budget& budget);

}  // namespace quartz::certify

#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

namespace quartz::certify {

/// Left and the inverse of right, one after the other, as a Clifford operator and rotations about
/// Pauli operators before it (Litinski, arXiv 1808.02892): each gate is Hadamards, maps of the
/// basis states that are affine, and e^{-i angle/2 Z...Z}; a rotation is pulled back through the
/// Clifford gates before it to the start. There it merges with the last one about the same
/// operator, if it commutes with all in between, and what is a multiple of pi/2 goes to the
/// Clifford operator. If nothing is left but a Clifford operator that maps every Pauli operator to
/// itself, the circuits are equal up to a global phase.
///
/// That undoes what phase folding does, at a price of some hundred nanoseconds a gate, whatever the
/// number of qubits. It finds no difference, and does not tell the phase.
[[nodiscard]] Comparison compare_pauli_rotations(const Problem& problem, const Budget& budget);

}  // namespace quartz::certify

#pragma once

#include <cstddef>
#include <cstdint>

#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// Longer sequences are left unchanged.
inline constexpr std::size_t kMaxRotationsToMerge = 64;

/// What merge_controlled_paulis() has done.
struct MergedPaulis {
  std::size_t pairs = 0;
  /// Number of rotations that the search for the pairs has looked at, on which its time depends.
  std::uint64_t steps = 0;
};

/// Merges Pauli operators under the same two controls: removes four rotations by odd multiples of
/// pi/4 for each pair.
///
/// Four such rotations about P, P S, P T and P S T, with commuting operators, are -iP under two
/// controls, where S = 1 and T = 1, up to Clifford rotations, which move to the end of the
/// sequence. With P = Z and Z on two other qubits for S and T, this is the gate of Selinger (arXiv
/// 1210.0974) with four T gates. The operators -iP and -iQ of two such groups with the same S and
/// T, where P and Q anticommute, have the product -PQ = -iR, a third operator under the same
/// controls, whose four rotations replace the eight. Rotations about the same operator, which are
/// left to phase folding, are the case P = Q.
MergedPaulis merge_controlled_paulis(RotationSequence& sequence);

}  // namespace quartz::optimizer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/annealing/annealing_labels.hpp"
#include "base/random.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz {

/// A rotation to insert.
struct RotationInsertion {
  GateIndex before = kNoGate;  ///< the gate before it on its wire; kNoGate: the start of the wire
  PlainGate gate;              ///< marked as the gate before it is
};

/// A proposal to move rotations: all of the removals and insertions together keep the unitary.
struct RotationExchange {
  std::vector<GateIndex> removed;
  std::vector<RotationInsertion> inserted;
  /// The circuit before equals e^{i pi phase / 8} times the circuit after.
  int phase = 0;
};

/// Merges Z rotations about equal parities, and moves a random part of the others, each to a random
/// place that carries its parity or the complement. No more gates are inserted than removed.
///
/// In the sum over paths (Amy, Maslov, Mosca, arXiv 1303.2042) the value of a wire between two
/// gates is a parity of the inputs and of the variables that the gates introduce that are no
/// permutations of basis states. A rotation there adds a phase that depends on that parity only,
/// so it may be at any place with the same parity.
[[nodiscard]] RotationExchange propose_rotations(const WireLists& circuit,
                                                 const AnnealingLabels& labels, double moved_share,
                                                 FastRandom& random);

}  // namespace quartz

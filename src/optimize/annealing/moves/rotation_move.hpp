#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/path_levels.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// A rotation to insert.
struct RotationInsertion {
  rewrite::GateIndex before =
      rewrite::kNoGate;     ///< preceding gate on its wire; kNoGate: the start of the wire
  rewrite::PlainGate gate;  ///< marked if the preceding gate is marked
};

/// Proposal to move rotations: all removals and insertions together preserve the unitary.
struct RotationExchange {
  std::vector<rewrite::GateIndex> removed;
  std::vector<RotationInsertion> inserted;
  /// The circuit before equals e^{i pi phase / 8} times the circuit after.
  int phase = 0;
};

/// Merges Z rotations on equal parities, and moves a random part of the others, each to a random
/// place that carries its parity or the complement. Inserts at most as many gates as it removes.
///
/// In the sum over paths (Amy, Maslov, Mosca, arXiv 1303.2042) the value of a wire between two
/// gates is a parity of the inputs and of the variables introduced by gates that do not permute
/// basis states. A rotation at that place adds a phase that depends only on the parity, so it may
/// be moved to any place with the same parity.
///
/// With levels, a rotation is moved to the one of a few random places that is on the shortest
/// chains, provided that these are not longer than those that it leaves.
[[nodiscard]] RotationExchange propose_rotations(const rewrite::WireLists& circuit,
                                                 const AnnealingLabels& labels, double moved_share,
                                                 FastRandom& random,
                                                 const PathLevels* levels = nullptr);

}  // namespace quartz::optimizer

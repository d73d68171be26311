#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/random.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz {

struct PlacedRotations {
  std::vector<PlainGate> gates;
  /// The gates as they were equal e^{i pi phase / 8} times the gates as they are now.
  int phase = 0;
};

/// Merges Z rotations about equal parities, and moves each to a random other place that carries its
/// parity or the complement.
///
/// In the sum over paths (Amy, Maslov, Mosca, arXiv 1303.2042) the value of a wire between two
/// gates is a parity of the inputs and of the variables that the gates introduce that are no
/// permutations of basis states. A rotation there adds a phase that depends on that parity alone,
/// so it may as well stand wherever the same parity is.
[[nodiscard]] PlacedRotations place_rotations(std::span<const PlainGate> gates, std::uint32_t wires,
                                              const AnnealingLabels& labels, double moved,
                                              FastRandom& random);

}  // namespace quartz

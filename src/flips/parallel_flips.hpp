#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "flips/backend/flip_walks.hpp"

namespace quartz::flips {

/// What a walk of many chains found.
struct ParallelFlips {
  std::vector<WordProduct> products;
  std::uint64_t flips = 0;  ///< the sum over all chains
  std::uint32_t chains = 0;
};

/// Returns products with the same sum of trivectors, never more, by many chains of flips on a
/// device. From time to time, chains that are behind go on from the best sets of others (the
/// population of Arai, Ichikawa, Hukushima, "Adaptive flip graph algorithm for matrix
/// multiplication"). The walk ends at the sufficient number, with the budget, or when it has not
/// found fewer products for long. A budget in ticks gives the same products on every backend.
/// `most_chains`: 0 for as many as suit the device. Forms must be independent, and products at most
/// kMaxChainProducts.
[[nodiscard]] ParallelFlips flipped_in_parallel(const FlipBackend& backend,
                                                const FlipWalkStart& start, std::size_t sufficient,
                                                const Budget& budget,
                                                std::uint32_t most_chains = 0);

}  // namespace quartz::flips

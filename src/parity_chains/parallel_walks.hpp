#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/budget.hpp"
#include "parity_chains/backend/parity_walks.hpp"

namespace quartz::parity_chains {

/// What walks of many chains found.
struct ParallelWalks {
  Points points;
  std::uint64_t candidates = 0;  ///< the sum over all chains
  std::uint32_t chains = 0;
};

/// What a walk may ask for while the device works.
struct WalkCallbacks {
  /// Draws a table from which a chain starts once more; empty if there is none.
  std::function<std::optional<Points>()> draw = {};
  /// Returns whether the walk should end; only asked if the budget does not count ticks.
  std::function<bool()> is_over = {};
};

/// Returns a table with the cubic form of those of the start, of as few points as many chains found
/// on a device. From time to time, chains that are behind go on from the tables of others, or from
/// tables that are drawn. A budget in ticks gives the same table on every backend. `most_chains`: 0
/// for as many as suit the device. The start must fit (fits_chains).
[[nodiscard]] ParallelWalks walked_in_parallel(const ParityBackend& backend,
                                               const ParityWalkStart& start,
                                               const WalkCallbacks& callbacks, const Budget& budget,
                                               std::uint32_t most_chains = 0);

}  // namespace quartz::parity_chains

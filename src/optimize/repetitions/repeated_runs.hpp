#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quartz::optimizer {

/// A part of a list that repeats itself: each item equals the one a period before, if that is in
/// the part.
struct RepeatedRun {
  std::size_t first = 0;
  std::size_t size = 0;    ///< at least three periods
  std::size_t period = 0;  ///< number of items

  bool operator==(const RepeatedRun&) const = default;
};

/// Returns runs that do not overlap, in order. Periods that save most are taken first, where a run
/// saves all of its items but those of one period. Finds periods by rolling hashes of windows (Karp
/// and Rabin, Efficient randomized pattern-matching algorithms, 1987), so the time is linear in the
/// number of items. A run in fewer items than two windows have, or with a period of more than a
/// million items, may be missed.
[[nodiscard]] std::vector<RepeatedRun> find_repeated_runs(std::span<const std::uint32_t> items);

}  // namespace quartz::optimizer

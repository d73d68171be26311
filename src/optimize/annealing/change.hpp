#pragma once

#include <cstddef>
#include <cstdint>

#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// Sums over the gates of a circuit under annealing.
struct Totals {
  std::uint64_t value = 0;       ///< scalar cost, which the search minimizes
  std::uint64_t table_cost = 0;  ///< cost in the class table, which the Metropolis rule uses
  /// Global phase in units of pi/8: the first circuit equals e^{i pi phase / 8} times this one.
  int phase = 0;
};

/// An entry in the log of a circuit's changes.
struct Change {
  RewriteKind kind{};
  /// Whether the next entry is part of the same rewrite: only both together preserve the unitary.
  bool is_continued = false;
  std::size_t first_removed = 0;
  std::size_t first_inserted = 0;
  std::size_t first_gap = 0;
  Totals before;
};

}  // namespace quartz::optimizer

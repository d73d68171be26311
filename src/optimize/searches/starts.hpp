#pragma once

#include <vector>

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// A circuit with which a search may begin, equal to the given one.
struct Start {
  SearchPointer make;  ///< makes the start of the given circuit; no start if it has no result
  double share;        ///< fraction of the budget for making it
  /// The start is tried if its first objective that differs is at most this many times that of the
  /// cheapest start.
  double max_ratio;
};

/// Returns a search that makes all starts, tries those that are cheap enough in rounds of trials,
/// in which the better half remains, and continues with the result of the best one. The first start
/// always has a result. Tries nothing if only one start is cheap enough.
[[nodiscard]] SearchPointer make_choice_of_starts(std::vector<Start> starts, SearchPointer trial);

}  // namespace quartz::optimizer

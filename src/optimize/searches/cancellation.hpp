#pragma once

#include "optimize/cancellation/cancellation.hpp"
#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that merges gates far apart with equal operators
/// (cancellation/cancellation.hpp), in the segments as they are divided. The seed of the scope is
/// that of the problem.
[[nodiscard]] SearchPointer make_cancellation(const Problem& problem,
                                              const CancellationScope& scope);

/// Returns a search that removes pairs of inverse gates with nothing between them
/// (cancellation/adjacent_inverses.hpp), so that what follows does not depend on them.
[[nodiscard]] SearchPointer make_adjacent_cancellation();

/// Returns a search that runs annealing in several parts of the budget, with a cancellation after
/// each, as long as it finds anything: annealing brings about pairs that were not there before, and
/// continues without them. If nothing is found, that costs up to a few hundredths of the budget.
[[nodiscard]] SearchPointer make_annealing_with_cancellation(const Problem& problem,
                                                             SearchPointer annealing);

}  // namespace quartz::optimizer

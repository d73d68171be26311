#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a cost without its critical paths, or the number of gates if nothing is left.
[[nodiscard]] Cost sums_of(const Cost& cost);

/// Makes a search for a problem, such as make_auto_search.
using MakeSearch = SearchPointer (*)(const Problem& problem);

/// Returns a search that minimizes another cost than that of the problem, and continues with the
/// result whatever it costs.
[[nodiscard]] SearchPointer make_search_for_cost(const Problem& problem, Cost cost,
                                                 MakeSearch make);

/// Returns a search for a cost with a critical path that minimizes the sums of the cost alone, or
/// the number of gates if it has none, and continues with the result whatever its critical path is.
/// Fewer gates are the greater part of shorter chains, and searches for sums may pass through
/// circuits with longer ones. Applies to no other cost.
[[nodiscard]] SearchPointer make_search_for_sums(const Problem& problem, MakeSearch make);

/// Makes a search that knows only sums over the gates. If the cost begins with a sum, and critical
/// paths break ties, the search minimizes the sums alone; for other costs it is made as it is.
[[nodiscard]] SearchPointer make_for_leading_sums(const Problem& problem, MakeSearch make);

}  // namespace quartz::optimizer

#pragma once

#include "optimize/search/search.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// Makes a search for a problem.
using MakeSearch = SearchPointer (*)(const Problem& problem);

// Each make_<name>_search is defined in a file of optimize/searches.
#define QUARTZ_SEARCH(name, description) SearchPointer make_##name##_search(const Problem& problem);
#include "optimize/search/searches.inc"
#undef QUARTZ_SEARCH

/// Makes the search that options name, or the sequence of several, in which each search that takes
/// time gets an equal part of the budget. Without a budget, leaves out searches whose work is not
/// bounded, and makes the search "fold" if there is no other. Throws UsageError for an unknown
/// name, listing the known ones, and, unless OptimizeOptions::continues is set, for a search that
/// does not apply to the problem.
[[nodiscard]] SearchPointer make_search(const OptimizeOptions& options, bool has_budget,
                                        const Problem& problem);

}  // namespace quartz::optimizer

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Makes a search for a problem.
using MakeSearch = SearchPointer (*)(const Problem& problem);

// Each make_<name>_search is defined in a file of optimize/searches.
#define QUARTZ_SEARCH(name, description) SearchPointer make_##name##_search(const Problem& problem);
#include "optimize/search/searches.inc"
#undef QUARTZ_SEARCH

/// Makes the search with a name, or the sequence of the searches with several comma-separated
/// names, in which each search that takes time gets an equal part of the budget. Throws UsageError
/// for an unknown name, listing the known ones.
[[nodiscard]] SearchPointer make_search(std::string_view names, const Problem& problem);

}  // namespace quartz::optimizer

#pragma once

#include "base/budget.hpp"
#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {

/// Returns the budget with an earlier deadline if copying the circuit takes so long that returning
/// the result after the deadline would exceed the time limit noticeably.
[[nodiscard]] Budget with_time_to_return(const Budget& budget, const SearchState& state);

}  // namespace quartz::optimizer

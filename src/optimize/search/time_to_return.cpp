#include "optimize/search/time_to_return.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

/// Estimated time for returning the result after the deadline, in copies of the circuit.
constexpr double kCopiesToReturn = 3;
/// A time limit may be exceeded by this fraction of it and by this many seconds.
constexpr double kExcessShare = 0.1;
constexpr double kExcessSeconds = 0.3;

}  // namespace

Budget with_time_to_return(const Budget& budget, const SearchState& state) {
  const double excess = kExcessShare * state.problem().amount.seconds + kExcessSeconds;
  return budget.ended_earlier(std::max(0.0, kCopiesToReturn * state.copy_seconds() - excess));
}

}  // namespace quartz::optimizer

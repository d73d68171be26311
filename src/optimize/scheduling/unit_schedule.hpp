#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/scheduling/commuting_units.hpp"

namespace quartz::optimizer {

/// An order of units, as their numbers, and the length of its longest chain.
struct UnitSchedule {
  std::vector<std::uint32_t> order;
  std::uint64_t length = 0;
};

/// Returns an order of units, in which only those change places that commute, with a short longest
/// chain: the best of some random list schedules. For gates on two qubits that all commute, this is
/// the coloring of the edges of a graph, for which as many colors as the greatest degree, or one
/// more, suffice (Vizing). Each schedule takes time proportional to the number of units times that
/// of units that may come next. Ends early once the budget is spent, with at least one schedule.
[[nodiscard]] UnitSchedule schedule_units(const CommutingUnits& units, FastRandom& random,
                                          const Budget& budget);

}  // namespace quartz::optimizer

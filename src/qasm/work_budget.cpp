#include "qasm/work_budget.hpp"

#include <fmt/core.h>

namespace quartz::qasm {

void WorkBudget::charge(std::uint64_t work, std::string_view place) {
  if (work > largest_work - work_) {
    source_.fail(place, fmt::format("the circuit is too large: expanded, it has more than {} "
                                    "operations",
                                    largest_work));
  }
  work_ += work;
}

}  // namespace quartz::qasm

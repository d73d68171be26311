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

void WorkBudget::charge_repeated(std::uint64_t work, std::uint64_t times, std::string_view place) {
  const bool too_much = work != 0 && times > largest_work / work;
  charge(too_much ? largest_work + 1 : work * times, place);
}

}  // namespace quartz::qasm

#include "qasm/builder/work_budget.hpp"

#include <fmt/core.h>

namespace quartz::qasm {
namespace {

/// Work between two checks of the stop token: a few milliseconds.
constexpr std::uint64_t work_between_checks = std::uint64_t{1} << 14U;

}  // namespace

void WorkBudget::charge(std::uint64_t work, std::string_view place) {
  if (work > max_work - work_) {
    source_.fail(place, fmt::format("the circuit is too large: expanded, it has more than {} "
                                    "operations",
                                    max_work));
  }
  work_ += work;
  if (work_ < next_check_) return;
  next_check_ = work_ + work_between_checks;
  check_stop();
}

void WorkBudget::check_stop() const {
  if (stop_.stop_requested()) throw Stopped("stopped while reading the circuit");
}

}  // namespace quartz::qasm

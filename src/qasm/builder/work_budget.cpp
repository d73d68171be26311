#include "qasm/builder/work_budget.hpp"

#include <fmt/core.h>

namespace quartz::qasm {
namespace {

/// Work between two checks of the stop token: a few milliseconds.
constexpr std::uint64_t kWorkBetweenChecks = std::uint64_t{1} << 14U;

}  // namespace

void WorkBudget::charge(std::uint64_t work, std::string_view place) {
  if (work > kMaxWork - work_) {
    source_.fail(place, fmt::format("the circuit is too large: expanded, it has more than {} "
                                    "operations",
                                    kMaxWork));
  }
  work_ += work;
  if (work_ < next_check_) return;
  next_check_ = work_ + kWorkBetweenChecks;
  check_stop();
}

void WorkBudget::check_stop() const {
  if (stop_.stop_requested()) throw Stopped("stopped while reading the circuit");
}

}  // namespace quartz::qasm

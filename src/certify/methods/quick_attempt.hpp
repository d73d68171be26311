#pragma once

#include <algorithm>
#include <cstddef>

#include "certify/field/field_comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Largest number of wires for which a state vector over a prime field is likely to decide.
inline constexpr std::size_t kMaxWiresOfState = 20;

/// Returns the budget of a method that decides most problems quickly, and others slowly or never: a
/// share, but not many times as long as a state vector would take, if that is likely to decide.
[[nodiscard]] inline Budget budget_of_quick_attempt(const Problem& problem, const Budget& budget,
                                                    double share) {
  constexpr double kTimesOfState = 5;
  constexpr double kLeastSeconds = 0.02;
  const Budget whole = budget.share(share);
  if (problem.wires.size() > kMaxWiresOfState) return whole;
  return whole.limited_to({std::max(kLeastSeconds, kTimesOfState * seconds_in_field(problem)), 0});
}

}  // namespace quartz::certify

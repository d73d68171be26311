#pragma once

#include <algorithm>
#include <cstddef>

#include "certify/field/field_comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Largest number of wires for which a state vector over a prime field is likely to decide.
inline constexpr std::size_t kMaxWiresOfState = 20;

/// Returns an estimate of the time of a state vector over a prime field, in seconds: updates take a
/// few times as long as their lower bound.
[[nodiscard]] inline double likely_seconds_in_field(const Problem& problem) {
  constexpr double kTimesOfBound = 5;
  return kTimesOfBound * seconds_in_field(problem);
}

/// Returns the budget of a method that decides most problems quickly, and others slowly or never: a
/// share, but not longer than a state vector would take, if that is likely to decide.
[[nodiscard]] inline Budget budget_of_quick_attempt(const Problem& problem, const Budget& budget,
                                                    double share) {
  constexpr double kLeastSeconds = 0.02;
  const Budget whole = budget.share(share);
  if (problem.wires.size() > kMaxWiresOfState) return whole;
  return whole.limited_to({std::max(kLeastSeconds, likely_seconds_in_field(problem)), 0});
}

/// Returns the fraction of the time left for a state vector over a prime field: most of it only if
/// that is likely to suffice.
[[nodiscard]] inline double share_of_field(const Problem& problem, const Budget& budget) {
  constexpr double kShare = 0.5;
  constexpr double kShareIfLikely = 0.8;
  const bool is_likely = problem.wires.size() <= kMaxWiresOfState &&
                         likely_seconds_in_field(problem) <= kShareIfLikely * budget.seconds_left();
  return is_likely ? kShareIfLikely : kShare;
}

}  // namespace quartz::certify

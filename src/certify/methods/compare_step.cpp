#include "certify/methods/compare_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "certify/field/field_comparison.hpp"
#include "certify/methods/compare_problem.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/simulation/exact_unitary.hpp"

namespace quartz::certify {
namespace {

/// Largest number of wires for which all columns of a unitary are computed exactly.
constexpr std::size_t kMaxExactWires = 8;
/// Largest number of wires for which a random state is compared before compare_problem() looks for
/// a difference, which windows seldom have.
constexpr std::size_t kMaxWiresOfState = 20;
/// Most time for a path sum before that, in times of the comparison, and in any case.
constexpr double kTimesOfState = 5;
constexpr double kShortPathSum = 0.02;

/// Returns the budget of the first path sum: those that can be reduced are reduced quickly, and
/// compare_problem() tries the others again.
Budget budget_of_path_sum(const Problem& problem, const Budget& budget) {
  const std::size_t wires = problem.wires.size();
  const Budget share = budget.share(0.1);
  if (wires > kMaxWiresOfState) return share;
  const double seconds_of_state = static_cast<double>(problem.left.size() + problem.right.size()) *
                                  std::exp2(static_cast<double>(wires)) * kSecondsPerFieldUpdate;
  return share.limited_to({std::max(kShortPathSum, kTimesOfState * seconds_of_state), 0});
}

}  // namespace

Comparison compare_step(Problem problem, const Budget& budget, std::uint64_t seed) {
  const std::size_t wires = problem.wires.size();
  Comparison result;
  if (wires <= kMaxExactWires) {
    result = compare_exact_unitaries(problem, budget.share(0.5));
    // Within a distance, most steps are exact all the same, and the rounding errors of thousands of
    // them would add up.
    const bool is_decided = problem.is_approximate() ? result.outcome == Outcome::equal
                                                     : result.outcome != Outcome::unknown;
    if (is_decided) return result;
  }
  if (problem.is_approximate()) return compare_problem(std::move(problem), budget, seed);
  result = compare_path_sums(problem, budget_of_path_sum(problem, budget));
  if (result.outcome != Outcome::unknown) return result;
  if (wires <= kMaxWiresOfState) {
    result = compare_in_field(problem, Angle(), budget.share(0.5), seed);
    if (result.outcome == Outcome::equal && result.exact_phase) return result;
  }
  return compare_problem(std::move(problem), budget, seed);
}

}  // namespace quartz::certify

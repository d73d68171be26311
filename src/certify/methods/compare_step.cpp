#include "certify/methods/compare_step.hpp"

#include <cstddef>
#include <utility>

#include "certify/field/field_comparison.hpp"
#include "certify/methods/compare_problem.hpp"
#include "certify/methods/quick_attempt.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/simulation/exact_unitary.hpp"

namespace quartz::certify {
namespace {

/// Largest number of wires for which all columns of a unitary are computed exactly.
constexpr std::size_t kMaxExactWires = 8;

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
  result = compare_path_sums(problem, budget_of_quick_attempt(problem, budget, 0.1));
  if (result.outcome != Outcome::unknown) return result;
  // A random state comes before compare_problem(), which first looks for a difference: steps seldom
  // have one.
  if (wires <= kMaxWiresOfState) {
    result = compare_in_field(problem, Angle(), budget.share(0.5), seed);
    if (result.outcome == Outcome::equal && result.exact_phase) return result;
  }
  return compare_problem(std::move(problem), budget, seed);
}

}  // namespace quartz::certify

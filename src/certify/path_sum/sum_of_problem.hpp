#pragma once

#include <span>
#include <vector>

#include "certify/path_sum/path_sum.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "quartz/base/errors.hpp"

/// What the comparisons by path sums of a problem have in common.
namespace quartz::certify {

/// The variables of the path sums of a problem: the inputs, which have the numbers of their wires,
/// then the conditions, then the paths.
struct SumVariables {
  explicit SumVariables(const Problem& problem);
  Variable first_condition;
  Variable first_path;
};

/// Returns the inputs of a problem as functions: a variable, or 0 for a wire that starts in |0>.
[[nodiscard]] std::vector<BooleanPolynomial> inputs_of(const Problem& problem);

/// Returns the sum that maps each input to itself.
[[nodiscard]] PathSum identity_sum(const Problem& problem, const SumVariables& variables,
                                   const Budget& budget);

/// Each throws OutOfBudget.
void apply_steps(PathSum& sum, std::span<const Step> steps, const Budget& budget);
/// Applies the inverses of steps, the last one first.
void apply_inverse_steps(PathSum& sum, std::span<const Step> steps, const Budget& budget);

/// Returns what `compare` returns; unknown if it throws because it cannot decide.
template <typename Compare>
[[nodiscard]] Comparison compared_by_sum(const char* method, const Budget& budget,
                                         const Compare& compare) {
  try {
    return compare();
  } catch (const OutOfBudget&) {
    return out_of_time_or_memory(method, budget);
  } catch (const Unsupported& unsupported) {
    return unknown_because(method, unsupported.what + " has no path sum");
  } catch (const OverflowError& error) {
    return unknown_because(method, error.what());
  }
}

}  // namespace quartz::certify

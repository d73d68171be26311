#include "certify/methods/compare_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "certify/methods/compare_problem.hpp"
#include "certify/problem/condition_cases.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kMaxCases = 64;

/// Makes the result of another case part of that of all cases. Both must be equal.
void add_case(Comparison& all, const Comparison& result) {
  if (all.exact_phase != result.exact_phase) all.exact_phase.reset();
  if (all.method.find(result.method) == std::string::npos) all.method += "; " + result.method;
  all.distance = std::max(all.distance, result.distance);
  if (!result.log2_failure) return;
  all.log2_failure =
      all.log2_failure ? log2_of_sum(*all.log2_failure, *result.log2_failure) : result.log2_failure;
}

Comparison compare_cases(const Problem& problem, const std::vector<ConditionCase>& cases,
                         const Budget& budget, std::uint64_t seed) {
  const std::string name = "each case of the conditions";
  std::optional<Comparison> all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (budget.spent()) return out_of_time(name);
    Comparison result =
        compare_problem(in_case(problem, cases[i]),
                        budget.share(1.0 / static_cast<double>(cases.size() - i)), seed);
    if (result.outcome != Outcome::equal) {
      return unknown_without(result.shortage, name,
                             fmt::format("case {} of {}: {}", i + 1, cases.size(), result.reason));
    }
    if (all) {
      add_case(*all, result);
    } else {
      all = std::move(result);
    }
  }
  all->method = name + ", by " + all->method;
  all->phase.reset();
  return *std::move(all);
}

}  // namespace

Comparison compare_families(Problem problem, const Budget& budget, std::uint64_t seed) {
  const bool has_conditions = !problem.is_approximate() && !problem.conditions().empty();
  const auto cases = has_conditions ? condition_cases(problem, kMaxCases) : std::nullopt;
  if (!cases) return compare_problem(std::move(problem), budget, seed);
  Comparison result = compare_problem(problem, budget, seed);
  if (result.outcome == Outcome::equal) return result;
  Comparison by_cases = compare_cases(problem, *cases, budget, seed);
  if (by_cases.outcome == Outcome::equal) return by_cases;
  result.reason += "; " + by_cases.method + ": " + by_cases.reason;
  result.shortage = shortage_of_both(result.shortage, by_cases.shortage);
  return result;
}

}  // namespace quartz::certify

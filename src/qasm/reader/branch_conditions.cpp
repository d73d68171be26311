#include "qasm/reader/branch_conditions.hpp"

#include <fmt/core.h>

#include <utility>

#include "qasm/text/if_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

constexpr std::size_t max_alternatives = 64;

/// Returns the alternatives that hold if one of `a` and one of `b` holds.
Alternatives product(const Alternatives& a, const Alternatives& b) {
  Alternatives result;
  for (const std::vector<Condition>& left : a) {
    for (const std::vector<Condition>& right : b) {
      std::vector<Condition>& both = result.emplace_back(left);
      both.insert(both.end(), right.begin(), right.end());
    }
  }
  return result;
}

}  // namespace

BranchConditions comparison(const Condition& condition, std::uint32_t bits) {
  return {{{condition}}, {{opposite_of(condition, bits)}}};
}

BranchConditions negation(BranchConditions condition) {
  std::swap(condition.then, condition.otherwise);
  return condition;
}

BranchConditions conjunction(const BranchConditions& a, const BranchConditions& b) {
  if ((a.then.size() + a.otherwise.size()) * (b.then.size() + b.otherwise.size()) >
      max_alternatives) {
    throw InputError(
        fmt::format("the condition has more than {} alternatives: write nested 'if' statements",
                    max_alternatives));
  }
  // Not (a and b): either a does not hold, or a holds and b does not.
  BranchConditions result{product(a.then, b.then), a.otherwise};
  for (std::vector<Condition>& rest : product(a.then, b.otherwise)) {
    result.otherwise.push_back(std::move(rest));
  }
  return result;
}

BranchConditions disjunction(BranchConditions a, BranchConditions b) {
  return negation(conjunction(negation(std::move(a)), negation(std::move(b))));
}

}  // namespace quartz::qasm

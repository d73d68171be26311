#include "optimize/folding/boolean_functions.hpp"

#include <algorithm>
#include <iterator>

namespace quartz::optimizer {

MonomialNumber BooleanFunctions::monomial(std::vector<Variable> variables) {
  const auto next = static_cast<MonomialNumber>(monomials_.size());
  const auto [found, is_new] = numbers_.try_emplace(variables, next);
  if (is_new) monomials_.push_back(std::move(variables));
  return found->second;
}

MonomialNumber BooleanFunctions::product(MonomialNumber a, MonomialNumber b) {
  if (a == b || b == kOne) return a;
  if (a == kOne) return b;
  std::vector<Variable> united;
  std::ranges::set_union(monomials_[a], monomials_[b], std::back_inserter(united));
  return monomial(std::move(united));
}

BooleanFunction BooleanFunctions::exclusive_or(const BooleanFunction& a, const BooleanFunction& b) {
  BooleanFunction result;
  result.reserve(a.size() + b.size());
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(result));
  return result;
}

BooleanFunction BooleanFunctions::sum_of(std::vector<MonomialNumber> monomials) {
  std::ranges::sort(monomials);
  BooleanFunction result;
  for (const MonomialNumber each : monomials) {
    if (!result.empty() && result.back() == each) {
      result.pop_back();
    } else {
      result.push_back(each);
    }
  }
  return result;
}

BooleanFunction BooleanFunctions::conjunction(const BooleanFunction& a, const BooleanFunction& b) {
  std::vector<MonomialNumber> products;
  products.reserve(a.size() * b.size());
  for (const MonomialNumber left : a) {
    for (const MonomialNumber right : b) products.push_back(product(left, right));
  }
  return sum_of(std::move(products));
}

std::pair<BooleanFunction, BooleanFunction> BooleanFunctions::split(const BooleanFunction& f,
                                                                    Variable variable) {
  std::vector<MonomialNumber> with;
  BooleanFunction without;
  for (const MonomialNumber each : f) {
    if (!std::ranges::binary_search(monomials_[each], variable)) {
      without.push_back(each);
      continue;
    }
    std::vector<Variable> others = monomials_[each];
    std::erase(others, variable);
    with.push_back(monomial(std::move(others)));
  }
  return {sum_of(std::move(with)), std::move(without)};
}

BooleanFunction BooleanFunctions::substituted(const BooleanFunction& f, Variable variable,
                                              const BooleanFunction& value) {
  auto [with, without] = split(f, variable);
  if (with.empty()) return without;
  return exclusive_or(conjunction(with, value), without);
}

std::vector<Variable> BooleanFunctions::variables_of(const BooleanFunction& f) const {
  std::vector<Variable> result;
  for (const MonomialNumber each : f) {
    result.insert(result.end(), monomials_[each].begin(), monomials_[each].end());
  }
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::size_t BooleanFunctions::degree(const BooleanFunction& f) const {
  std::size_t result = 0;
  for (const MonomialNumber each : f) result = std::max(result, monomials_[each].size());
  return result;
}

}  // namespace quartz::optimizer

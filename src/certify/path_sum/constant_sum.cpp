#include "certify/path_sum/constant_sum.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace quartz::certify {
namespace {

/// The most monomials of a function that is written as a polynomial over the integers.
constexpr std::size_t kMostMonomials = 12;

using Terms = std::vector<std::pair<BooleanPolynomial, Angle>>;

/// Returns a variable of a linear function that is not in the set, if there is one.
std::optional<Variable> pivot_of(const BooleanPolynomial& function,
                                 const std::set<Variable>& taken) {
  if (function.degree() != 1) return std::nullopt;
  for (const Variable variable : function.variables()) {
    if (!taken.contains(variable)) return variable;
  }
  return std::nullopt;
}

/// Makes linear functions single variables, by replacing a variable v of each by v + the rest.
void change_variables(Terms& terms) {
  std::set<Variable> taken;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::optional<Variable> pivot = pivot_of(terms[i].first, taken);
    if (!pivot) continue;
    taken.insert(*pivot);
    const BooleanPolynomial value = terms[i].first;
    if (value.monomials().size() == 1) continue;
    for (auto& [function, angle] : terms) function = function.substitute(*pivot, value);
  }
}

/// The coefficients of a polynomial over the integers, in angles.
using Coefficients = std::map<Monomial, Angle>;

/// Adds angle * f for the XOR f of monomials: the sum over all their non-empty subsets S of
/// (-2)^(|S|-1) times the product of S.
void add_products(std::span<const Monomial> monomials, const Monomial& factor, const Angle& angle,
                  Coefficients& coefficients) {
  for (std::size_t i = 0; i < monomials.size(); ++i) {
    const Monomial term = product(factor, monomials[i]);
    coefficients[term] += angle;
    add_products(monomials.subspan(i + 1), term, angle * Rational(-2), coefficients);
  }
}

}  // namespace

bool is_constant_sum(const std::map<BooleanPolynomial, Angle>& terms) {
  Terms changed(terms.begin(), terms.end());
  change_variables(changed);
  Coefficients coefficients;
  for (auto& [function, angle] : changed) {
    std::span<const Monomial> monomials = function.monomials();
    if (monomials.size() > kMostMonomials) return false;
    Angle factor = angle;
    if (!monomials.empty() && monomials.front().empty()) {  // 1 XOR f = 1 - f
      monomials = monomials.subspan(1);
      factor = -factor;
    }
    add_products(monomials, {}, factor, coefficients);
  }
  return std::ranges::all_of(coefficients, [](const auto& term) {
    return term.second.reduced_modulo(Rational(2)).is_zero();
  });
}

}  // namespace quartz::certify

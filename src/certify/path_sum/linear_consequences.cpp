#include "certify/path_sum/linear_consequences.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <map>
#include <utility>

namespace quartz::certify {
namespace {

constexpr std::size_t kMaxDegree = 3;      ///< largest degree of a multiple
constexpr std::size_t kMaxMonomials = 64;  ///< longest equation that is multiplied
/// Largest number of multiples. More would take minutes, so none are made then.
constexpr std::size_t kMaxMultiples = 3000;

struct LongerFirst {
  bool operator()(const Monomial& a, const Monomial& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};

/// Numbers the monomials of equations, the longest first.
class Columns {
 public:
  explicit Columns(const std::vector<BooleanPolynomial>& equations) {
    for (const BooleanPolynomial& equation : equations) {
      for (const Monomial& monomial : equation.monomials()) numbers_.emplace(monomial, 0);
    }
    for (auto& [monomial, number] : numbers_) {
      number = monomials_.size();
      monomials_.push_back(&monomial);
    }
  }

  [[nodiscard]] std::size_t count() const { return monomials_.size(); }
  [[nodiscard]] std::size_t number_of(const Monomial& monomial) const {
    return numbers_.at(monomial);
  }
  [[nodiscard]] const Monomial& monomial(std::size_t number) const { return *monomials_[number]; }
  [[nodiscard]] std::size_t first_linear() const {
    const auto first = std::find_if(monomials_.begin(), monomials_.end(),
                                    [](const Monomial* each) { return each->size() <= 1; });
    return static_cast<std::size_t>(first - monomials_.begin());
  }

 private:
  std::map<Monomial, std::size_t, LongerFirst> numbers_;
  std::vector<const Monomial*> monomials_;
};

using Row = boost::dynamic_bitset<>;

/// Returns whether the variable is missing in one of the longest monomials.
bool raises_degree(const BooleanPolynomial& function, Variable variable) {
  const std::size_t degree = function.degree();
  return std::any_of(function.monomials().begin(), function.monomials().end(),
                     [&](const Monomial& monomial) {
                       return monomial.size() == degree && !contains(monomial, variable);
                     });
}

}  // namespace

std::vector<BooleanPolynomial> linear_consequences(const std::vector<BooleanPolynomial>& equations,
                                                   const Budget& budget) {
  const Columns columns(equations);
  const double bits = static_cast<double>(columns.count()) * static_cast<double>(equations.size());
  if (bits / 8 > budget.memory_bytes / 4) return {};
  std::map<std::size_t, Row> by_leading;
  for (const BooleanPolynomial& equation : equations) {
    if (budget.spent()) throw OutOfBudget();
    Row row(columns.count());
    for (const Monomial& monomial : equation.monomials()) row.set(columns.number_of(monomial));
    while (row.any()) {
      const auto pivot = by_leading.find(row.find_first());
      if (pivot == by_leading.end()) {
        const std::size_t leading = row.find_first();
        by_leading.emplace(leading, std::move(row));
        break;
      }
      row ^= pivot->second;
    }
  }
  std::vector<BooleanPolynomial> consequences;
  const std::size_t first_linear = columns.first_linear();
  for (auto pivot = by_leading.lower_bound(first_linear); pivot != by_leading.end(); ++pivot) {
    BooleanPolynomial& function = consequences.emplace_back();
    for (std::size_t i = pivot->first; i != Row::npos; i = pivot->second.find_next(i)) {
      function.toggle(columns.monomial(i));
    }
  }
  return consequences;
}

std::vector<BooleanPolynomial> with_multiples(const std::vector<BooleanPolynomial>& equations,
                                              const Budget& budget) {
  std::set<Variable> variables;
  for (const BooleanPolynomial& equation : equations) variables.merge(equation.variables());
  std::vector<BooleanPolynomial> result = equations;
  for (const BooleanPolynomial& equation : equations) {
    if (budget.spent()) throw OutOfBudget();
    if (equation.monomials().size() > kMaxMonomials || equation.degree() > kMaxDegree) continue;
    for (const Variable variable : variables) {
      if (result.size() >= kMaxMultiples) return equations;
      if (raises_degree(equation, variable) && equation.degree() == kMaxDegree) continue;
      BooleanPolynomial multiple = equation * BooleanPolynomial::variable(variable);
      if (multiple.is_zero()) continue;
      result.push_back(std::move(multiple));
    }
  }
  return result;
}

}  // namespace quartz::certify

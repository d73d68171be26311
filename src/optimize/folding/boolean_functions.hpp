#pragma once

#include <boost/container_hash/hash.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quartz::optimizer {

/// Number of a Boolean variable.
using Variable = std::uint32_t;

/// Number of a product of variables in BooleanFunctions.
using MonomialNumber = std::uint32_t;

/// A Boolean function in algebraic normal form: the exclusive or of the products of variables with
/// these numbers, which are sorted. Equal functions have equal numbers.
using BooleanFunction = std::vector<MonomialNumber>;

/// Numbers products of variables and computes with Boolean functions that consist of them.
class BooleanFunctions {
 public:
  /// The empty product: the constant 1.
  static constexpr MonomialNumber kOne = 0;

  BooleanFunctions() { (void)monomial({}); }

  /// Returns the number of the product of different variables, which are sorted.
  [[nodiscard]] MonomialNumber monomial(std::vector<Variable> variables);
  [[nodiscard]] MonomialNumber product(MonomialNumber a, MonomialNumber b);
  /// Returns the variables of a product. The span is valid until the next product gets a number.
  [[nodiscard]] std::span<const Variable> variables(MonomialNumber monomial) const {
    return monomials_[monomial];
  }

  /// Returns the function whose value is that of the variable.
  [[nodiscard]] BooleanFunction variable(Variable variable) { return {monomial({variable})}; }
  [[nodiscard]] static BooleanFunction exclusive_or(const BooleanFunction& a,
                                                    const BooleanFunction& b);
  [[nodiscard]] BooleanFunction conjunction(const BooleanFunction& a, const BooleanFunction& b);
  /// Returns functions (a, b) without the variable such that f = variable * a xor b.
  [[nodiscard]] std::pair<BooleanFunction, BooleanFunction> split(const BooleanFunction& f,
                                                                  Variable variable);
  /// Returns f with a function in place of the variable.
  [[nodiscard]] BooleanFunction substituted(const BooleanFunction& f, Variable variable,
                                            const BooleanFunction& value);
  /// Returns the variables that occur in f, sorted.
  [[nodiscard]] std::vector<Variable> variables_of(const BooleanFunction& f) const;
  /// Returns the largest number of variables in a product of f.
  [[nodiscard]] std::size_t degree(const BooleanFunction& f) const;

 private:
  /// Returns the function that consists of the products that occur an odd number of times.
  [[nodiscard]] static BooleanFunction sum_of(std::vector<MonomialNumber> monomials);

  std::vector<std::vector<Variable>> monomials_;
  std::unordered_map<std::vector<Variable>, MonomialNumber, boost::hash<std::vector<Variable>>>
      numbers_;
};

}  // namespace quartz::optimizer

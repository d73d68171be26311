#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "certify/path_sum/boolean_polynomial.hpp"
#include "certify/problem/comparison.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// A part of a full turn, in units of 2^-64. Sums of angles that are multiples of pi / 2^k wrap
/// around at 2 pi automatically.
using Turns = std::uint64_t;
inline constexpr Turns kHalfTurn = Turns{1} << 63;
inline constexpr Turns kQuarterTurn = Turns{1} << 62;

[[nodiscard]] double radians_of(Turns turns);

/// A function from bits to angles modulo 2 pi, in two parts:
/// - multiples of pi / 2^k: a polynomial with coefficients in turns, multilinear and hence unique;
/// - all other angles: a sum of angle * f(bits) with different Boolean functions f.
class PhasePolynomial {
 public:
  using DyadicTerms = std::unordered_map<Monomial, Turns, MonomialHash>;

  /// The functions of this class throw OutOfBudget when the budget is spent.
  explicit PhasePolynomial(const Budget& budget) : budget_(budget) {}

  /// Adds coefficient * monomial.
  void add(const Monomial& monomial, Turns coefficient);
  /// Adds coefficient * f, where f has the integer value 0 or 1.
  void add(const BooleanPolynomial& function, Turns coefficient);
  /// Adds angle * f.
  void add(const BooleanPolynomial& function, const Angle& angle);

  [[nodiscard]] const DyadicTerms& dyadic_terms() const noexcept { return dyadic_; }
  [[nodiscard]] const std::map<BooleanPolynomial, Angle>& other_terms() const noexcept {
    return others_;
  }
  /// The value if all bits are 0. The angle is the part that is not a multiple of pi / 2^k.
  [[nodiscard]] Turns constant_turns() const;
  [[nodiscard]] const Angle& constant_angle() const noexcept { return constant_; }
  /// Returns a bound on the total rounding so far, in radians.
  [[nodiscard]] double rounding() const noexcept { return rounding_; }

  /// Returns the dyadic terms with this variable, as monomials without it.
  [[nodiscard]] std::vector<std::pair<Monomial, Turns>> factors_of(Variable variable);
  [[nodiscard]] bool others_contain(Variable variable) const {
    return variable < uses_.size() && uses_[variable].others > 0;
  }
  /// Returns the number of dyadic terms with the variable.
  [[nodiscard]] std::size_t occurrences(Variable variable) const;
  void substitute(Variable variable, const BooleanPolynomial& value);
  /// Removes the terms of other angles if is_constant_sum() proves that they change nothing.
  void remove_constant_sum();

  /// Returns the variables in terms that changed since the last call.
  [[nodiscard]] std::vector<Variable> take_changed();

 private:
  void add_products(const std::vector<Monomial>& monomials, std::size_t first,
                    const Monomial& factor, Turns coefficient);
  void add_constant(const Angle& angle);
  void note_change(const BooleanPolynomial& function);
  using OtherTerms = std::map<BooleanPolynomial, Angle>;
  OtherTerms::iterator erase(OtherTerms::iterator term);
  void count_uses(const BooleanPolynomial& function, bool are_new);
  void erase(DyadicTerms::iterator term);
  const std::vector<Monomial>& terms_with(Variable variable);
  void count_work(std::uint64_t amount);

  const Budget& budget_;
  DyadicTerms dyadic_;
  /// The occurrences of a variable.
  struct Uses {
    /// All monomials with the variable that have a coefficient, and some that no longer have one.
    std::vector<Monomial> monomials;
    std::size_t count = 0;   ///< number of monomials with a coefficient
    std::size_t others = 0;  ///< occurrences in functions of others_
  };
  std::vector<Uses> uses_;
  std::map<BooleanPolynomial, Angle> others_;  // the functions have no constant term
  Angle constant_;
  double rounding_ = 0;
  std::uint64_t work_ = 0;
  std::vector<Variable> changed_;
};

/// Returns the turns as an angle in (-pi, pi], or nothing for the finest fractions, which a
/// Rational cannot represent.
[[nodiscard]] std::optional<Angle> angle_of(Turns turns);
/// Returns the angle in turns if it is a multiple of pi / 2^k.
[[nodiscard]] std::optional<Turns> exact_turns(const Angle& angle);

}  // namespace quartz::certify

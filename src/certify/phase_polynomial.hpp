#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "certify/boolean_polynomial.hpp"
#include "certify/comparison.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// Part of a full turn in units of 2^-64: sums of angles that are multiples of pi / 2^k wrap
/// around at 2 pi by themselves.
using Turns = std::uint64_t;
inline constexpr Turns half_turn = Turns{1} << 63;
inline constexpr Turns quarter_turn = Turns{1} << 62;

[[nodiscard]] double radians_of(Turns turns);

/// A function from bits to angles modulo 2 pi, in two parts:
/// - multiples of pi / 2^k: a polynomial with coefficients in turns, multilinear and hence unique;
/// - all other angles: a sum of angle * f(bits) with different Boolean functions f.
class PhasePolynomial {
 public:
  using DyadicTerms = std::unordered_map<Monomial, Turns, MonomialHash>;

  /// Its functions throw OutOfBudget when the budget is spent.
  explicit PhasePolynomial(const Budget& budget) : budget_(budget) {}

  /// Adds coefficient * monomial.
  void add(const Monomial& monomial, Turns coefficient);
  /// Adds coefficient * f, where f counts as the integer 0 or 1.
  void add(const BooleanPolynomial& function, Turns coefficient);
  /// Adds angle * f.
  void add(const BooleanPolynomial& function, const Angle& angle);

  [[nodiscard]] const DyadicTerms& dyadic_terms() const noexcept { return dyadic_; }
  [[nodiscard]] const std::map<BooleanPolynomial, Angle>& other_terms() const noexcept {
    return others_;
  }
  /// The value where all bits are 0; the angle is the part that is no multiple of pi / 2^k.
  [[nodiscard]] Turns constant_turns() const;
  [[nodiscard]] const Angle& constant_angle() const noexcept { return constant_; }
  /// Bound on what was rounded away so far, in radians.
  [[nodiscard]] double rounding() const noexcept { return rounding_; }

  /// The dyadic terms with this variable, as monomials without it.
  [[nodiscard]] std::vector<std::pair<Monomial, Turns>> factors_of(Variable variable);
  [[nodiscard]] bool others_contain(Variable variable) const {
    return variable < uses_.size() && uses_[variable].others > 0;
  }
  /// How many dyadic terms have the variable.
  [[nodiscard]] std::size_t occurrences(Variable variable) const;
  void substitute(Variable variable, const BooleanPolynomial& value);

  /// Variables in terms that changed since the last call.
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
  /// What is known of each variable.
  struct Uses {
    std::vector<Monomial> monomials;  ///< those with a coefficient that have it, and some without
    std::size_t count = 0;            ///< how many have a coefficient
    std::size_t others = 0;           ///< occurrences in functions of others_
  };
  std::vector<Uses> uses_;
  std::map<BooleanPolynomial, Angle> others_;  // no constant term in the functions
  Angle constant_;
  double rounding_ = 0;
  std::uint64_t work_ = 0;
  std::vector<Variable> changed_;
};

/// The same as an angle in (-pi, pi]; nothing for the finest fractions, which a Rational does not
/// hold.
[[nodiscard]] std::optional<Angle> angle_of(Turns turns);
/// The angle in turns, if it is a multiple of pi / 2^k.
[[nodiscard]] std::optional<Turns> exact_turns(const Angle& angle);

}  // namespace quartz::certify

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

/// Boolean functions as polynomials over GF(2): XORs of ANDs (algebraic normal form), which is
/// unique.
namespace quartz::certify {

using Variable = std::uint32_t;

/// The AND of some variables, in ascending order. The empty monomial is 1.
using Monomial = std::vector<Variable>;

[[nodiscard]] Monomial product(const Monomial& a, const Monomial& b);
[[nodiscard]] bool contains(const Monomial& monomial, Variable variable);
[[nodiscard]] Monomial without(const Monomial& monomial, Variable variable);

struct MonomialHash {
  std::size_t operator()(const Monomial& monomial) const noexcept;
};

class BooleanPolynomial {
 public:
  /// Constructs the polynomial 0.
  BooleanPolynomial() = default;
  [[nodiscard]] static BooleanPolynomial one();
  [[nodiscard]] static BooleanPolynomial variable(Variable variable);

  /// Returns the monomials in ascending order.
  [[nodiscard]] const std::vector<Monomial>& monomials() const noexcept { return monomials_; }
  [[nodiscard]] bool is_zero() const noexcept { return monomials_.empty(); }
  [[nodiscard]] bool is_one() const noexcept;
  [[nodiscard]] std::size_t degree() const noexcept;
  [[nodiscard]] bool contains(Variable variable) const;
  [[nodiscard]] std::set<Variable> variables() const;

  /// XORs with one monomial.
  void toggle(const Monomial& monomial);
  BooleanPolynomial& operator^=(const BooleanPolynomial& other);
  friend BooleanPolynomial operator^(BooleanPolynomial a, const BooleanPolynomial& b) {
    return a ^= b;
  }
  /// Returns the AND of two polynomials. Throws OutOfBudget if that takes millions of monomials.
  friend BooleanPolynomial operator*(const BooleanPolynomial& a, const BooleanPolynomial& b);
  friend bool operator==(const BooleanPolynomial&, const BooleanPolynomial&) = default;
  friend std::strong_ordering operator<=>(const BooleanPolynomial& a, const BooleanPolynomial& b);

  /// Returns the polynomial with a variable replaced by `value`.
  [[nodiscard]] BooleanPolynomial substitute(Variable variable,
                                             const BooleanPolynomial& value) const;

 private:
  /// Sorts the monomials and removes pairs of equal ones.
  void normalize();

  std::vector<Monomial> monomials_;
};

}  // namespace quartz::certify

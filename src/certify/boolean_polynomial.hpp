#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

/// Functions of bits as polynomials over GF(2): XORs of ANDs (algebraic normal form), which is
/// unique.
namespace quartz::certify {

using Variable = std::uint32_t;

/// The AND of some variables, ascending; of none it is 1.
using Monomial = std::vector<Variable>;

[[nodiscard]] Monomial product(const Monomial& a, const Monomial& b);
[[nodiscard]] bool contains(const Monomial& monomial, Variable variable);
[[nodiscard]] Monomial without(const Monomial& monomial, Variable variable);

struct MonomialHash {
  std::size_t operator()(const Monomial& monomial) const noexcept;
};

class BooleanPolynomial {
 public:
  /// 0.
  BooleanPolynomial() = default;
  [[nodiscard]] static BooleanPolynomial one();
  [[nodiscard]] static BooleanPolynomial variable(Variable variable);

  /// Ascending.
  [[nodiscard]] const std::vector<Monomial>& monomials() const noexcept { return monomials_; }
  [[nodiscard]] bool is_zero() const noexcept { return monomials_.empty(); }
  [[nodiscard]] bool is_one() const noexcept;
  [[nodiscard]] std::size_t degree() const noexcept;
  [[nodiscard]] bool contains(Variable variable) const;
  [[nodiscard]] std::set<Variable> variables() const;

  /// XOR with one monomial.
  void toggle(const Monomial& monomial);
  BooleanPolynomial& operator^=(const BooleanPolynomial& other);
  friend BooleanPolynomial operator^(BooleanPolynomial a, const BooleanPolynomial& b) {
    return a ^= b;
  }
  /// AND. Throws OutOfBudget where that takes millions of monomials.
  friend BooleanPolynomial operator*(const BooleanPolynomial& a, const BooleanPolynomial& b);
  friend bool operator==(const BooleanPolynomial&, const BooleanPolynomial&) = default;
  friend std::strong_ordering operator<=>(const BooleanPolynomial& a, const BooleanPolynomial& b);

  /// The polynomial with a variable replaced.
  [[nodiscard]] BooleanPolynomial substitute(Variable variable,
                                             const BooleanPolynomial& value) const;

 private:
  /// Sorts and drops pairs of equal monomials.
  void normalize();

  std::vector<Monomial> monomials_;
};

}  // namespace quartz::certify

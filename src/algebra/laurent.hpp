#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algebra/cyclotomic.hpp"

namespace quartz::algebra {

/// The exponents of all symbols of a monomial in one integer (Kronecker substitution): symbol j has
/// the factor 2^{offset j}. A product of monomials adds these integers, and their order as integers
/// is the lexicographic order of the exponent vectors, which multiplication preserves.
__extension__ typedef __int128 PackedExponents;

/// Places the exponents of several symbols side by side, each with the bits that its bound needs.
class ExponentPacking {
 public:
  /// The exponent of symbol j never exceeds bounds[j] in magnitude. Throws OverflowError if all
  /// exponents together need more than 127 bits.
  explicit ExponentPacking(std::span<const std::int64_t> bounds);

  /// Returns symbol j to the power `exponent`; a product of powers is the sum of their packed
  /// exponents.
  [[nodiscard]] PackedExponents pack(std::size_t j, std::int64_t exponent) const {
    return PackedExponents{exponent} * (PackedExponents{1} << offsets_[j]);
  }
  [[nodiscard]] std::vector<std::int64_t> unpack(PackedExponents packed) const;

 private:
  boost::container::small_vector<unsigned, 8> offsets_;
  boost::container::small_vector<unsigned, 8> widths_;
};

/// zeta^root times a product of symbols.
struct Monomial {
  PackedExponents exponents = 0;
  std::uint32_t root = 0;
  friend bool operator==(const Monomial&, const Monomial&) = default;
  friend auto operator<=>(const Monomial& a, const Monomial& b) noexcept {
    if (a.exponents != b.exponents) {
      return a.exponents < b.exponents ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    return a.root <=> b.root;
  }
};

struct LaurentTerm {
  Monomial monomial;
  std::int64_t coefficient = 0;
  friend bool operator==(const LaurentTerm&, const LaurentTerm&) = default;
};

/// A Laurent polynomial over Z[zeta, 1/sqrt(2)]: the sum of the terms over sqrt(2)^sqrt2_power.
/// Terms are sorted by monomial without repetition, have canonical roots and no zero coefficient.
struct Laurent {
  int sqrt2_power = 0;
  boost::container::small_vector<LaurentTerm, 4> terms;
};

/// Arithmetic on Laurent polynomials over one cyclotomic ring. Exact: throws OverflowError where
/// 64-bit coefficients do not suffice.
class LaurentRing {
 public:
  explicit LaurentRing(const CyclotomicRing& coefficients) : coefficients_(coefficients) {}

  [[nodiscard]] const CyclotomicRing& coefficients() const noexcept { return coefficients_; }
  [[nodiscard]] Laurent one() const;
  [[nodiscard]] Monomial product(const Monomial& a, const Monomial& b) const noexcept {
    return {a.exponents + b.exponents, coefficients_.add(a.root, b.root)};
  }
  [[nodiscard]] Monomial power(const Monomial& base, int exponent) const noexcept {
    return {base.exponents * exponent, coefficients_.multiple(base.root, exponent)};
  }

  /// polynomial *= coefficient / sqrt(2)^sqrt2_power * monomial.
  void scale(Laurent& polynomial, std::int64_t coefficient, int sqrt2_power,
             const Monomial& monomial) const;
  /// sum += addend; the addend is left in an unspecified state.
  void add(Laurent& sum, Laurent& addend) const;
  [[nodiscard]] bool is_zero(const Laurent& polynomial) const;
  [[nodiscard]] bool equal(const Laurent& a, const Laurent& b) const;
  /// Returns the monomial m with a = m b, if there is one; b must not be zero.
  [[nodiscard]] std::optional<Monomial> ratio(const Laurent& a, const Laurent& b) const;

 private:
  void multiply_by_sqrt2(Laurent& polynomial) const;
  void raise_sqrt2_power(Laurent& polynomial, int sqrt2_power) const;
  void make_canonical(Laurent& polynomial) const;
  void drop_vanishing_groups(Laurent& polynomial) const;

  CyclotomicRing coefficients_;
};

}  // namespace quartz::algebra

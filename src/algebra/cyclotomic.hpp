#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "quartz/algebra/rational.hpp"

namespace quartz::algebra {

/// An integer times a power of the ring's root of unity.
struct RootTerm {
  std::uint32_t exponent = 0;
  std::int64_t coefficient = 0;
};

/// The ring of integers Z[zeta], zeta = e^{2 pi i / order}, of a cyclotomic field that contains i
/// and sqrt(2). Every e^{i pi a} with rational a lies in one of these rings.
///
/// An element is a sum of RootTerms. The powers zeta^e span the ring, with one relation for each
/// prime p that divides the order: the sum of zeta^{j order / p} over j = 0 .. p-1 is zero.
class CyclotomicRing {
 public:
  /// Throws UsageError unless 8 divides the order, OverflowError if it is above 2^31.
  explicit CyclotomicRing(std::uint64_t order);

  [[nodiscard]] std::uint32_t order() const noexcept { return order_; }
  /// Returns whether the order is a power of two. Then zeta^0 .. zeta^{order/2 - 1} is a basis: an
  /// element whose exponents are all canonical has only one representation.
  [[nodiscard]] bool has_canonical_basis() const noexcept { return odd_part_ == 1; }

  /// Returns the exponent of e^{i pi a}. Throws UsageError if it is not a power of zeta.
  [[nodiscard]] std::uint32_t exponent_of(const Rational& a) const;
  [[nodiscard]] std::uint32_t add(std::uint32_t a, std::uint32_t b) const noexcept {
    const std::uint32_t sum = a + b;  // the order is at most 2^31
    return sum >= order_ ? sum - order_ : sum;
  }
  [[nodiscard]] std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const noexcept {
    return a >= b ? a - b : a + order_ - b;
  }
  [[nodiscard]] std::uint32_t multiple(std::uint32_t exponent, int factor) const noexcept;

  /// Returns whether the exponent is canonical; exactly one of the equal elements zeta^e and
  /// -zeta^{e + order/2} has a canonical exponent.
  [[nodiscard]] bool is_canonical(std::uint32_t exponent) const noexcept {
    return (exponent & top_bit_) == 0;
  }
  [[nodiscard]] std::uint32_t opposite(std::uint32_t exponent) const noexcept {
    return add(exponent, order_ / 2);
  }

  /// Returns whether the sum is zero as a complex number. The test is exact.
  [[nodiscard]] bool is_zero(std::span<const RootTerm> sum) const;
  [[nodiscard]] std::complex<double> value(std::span<const RootTerm> sum) const;

 private:
  std::uint32_t order_;
  std::uint32_t top_bit_;   ///< half the largest power of two that divides the order
  std::uint32_t odd_part_;  ///< the order without its factors of two
};

/// Integer arithmetic that throws OverflowError instead of wrapping around.
[[nodiscard]] std::int64_t checked_sum(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t checked_product(std::int64_t a, std::int64_t b);

}  // namespace quartz::algebra

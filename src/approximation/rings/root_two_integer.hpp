#pragma once

#include <optional>

#include "approximation/rings/integer.hpp"

namespace quartz::approximation {

/// An element a + b sqrt(2) of the ring Z[sqrt(2)].
struct RootTwoInteger {
  Integer a;
  Integer b;

  friend bool operator==(const RootTwoInteger&, const RootTwoInteger&) = default;
  friend RootTwoInteger operator+(const RootTwoInteger& x, const RootTwoInteger& y) {
    return {x.a + y.a, x.b + y.b};
  }
  friend RootTwoInteger operator-(const RootTwoInteger& x, const RootTwoInteger& y) {
    return {x.a - y.a, x.b - y.b};
  }
  friend RootTwoInteger operator*(const RootTwoInteger& x, const RootTwoInteger& y) {
    return {x.a * y.a + 2 * x.b * y.b, x.a * y.b + x.b * y.a};
  }
  [[nodiscard]] bool is_zero() const { return a == 0 && b == 0; }
};

/// Returns a - b sqrt(2).
[[nodiscard]] RootTwoInteger conjugate(const RootTwoInteger& x);
/// Returns x times its conjugate, a^2 - 2 b^2.
[[nodiscard]] Integer norm(const RootTwoInteger& x);
/// Returns whether neither x nor its conjugate is negative.
[[nodiscard]] bool is_doubly_nonnegative(const RootTwoInteger& x);
/// Returns x / y if it lies in the ring. y is not zero.
[[nodiscard]] std::optional<RootTwoInteger> divided(const RootTwoInteger& x,
                                                    const RootTwoInteger& y);
/// Returns a greatest common divisor, by Euclid's algorithm; it is unique up to units.
[[nodiscard]] RootTwoInteger gcd(RootTwoInteger x, RootTwoInteger y);

}  // namespace quartz::approximation

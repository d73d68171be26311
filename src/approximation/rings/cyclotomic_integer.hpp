#pragma once

#include <array>

#include "approximation/rings/root_two_integer.hpp"

namespace quartz::approximation {

/// An element c[0] + c[1] w + c[2] w^2 + c[3] w^3 of the ring Z[w], w = e^{i pi/4}. The ring has i
/// = w^2 and sqrt(2) = w - w^3.
struct CyclotomicInteger {
  std::array<Integer, 4> c;

  friend bool operator==(const CyclotomicInteger&, const CyclotomicInteger&) = default;
  friend CyclotomicInteger operator+(const CyclotomicInteger& x, const CyclotomicInteger& y);
  friend CyclotomicInteger operator-(const CyclotomicInteger& x, const CyclotomicInteger& y);
  friend CyclotomicInteger operator*(const CyclotomicInteger& x, const CyclotomicInteger& y);
  [[nodiscard]] bool is_zero() const;
};

/// Returns the element of Z[sqrt(2)] as an element of Z[w].
[[nodiscard]] CyclotomicInteger cyclotomic(const RootTwoInteger& x);
/// Returns 1 + w, a generator of the prime ideal above 2.
[[nodiscard]] CyclotomicInteger one_plus_omega();
/// Returns x times w^power, for power in 0 .. 7.
[[nodiscard]] CyclotomicInteger turned(const CyclotomicInteger& x, unsigned power);
/// Returns the complex conjugate.
[[nodiscard]] CyclotomicInteger adjoint(const CyclotomicInteger& x);
/// Returns x times its complex conjugate, which is real.
[[nodiscard]] RootTwoInteger absolute_square(const CyclotomicInteger& x);
/// Returns twice the real part of x.
[[nodiscard]] RootTwoInteger twice_real_part(const CyclotomicInteger& x);
/// Returns twice the imaginary part of x.
[[nodiscard]] RootTwoInteger twice_imaginary_part(const CyclotomicInteger& x);
/// Returns whether x / sqrt(2) lies in the ring.
[[nodiscard]] bool is_divisible_by_root_two(const CyclotomicInteger& x);
/// Returns x times sqrt(2)^exponent.
[[nodiscard]] CyclotomicInteger times_root_two(CyclotomicInteger x, unsigned exponent);
/// Returns a greatest common divisor, by Euclid's algorithm; it is unique up to units.
[[nodiscard]] CyclotomicInteger gcd(CyclotomicInteger x, CyclotomicInteger y);

}  // namespace quartz::approximation

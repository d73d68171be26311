#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace quartz::approximation {

/// An integer of any size.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

[[nodiscard]] inline bool is_even(const Integer& a) {
  return !boost::multiprecision::bit_test(a, 0);
}

/// Returns floor(a / 2^bits).
[[nodiscard]] inline Integer floor_shift(const Integer& a, unsigned bits) {
  if (a >= 0) return a >> bits;
  return -((-a + (Integer(1) << bits) - 1) >> bits);
}

/// Returns the integer nearest to a / b, for b > 0; halves are rounded up.
[[nodiscard]] inline Integer rounded_quotient(const Integer& a, const Integer& b) {
  const Integer numerator = 2 * a + b;
  const Integer denominator = 2 * b;
  Integer quotient = numerator / denominator;  // rounds toward zero
  if (numerator < 0 && quotient * denominator != numerator) --quotient;
  return quotient;
}

/// Returns a / 2^bits in double precision.
[[nodiscard]] inline double scaled_to_double(const Integer& a, unsigned bits) {
  if (a == 0) return 0;
  const Integer magnitude = abs(a);
  const unsigned size = msb(magnitude);
  const unsigned dropped = size > 62 ? size - 62 : 0;
  const auto leading = static_cast<double>(static_cast<long long>(magnitude >> dropped));
  const double value = std::ldexp(leading, static_cast<int>(dropped) - static_cast<int>(bits));
  return a < 0 ? -value : value;
}

/// Returns x 2^bits, rounded toward zero.
[[nodiscard]] inline Integer scaled_to_integer(double x, unsigned bits) {
  int exponent = 0;
  const Integer mantissa(static_cast<long long>(std::ldexp(std::frexp(x, &exponent), 53)));
  const int shift = exponent - 53 + static_cast<int>(bits);
  if (shift >= 0) return mantissa << static_cast<unsigned>(shift);
  return mantissa / (Integer(1) << static_cast<unsigned>(-shift));
}

}  // namespace quartz::approximation

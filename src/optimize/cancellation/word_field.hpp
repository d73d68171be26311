#pragma once

#include <algorithm>
#include <cstdint>

/// The field of integers modulo a prime of 31 bits, in which operators are evaluated: two elements
/// are multiplied within a word, and vectors of elements take little memory.
namespace quartz::optimizer {

/// An element: an integer from 0 to kFieldPrime - 1.
using FieldWord = std::uint32_t;

/// 15 * 2^27 + 1, so that the field has roots of unity of the orders 2^27, 3 and 5.
inline constexpr FieldWord kFieldPrime = 2013265921;
/// An element whose powers are all elements but 0.
inline constexpr FieldWord kFieldGenerator = 31;

[[nodiscard]] constexpr FieldWord field_sum(FieldWord a, FieldWord b) {
  const FieldWord sum = a + b;
  return std::min(sum, sum - kFieldPrime);  // a negative difference wraps around and is larger
}
[[nodiscard]] constexpr FieldWord field_difference(FieldWord a, FieldWord b) {
  const FieldWord difference = a - b;
  return std::min(difference, difference + kFieldPrime);
}
[[nodiscard]] constexpr FieldWord field_product(FieldWord a, FieldWord b) {
  return static_cast<FieldWord>(std::uint64_t{a} * b % kFieldPrime);
}
[[nodiscard]] constexpr FieldWord field_power(FieldWord base, std::uint64_t exponent) {
  FieldWord result = 1;
  for (; exponent != 0; exponent >>= 1U, base = field_product(base, base)) {
    if ((exponent & 1U) != 0) result = field_product(result, base);
  }
  return result;
}
/// Returns 1 / a; a is not 0.
[[nodiscard]] constexpr FieldWord field_inverse(FieldWord a) {
  return field_power(a, kFieldPrime - 2);
}

/// An element by which many others are multiplied (Shoup's method).
class FieldFactor {
 public:
  explicit FieldFactor(FieldWord value = 1)
      : value_(value),
        quotient_(static_cast<FieldWord>((std::uint64_t{value} << 32U) / kFieldPrime)) {}
  [[nodiscard]] FieldWord value() const { return value_; }
  [[nodiscard]] FieldWord times(FieldWord other) const {
    const auto multiple = static_cast<FieldWord>((std::uint64_t{other} * quotient_) >> 32U);
    const FieldWord rest = other * value_ - multiple * kFieldPrime;
    return std::min(rest, rest - kFieldPrime);
  }

 private:
  FieldWord value_;
  FieldWord quotient_;
};

}  // namespace quartz::optimizer

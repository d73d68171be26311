#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <random>

namespace quartz::certify {

/// Arithmetic modulo a random prime of 126 bits with a primitive root of unity of a given order.
///
/// Elements are in Montgomery form with radix 2^128 (Montgomery, Math. Comp. 44, 1985). The prime
/// is below 2^126, so that the highest bit of a sum of two elements minus the prime is its sign.
class PrimeField {
 public:
  __extension__ typedef unsigned __int128 Element;
  using Integer = boost::multiprecision::cpp_int;

  /// Draws a random prime p with p = 1 modulo `order`. Throws Unsupported if `order` is too large,
  /// or has two prime factors too large to find.
  PrimeField(const Integer& order, std::mt19937_64& random);

  [[nodiscard]] Element zero() const { return 0; }
  [[nodiscard]] Element one() const { return one_; }
  /// Returns an element whose order is exactly `order`.
  [[nodiscard]] Element root_of_unity() const { return root_; }
  [[nodiscard]] Element from_integer(const Integer& value) const;
  /// Returns a uniformly random element that is not zero.
  [[nodiscard]] Element random_unit(std::mt19937_64& random) const;

  [[nodiscard]] Element add(Element a, Element b) const { return not_negative(a + b - prime_); }
  [[nodiscard]] Element subtract(Element a, Element b) const { return not_negative(a - b); }
  [[nodiscard]] Element multiply(Element a, Element b) const {
    const Sum once = reduced(add_product({}, word(a, 0), b));
    const Sum twice = reduced(add_product(once, word(a, 1), b));
    return not_negative(((Element{twice.middle} << 64) | twice.low) - prime_);
  }
  /// Returns a^exponent. For a negative exponent, `a` must not be zero.
  [[nodiscard]] Element power(Element a, Integer exponent) const;
  [[nodiscard]] Element inverse(Element a) const;

  static constexpr unsigned kBits = 126;

 private:
  /// Returns a difference, or the prime added to it if its sign bit is set. A branch on random
  /// numbers would be predicted wrongly every other time, which takes longer than a multiplication.
  [[nodiscard]] Element not_negative(Element difference) const {
    const Element all_if_negative = Element{0} - (difference >> 127);
    return difference + (prime_ & all_if_negative);
  }
  /// A number of three words.
  struct Sum {
    std::uint64_t low = 0;
    std::uint64_t middle = 0;
    std::uint64_t high = 0;
  };
  [[nodiscard]] static std::uint64_t word(Element value, unsigned index) {
    return static_cast<std::uint64_t>(value >> (64 * index));
  }
  /// Returns sum + factor * value, for a sum below 2^127.
  [[nodiscard]] static Sum add_product(Sum sum, std::uint64_t factor, Element value) {
    const Element low = Element{factor} * word(value, 0) + sum.low;
    const Element rest = Element{factor} * word(value, 1) + sum.middle + word(low, 1);
    return {word(low, 0), word(rest, 0), word(rest, 1)};
  }
  /// Returns (sum + k p) / 2^64 for the word k that makes this an integer: one of the two steps of
  /// Montgomery's reduction. What it returns is below 2^127, since p is.
  [[nodiscard]] Sum reduced(Sum sum) const {
    const std::uint64_t multiple = sum.low * word(negative_inverse_, 0);
    const Sum whole = add_product({sum.low, sum.middle, 0}, multiple, prime_);
    return {whole.middle, sum.high + whole.high, 0};
  }
  [[nodiscard]] Element to_montgomery(const Integer& value) const;

  Integer prime_integer_;
  Element prime_ = 0;
  Element negative_inverse_ = 0;  ///< -1/p modulo 2^128
  Element square_radix_ = 0;      ///< 2^256 modulo p
  Element one_ = 0;
  Element root_ = 0;
};

}  // namespace quartz::certify

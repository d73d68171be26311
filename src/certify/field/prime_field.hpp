#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <random>

namespace quartz::certify {

/// Arithmetic modulo a random prime of 126 bits with a primitive root of unity of a given order.
///
/// Elements are in Montgomery form with radix 2^128 (Montgomery, Math. Comp. 44, 1985). The prime
/// is below 2^127, so that a sum of two elements does not overflow.
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

  [[nodiscard]] Element add(Element a, Element b) const {
    const Element sum = a + b;
    return sum >= prime_ ? sum - prime_ : sum;
  }
  [[nodiscard]] Element subtract(Element a, Element b) const {
    return a >= b ? a - b : a + prime_ - b;
  }
  [[nodiscard]] Element multiply(Element a, Element b) const {
    const Product product = full_product(a, b);
    const Product multiple = full_product(product.low * negative_inverse_, prime_);
    // The low halves add up to 0 modulo 2^128, so the carry is 1 unless both are 0.
    const Element sum = product.high + multiple.high + (product.low != 0 ? 1 : 0);
    return sum >= prime_ ? sum - prime_ : sum;
  }
  /// Returns a^exponent. For a negative exponent, `a` must not be zero.
  [[nodiscard]] Element power(Element a, Integer exponent) const;
  [[nodiscard]] Element inverse(Element a) const;

  static constexpr unsigned kBits = 126;

 private:
  struct Product {
    Element high = 0;
    Element low = 0;
  };
  [[nodiscard]] static Product full_product(Element a, Element b) {
    const auto a0 = static_cast<std::uint64_t>(a);
    const auto a1 = static_cast<std::uint64_t>(a >> 64);
    const auto b0 = static_cast<std::uint64_t>(b);
    const auto b1 = static_cast<std::uint64_t>(b >> 64);
    const Element p00 = Element{a0} * b0;
    const Element p01 = Element{a0} * b1;
    const Element p10 = Element{a1} * b0;
    const Element p11 = Element{a1} * b1;
    const Element middle =
        (p00 >> 64) + static_cast<std::uint64_t>(p01) + static_cast<std::uint64_t>(p10);
    return {p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64),
            (middle << 64) | static_cast<std::uint64_t>(p00)};
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

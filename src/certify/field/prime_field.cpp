#include "certify/field/prime_field.hpp"

#include <boost/multiprecision/miller_rabin.hpp>
#include <vector>

#include "certify/problem/comparison.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

using Element = PrimeField::Element;
using Integer = PrimeField::Integer;

/// Rounds of the Miller-Rabin test: a composite number passes with probability at most 4^-40.
constexpr unsigned kPrimalityRounds = 40;

Integer random_bits(unsigned count, std::mt19937_64& random) {
  Integer result = 0;
  for (unsigned i = 0; i < count; i += 64) result = (result << 64) | random();
  return result >> ((count + 63) / 64 * 64 - count);
}

Element low_word(const Integer& value) {
  const auto low = static_cast<std::uint64_t>(value & ~std::uint64_t{0});
  const auto high = static_cast<std::uint64_t>((value >> 64) & ~std::uint64_t{0});
  return (Element{high} << 64) | low;
}

/// Returns the distinct prime factors of `order`.
std::vector<Integer> prime_factors(Integer order, std::mt19937_64& random) {
  constexpr unsigned kMaxTrial = 1 << 16;
  std::vector<Integer> factors;
  for (unsigned divisor = 2; divisor < kMaxTrial && order > 1; ++divisor) {
    if (order % divisor != 0) continue;
    factors.emplace_back(divisor);
    while (order % divisor == 0) order /= divisor;
  }
  if (order == 1) return factors;
  if (!miller_rabin_test(order, kPrimalityRounds, random)) {
    throw Unsupported{"an angle whose denominator has several large prime factors"};
  }
  factors.push_back(order);
  return factors;
}

}  // namespace

PrimeField::PrimeField(const Integer& order, std::mt19937_64& random) {
  const std::vector<Integer> factors = prime_factors(order, random);
  // On average one in ln(2^126) * phi(order) / order candidates is prime: at most one in 88.
  const unsigned factor_bits = kBits - static_cast<unsigned>(msb(order)) - 1;
  if (msb(order) + 1 > kBits / 2) throw Unsupported{"angles with denominators beyond 62 bits"};
  do {
    const Integer factor = random_bits(factor_bits, random) | (Integer(1) << (factor_bits - 1));
    prime_integer_ = factor * order + 1;
  } while (!miller_rabin_test(prime_integer_, kPrimalityRounds, random));
  prime_ = low_word(prime_integer_);
  // Newton's iteration doubles the number of correct bits of 1/p modulo 2^128.
  Element inverse = 1;
  for (int i = 0; i < 7; ++i) inverse *= 2 - prime_ * inverse;
  ensure(prime_ * inverse == 1, "the inverse of a prime modulo a power of two");
  negative_inverse_ = 0 - inverse;
  square_radix_ = low_word((Integer(1) << 256) % prime_integer_);
  one_ = to_montgomery(1);
  const Integer exponent = (prime_integer_ - 1) / order;
  const auto has_full_order = [&](Element root) {
    for (const Integer& factor : factors) {
      if (power(root, order / factor) == one_) return false;
    }
    return true;
  };
  do {
    root_ = power(random_unit(random), exponent);
  } while (!has_full_order(root_));
}

Element PrimeField::to_montgomery(const Integer& value) const {
  return multiply(low_word(value), square_radix_);
}

Element PrimeField::from_integer(const Integer& value) const {
  Integer rest = value % prime_integer_;
  if (rest < 0) rest += prime_integer_;
  return to_montgomery(rest);
}

Element PrimeField::random_unit(std::mt19937_64& random) const {
  // A random number of as many bits as the prime has is below it more often than not. Those that
  // are not are drawn again, so that all elements are equally likely.
  constexpr Element kMask = (Element{1} << kBits) - 1;
  while (true) {
    const Element high = Element{random()} << 64U;
    const Element value = (high | random()) & kMask;
    if (value != 0 && value < prime_) return value;
  }
}

Element PrimeField::power(Element a, Integer exponent) const {
  if (exponent < 0) return power(inverse(a), -exponent);
  exponent %= prime_integer_ - 1;
  Element result = one_;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

Element PrimeField::inverse(Element a) const {
  ensure(a != 0, "zero has no inverse");
  return power(a, prime_integer_ - 2);
}

}  // namespace quartz::certify

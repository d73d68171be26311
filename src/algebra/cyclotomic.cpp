#include "algebra/cyclotomic.hpp"

#include <bit>
#include <map>
#include <numbers>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::algebra {
namespace {

using Sum = std::vector<RootTerm>;

/// Returns the smallest prime factor of n > 1.
std::uint32_t smallest_prime_factor(std::uint32_t n) {
  for (std::uint32_t p = 2; std::uint64_t{p} * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

void append_negated(Sum& sum, const Sum& other) {
  for (const RootTerm& term : other) {
    sum.push_back({term.exponent, checked_product(term.coefficient, -1)});
  }
}

/// Returns whether a sum of powers of zeta_n, n = `order`, is zero. Splits off one prime power q =
/// p^k of the order n: zeta_n^e is determined by e mod q and e mod n/q, and over Q(zeta_{n/q}) the
/// powers of zeta_q have the relations "the p powers whose exponents agree modulo p^{k-1} add to
/// zero" and no others. Such a group of p coefficients contributes zero exactly if all of them are
/// equal.
bool vanishes(const Sum& sum, std::uint32_t order) {
  if (sum.empty()) return true;
  if (order == 1) {
    std::int64_t total = 0;
    for (const RootTerm& term : sum) total = checked_sum(total, term.coefficient);
    return total == 0;
  }
  const std::uint32_t prime = smallest_prime_factor(order);
  std::uint32_t power = prime;
  while ((order / power) % prime == 0) power *= prime;
  const std::uint32_t rest = order / power;

  std::map<std::uint32_t, std::map<std::uint32_t, Sum>> groups;  // e mod p^{k-1}, then digit
  for (const RootTerm& term : sum) {
    const std::uint32_t low = (term.exponent % power) % (power / prime);
    const std::uint32_t digit = (term.exponent % power) / (power / prime);
    groups[low][digit].push_back({term.exponent % rest, term.coefficient});
  }
  for (auto& [low, digits] : groups) {
    const bool full = digits.size() == prime;
    const Sum first = full ? digits.begin()->second : Sum{};
    if (full) digits.erase(digits.begin());
    for (auto& [digit, coefficient] : digits) {
      append_negated(coefficient, first);
      if (!vanishes(coefficient, rest)) return false;
    }
  }
  return true;
}

}  // namespace

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    throw OverflowError("an exact integer needs more than 64 bits");
  }
  return result;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw OverflowError("an exact integer needs more than 64 bits");
  }
  return result;
}

CyclotomicRing::CyclotomicRing(std::uint64_t order) {
  if (order == 0 || order % 8 != 0) {
    throw UsageError("a cyclotomic ring needs an order that 8 divides");
  }
  if (order > (std::uint64_t{1} << 31)) {
    throw OverflowError("a root of unity of order above 2^31 is too fine");
  }
  order_ = static_cast<std::uint32_t>(order);
  const int twos = std::countr_zero(order_);
  top_bit_ = std::uint32_t{1} << (twos - 1);
  odd_part_ = order_ >> twos;
}

std::uint32_t CyclotomicRing::exponent_of(const Rational& a) const {
  // e^{i pi a} = zeta^{a order / 2}.
  const std::int64_t half = order_ / 2;
  if (half % a.denominator() != 0) {
    throw UsageError("e^{i pi " + a.to_string() + "} is not in the cyclotomic ring of order " +
                     std::to_string(order_));
  }
  std::int64_t turns = a.numerator() % (2 * a.denominator());
  if (turns < 0) turns += 2 * a.denominator();
  return static_cast<std::uint32_t>(turns * (half / a.denominator()));
}

std::uint32_t CyclotomicRing::multiple(std::uint32_t exponent, int factor) const noexcept {
  std::int64_t product = std::int64_t{exponent} * factor % order_;
  if (product < 0) product += order_;
  return static_cast<std::uint32_t>(product);
}

bool CyclotomicRing::is_zero(std::span<const RootTerm> sum) const {
  return vanishes(Sum(sum.begin(), sum.end()), order_);
}

std::complex<double> CyclotomicRing::value(std::span<const RootTerm> sum) const {
  std::complex<double> total = 0;
  for (const RootTerm& term : sum) {
    total += std::polar(1.0, 2 * std::numbers::pi * term.exponent / order_) *
             static_cast<double>(term.coefficient);
  }
  return total;
}

}  // namespace quartz::algebra

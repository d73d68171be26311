#include "approximation/rings/root_two_integer.hpp"

#include <utility>

namespace quartz::approximation {
namespace {

/// A quotient x / y as numerator / denominator with an integer denominator > 0.
struct Quotient {
  RootTwoInteger numerator;
  Integer denominator;
};

Quotient quotient(const RootTwoInteger& x, const RootTwoInteger& y) {
  Quotient result{x * conjugate(y), norm(y)};
  if (result.denominator < 0) {
    result.denominator = -result.denominator;
    result.numerator = {-result.numerator.a, -result.numerator.b};
  }
  return result;
}

}  // namespace

RootTwoInteger conjugate(const RootTwoInteger& x) { return {x.a, -x.b}; }

Integer norm(const RootTwoInteger& x) { return x.a * x.a - 2 * x.b * x.b; }

bool is_doubly_nonnegative(const RootTwoInteger& x) { return x.a >= 0 && norm(x) >= 0; }

std::optional<RootTwoInteger> divided(const RootTwoInteger& x, const RootTwoInteger& y) {
  const Quotient exact = quotient(x, y);
  const RootTwoInteger result{exact.numerator.a / exact.denominator,
                              exact.numerator.b / exact.denominator};
  if (result.a * exact.denominator != exact.numerator.a) return std::nullopt;
  if (result.b * exact.denominator != exact.numerator.b) return std::nullopt;
  return result;
}

RootTwoInteger gcd(RootTwoInteger x, RootTwoInteger y) {
  while (!y.is_zero()) {
    const Quotient exact = quotient(x, y);
    const RootTwoInteger rounded{rounded_quotient(exact.numerator.a, exact.denominator),
                                 rounded_quotient(exact.numerator.b, exact.denominator)};
    x = x - rounded * y;
    std::swap(x, y);
  }
  return x;
}

}  // namespace quartz::approximation

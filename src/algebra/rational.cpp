#include "quartz/algebra/rational.hpp"

#include <limits>
#include <numeric>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

__extension__ typedef __int128 Wide;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

bool fits_64_bits(Wide value) { return value <= std::numeric_limits<std::int64_t>::max(); }

/// Returns the greatest common divisor of two non-negative numbers. 128-bit division is slow and
/// seldom needed.
Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0 && !(fits_64_bits(a) && fits_64_bits(b))) {
    const Wide remainder = a % b;
    a = b;
    b = remainder;
  }
  return b == 0 ? a : std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
}

Wide quotient(Wide value, Wide divisor) {
  if (!fits_64_bits(magnitude(value)) || !fits_64_bits(divisor)) return value / divisor;
  return static_cast<std::int64_t>(value) / static_cast<std::int64_t>(divisor);
}

}  // namespace

Rational Rational::reduced(Wide numerator, Wide denominator) {
  if (denominator == 0) throw UsageError("division by zero in an exact fraction");
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (denominator == 1) {
    // An integer is already in lowest terms.
  } else if (const Wide divisor = greatest_common_divisor(magnitude(numerator), denominator);
             divisor > 1) {
    numerator = quotient(numerator, divisor);
    denominator = quotient(denominator, divisor);
  }
  constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
  if (numerator > kLargest || numerator < -kLargest || denominator > kLargest) {
    throw OverflowError("an exact fraction needs more than 64 bits");
  }
  Rational result;
  result.numerator_ = static_cast<std::int64_t>(numerator);
  result.denominator_ = static_cast<std::int64_t>(denominator);
  return result;
}

Rational::Rational(std::int64_t numerator, std::int64_t denominator)
    : Rational(reduced(numerator, denominator)) {}

double Rational::to_double() const noexcept {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

std::string Rational::to_string() const {
  std::string text = std::to_string(numerator_);
  if (denominator_ != 1) text += "/" + std::to_string(denominator_);
  return text;
}

std::int64_t Rational::floor() const noexcept {
  const std::int64_t quotient = numerator_ / denominator_;
  return numerator_ % denominator_ < 0 ? quotient - 1 : quotient;
}

// With n/d for the fraction and p/q for the period, both results are (n q - k d p) / (d q) for an
// integer k. No intermediate number needs more than 128 bits.

Rational Rational::modulo(const Rational& period) const {
  const Wide turn = Wide{denominator_} * period.numerator_;
  Wide rest = Wide{numerator_} * period.denominator_ % turn;
  if (rest < 0) rest += turn;
  return reduced(rest, Wide{denominator_} * period.denominator_);
}

Rational Rational::symmetric_modulo(const Rational& period) const {
  const Wide turn = Wide{denominator_} * period.numerator_;
  Wide rest = Wide{numerator_} * period.denominator_;
  if (-turn < 2 * rest && 2 * rest <= turn) return *this;
  rest %= turn;
  if (2 * rest > turn) rest -= turn;
  if (2 * rest <= -turn) rest += turn;
  return reduced(rest, Wide{denominator_} * period.denominator_);
}

Rational Rational::operator-() const {
  if (numerator_ == std::numeric_limits<std::int64_t>::min()) return reduced(-Wide{numerator_}, 1);
  Rational result = *this;
  result.numerator_ = -numerator_;
  return result;
}

// Optimizers mostly add and multiply angles with small numbers, so results that fit 64 bits
// throughout avoid 128-bit arithmetic.

Rational operator+(const Rational& a, const Rational& b) {
  if (a.numerator_ == 0) return b;
  if (b.numerator_ == 0) return a;
  std::int64_t sum = 0;
  if (a.denominator_ == b.denominator_ &&
      !__builtin_add_overflow(a.numerator_, b.numerator_, &sum)) {
    return Rational::reduced(sum, a.denominator_);
  }
  return Rational::reduced(
      Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
      Wide{a.denominator_} * b.denominator_);
}

Rational operator-(const Rational& a, const Rational& b) { return a + (-b); }

Rational operator*(const Rational& a, const Rational& b) {
  if (a.numerator_ == 0 || b.numerator_ == 0) return {};
  return Rational::reduced(Wide{a.numerator_} * b.numerator_,
                           Wide{a.denominator_} * b.denominator_);
}

Rational operator/(const Rational& a, const Rational& b) {
  return Rational::reduced(Wide{a.numerator_} * b.denominator_,
                           Wide{a.denominator_} * b.numerator_);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept {
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  const Wide left = Wide{a.numerator_} * b.denominator_;
  const Wide right = Wide{b.numerator_} * a.denominator_;
  if (left < right) return std::strong_ordering::less;
  if (left > right) return std::strong_ordering::greater;
  return std::strong_ordering::equal;
}

}  // namespace quartz

#include "optimize/state/numeric_angle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

/// Simple fractions of pi are multiples of pi / kParts, where kParts = 15 * 2^14, or have a small
/// denominator.
constexpr std::int64_t kParts = 245'760;
constexpr std::int64_t kSmallDenominator = 1000;

bool is_close(double radians, const Rational& multiple) {
  return std::abs(radians - multiple.to_double() * std::numbers::pi) <= kNumericTolerance;
}

/// Returns the fraction of pi with a small denominator, if one is close. By Legendre's theorem a
/// fraction n/d that is nearer than 1/(2 d^2) is a convergent of the continued fraction.
std::optional<Rational> small_fraction(double radians) {
  double rest = radians / std::numbers::pi;
  std::int64_t n = 1;
  std::int64_t d = 0;
  std::int64_t last_n = 0;
  std::int64_t last_d = 1;
  while (std::abs(rest) < 1e6) {
    const double whole = std::floor(rest);
    const auto quotient = static_cast<std::int64_t>(whole);
    last_n = std::exchange(n, quotient * n + last_n);
    last_d = std::exchange(d, quotient * d + last_d);
    if (d > kSmallDenominator) break;
    if (is_close(radians, Rational(n, d))) return Rational(n, d);
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

}  // namespace

Angle nearest_angle(double radians) {
  ensure(std::isfinite(radians), "a numeric angle is finite");
  const double reduced = std::remainder(radians, 2 * std::numbers::pi);
  const Rational parts(std::llround(reduced / std::numbers::pi * static_cast<double>(kParts)),
                       kParts);
  std::optional<Rational> multiple = is_close(reduced, parts) ? parts : small_fraction(reduced);
  if (multiple) return Angle::pi_times(*multiple).reduced_symmetric(2);
  constexpr std::int64_t kShortUnits = 1'000'000;
  const Rational short_decimal(std::llround(reduced * static_cast<double>(kShortUnits)),
                               kShortUnits);
  if (std::abs(reduced - short_decimal.to_double()) <= kNumericTolerance) {
    return Angle::radians(short_decimal);
  }
  // The product 10^16 * pi is below 2^63, and so are sums of hundreds of such numerators.
  constexpr std::int64_t kUnits = 10'000'000'000'000'000;
  return Angle::radians(Rational(std::llround(reduced * static_cast<double>(kUnits)), kUnits));
}

bool is_simple_fraction(const Angle& angle) {
  if (!angle.is_pi_multiple()) return false;
  const std::int64_t denominator = angle.pi_part().denominator();
  return denominator <= kSmallDenominator || kParts % denominator == 0;
}

std::int64_t exact_denominator(const Angle& angle) {
  constexpr std::int64_t kTenDecimals = 9'765'625;  // 5^10
  const std::int64_t denominator = angle.pi_part().denominator();
  return denominator % kTenDecimals == 0 ? 1 : denominator;
}

bool has_numeric_angles(const Operation& operation) {
  return std::ranges::all_of(operation.angles, [](const Angle& angle) {
    return angle.is_constant() && exact_denominator(angle) <= kLargestResolvedDenominator;
  });
}

bool is_eighth_turns(const Angle& angle) {
  return angle.is_pi_multiple() && 4 % angle.pi_part().denominator() == 0;
}

}  // namespace quartz::optimizer

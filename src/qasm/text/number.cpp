#include "qasm/text/number.hpp"

#include <fmt/core.h>

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>

#include "qasm/text/source.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

constexpr int kDigitsThatMeanADouble = 12;
constexpr int kDigitsBeyondADouble = 19;
// More than the exponent of any double; the limit of Angle::decimal itself is higher.
constexpr int kMaxExponent = 5000;

/// Returns whether `value` is the double nearest to k*pi/d. The residual k*pi - d*value is computed
/// with pi in two doubles and fused products, so that rounding cannot change the answer.
bool is_nearest_double(double value, double k, double d) {
  constexpr double kPiLow = 1.2246467991473532e-16;  // pi minus the double nearest to it
  const double product = value * d;
  const double product_error = std::fma(value, d, -product);
  const double residual = (std::fma(k, std::numbers::pi, -product) - product_error) + k * kPiLow;
  const double spacing = std::nextafter(value, std::numeric_limits<double>::infinity()) - value;
  return std::abs(residual) <= d * spacing / 2;
}

/// Returns whether `value` is k*pi/d (in lowest terms) in doubles: rounded once, or multiplied and
/// divided in any order.
bool is_pi_multiple(double value, double k, double d) {
  constexpr double kPi = std::numbers::pi;
  return value == k * kPi / d || value == k * (kPi / d) || value == k / d * kPi ||
         is_nearest_double(value, k, d);
}

std::optional<Rational> pi_multiple_at(double value) {
  constexpr double kMaxDenominator = 1 << 20;
  if (value < 3 / kMaxDenominator || value > 1024) return std::nullopt;
  const double ratio = value / std::numbers::pi;
  for (double d = 1; d <= kMaxDenominator; d = d < 64 ? d + 1 : d * 2) {
    const double k = static_cast<double>(static_cast<std::int64_t>(ratio * d + 0.5));
    if (k < 1 || std::abs(ratio * d - k) > 1e-15 * k) continue;
    const Rational multiple(static_cast<std::int64_t>(k), static_cast<std::int64_t>(d));
    if (multiple.denominator() == static_cast<std::int64_t>(d) && is_pi_multiple(value, k, d)) {
      return multiple;
    }
  }
  return std::nullopt;
}

/// Counts the digits from the first non-zero digit up to the exponent.
int significant_digits(std::string_view text) {
  int count = 0;
  for (const char c : text) {
    if (c == 'e' || c == 'E') break;
    if (c != '.' && (count > 0 || c != '0')) ++count;
  }
  return count;
}

/// Returns whether the number has as many digits as a printed double.
bool may_mean_a_double(std::string_view text) {
  const int digits = significant_digits(text);
  if (digits < kDigitsThatMeanADouble) return false;
  return digits < kDigitsBeyondADouble || text.find_first_of("eE") == std::string_view::npos;
}

void check_exponent(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  if (mark == std::string_view::npos) return;
  const char* first = text.data() + mark + 1;
  if (*first == '+') ++first;
  int exponent = 0;
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), exponent);
  if (error != std::errc() || exponent > kMaxExponent || exponent < -kMaxExponent) {
    throw InputError("the exponent of " + in_quotes(text) + " is out of range");
  }
}

double nearest_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);  // infinity if large, 0 if small
  }
  if (!std::isfinite(value)) {
    throw InputError("the number " + in_quotes(text) + " is out of the range of a double");
  }
  return value;
}

std::size_t bit_length(const boost::multiprecision::cpp_int& value) {
  return value.is_zero() ? 0 : boost::multiprecision::msb(value) + 1;
}

/// Returns the base of a number such as 0x1f, 0b11 or 0o17; 10 for all others.
int base_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'x':
    case 'X':
      return 16;
    case 'b':
    case 'B':
      return 2;
    case 'o':
      return 8;
    default:
      return 10;
  }
}

Angle read_in_base(std::string_view text, int base) {
  std::string digits(text.substr(2));
  std::erase(digits, '_');
  return read_radix_number(digits, base);
}

}  // namespace

Angle read_radix_number(std::string_view digits, int base) {
  boost::multiprecision::cpp_int value = 0;
  bool is_valid = digits.size() <= kMaxBitsOfNumber;
  for (const char c : digits) {
    if (!is_valid) break;
    int digit = 0;
    const auto [end, error] = std::from_chars(&c, &c + 1, digit, base);
    is_valid = error == std::errc() && end == &c + 1;
    value *= base;
    value += digit;
  }
  if (!is_valid || bit_length(value) > kMaxBitsOfNumber) {
    throw InputError(fmt::format("{} is not a number of up to {} bits in base {}",
                                 in_quotes(digits), kMaxBitsOfNumber, base));
  }
  if (bit_length(value) < 64) return Angle::radians(static_cast<std::int64_t>(value));
  return Angle::decimal(value.str());
}

Angle read_number(std::string_view text) {
  if (const int base = base_of(text); base != 10) return read_in_base(text, base);
  if (text.find('_') != std::string_view::npos) {
    std::string digits(text);
    std::erase(digits, '_');
    return read_number(digits);
  }
  std::int64_t integer = 0;
  const char* const last = text.data() + text.size();
  if (const auto [end, error] = std::from_chars(text.data(), last, integer);
      end == last && error == std::errc()) {
    return Angle::radians(integer);
  }
  check_exponent(text);
  const double value = nearest_double(text);
  if (may_mean_a_double(text)) {
    if (const auto multiple = pi_multiple_at(value)) return Angle::pi_times(*multiple);
  }
  return Angle::decimal(text);
}

bool means_pi_multiple(std::string_view text) {
  return may_mean_a_double(text) && pi_multiple_at(nearest_double(text)).has_value();
}

}  // namespace quartz::qasm

namespace quartz {

Angle angle_from_double(double value) {
  if (!std::isfinite(value)) throw InputError("the value of the expression is not finite");
  std::array<char, 32> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value));
  const std::string_view digits(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  Angle angle = Angle::decimal(digits);
  if (qasm::significant_digits(digits) >= qasm::kDigitsThatMeanADouble) {
    if (const auto multiple = qasm::pi_multiple_at(std::abs(value)))
      angle = Angle::pi_times(*multiple);
  }
  return value < 0 ? -angle : angle;
}

}  // namespace quartz

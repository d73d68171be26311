#include "algebra/decimal_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <string_view>

#include "algebra/exact_radians.hpp"

namespace quartz::algebra {
namespace {

using Integer = boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

/// 10^38 is the greatest power of ten below 2^127.
constexpr unsigned kMaxShortDecimals = 38;

/// The power of ten that is `factor` times a denominator.
struct PowerOfTen {
  std::int64_t factor = 1;
  unsigned exponent = 0;
};

/// Returns the least power of ten that a denominator divides, or nullopt if it divides none or the
/// quotient does not fit 64 bits.
std::optional<PowerOfTen> power_above(std::int64_t denominator) {
  const auto twos =
      static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(denominator)));
  std::int64_t rest = denominator >> twos;
  unsigned fives = 0;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  if (rest != 1) return std::nullopt;
  PowerOfTen result{1, std::max(twos, fives)};
  for (unsigned i = twos; i < result.exponent; ++i) result.factor *= 2;
  for (unsigned i = fives; i < result.exponent; ++i) {
    if (__builtin_mul_overflow(result.factor, 5, &result.factor)) return std::nullopt;
  }
  return result;
}

/// Returns whether the denominator divides a power of ten.
bool is_decimal(std::int64_t denominator) {
  for (; denominator % 2 == 0; denominator /= 2) {
  }
  for (; denominator % 5 == 0; denominator /= 5) {
  }
  return denominator == 1;
}

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

constexpr std::array<Wide, kMaxShortDecimals + 1> kPowersOfTen = [] {
  std::array<Wide, kMaxShortDecimals + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// Returns the digits of a number below 10^36. Most divisions are by a constant of 64 bits.
std::string digits_of(UnsignedWide number) {
  constexpr std::uint64_t kHalf = 1'000'000'000'000'000'000;
  const auto high = static_cast<std::uint64_t>(number / kHalf);
  std::string low = std::to_string(static_cast<std::uint64_t>(number % kHalf));
  if (high == 0) return low;
  return std::to_string(high) + std::string(18 - low.size(), '0') + low;
}

/// Removes the zeros at the end of the units.
void remove_zeros(Wide& units, unsigned& decimals) {
  while (decimals >= 8 && units % 100'000'000 == 0) {
    units /= 100'000'000;
    decimals -= 8;
  }
  while (decimals > 0 && units % 10 == 0) {
    units /= 10;
    --decimals;
  }
}

}  // namespace

std::optional<DecimalSum::Short> DecimalSum::read(const std::string& literal) {
  const std::size_t mark = literal.find('e');
  int exponent = 0;
  std::from_chars(literal.data() + mark + 1, literal.data() + literal.size(), exponent);
  const int decimals = static_cast<int>(mark) - (mark > 1 ? 2 : 1) - exponent;
  if (mark > kMaxShortDecimals || decimals > static_cast<int>(kMaxShortDecimals) || decimals < 0) {
    return std::nullopt;
  }
  Short number{0, static_cast<unsigned>(decimals)};
  for (const char c : std::string_view(literal).substr(0, mark)) {
    if (c != '.') number.units = number.units * 10 + (c - '0');
  }
  return number;
}

bool DecimalSum::multiply(Short& number, std::int64_t factor) {
  return !__builtin_mul_overflow(number.units, static_cast<Wide>(factor), &number.units);
}

bool DecimalSum::rescale(Short& number, unsigned decimals) {
  if (decimals <= number.decimals) return true;
  const unsigned missing = decimals - number.decimals;
  number.decimals = decimals;
  return missing <= kMaxShortDecimals &&
         !__builtin_mul_overflow(number.units, kPowersOfTen[missing], &number.units);
}

bool DecimalSum::add(Short number) {
  Short sum = short_;
  if (!rescale(sum, number.decimals) || !rescale(number, sum.decimals)) return false;
  if (__builtin_add_overflow(sum.units, number.units, &sum.units)) return false;
  short_ = sum;
  return true;
}

bool DecimalSum::add(const Rational& number, std::int64_t times) {
  if (number.is_zero()) return true;
  if (const auto power = power_above(number.denominator())) {
    Short added{number.numerator(), power->exponent};
    if (multiply(added, power->factor) && multiply(added, times) && add(added)) return true;
  }
  if (!is_decimal(number.denominator())) return false;
  rest_ += times * exact_value(number);
  return true;
}

bool DecimalSum::add(const std::string& literal, const Rational& coefficient, std::int64_t times) {
  if (const auto power = power_above(coefficient.denominator())) {
    if (std::optional<Short> added = read(literal)) {
      added->decimals += power->exponent;
      if (multiply(*added, coefficient.numerator()) && multiply(*added, power->factor) &&
          multiply(*added, times) && add(*added)) {
        return true;
      }
    }
  }
  if (!is_decimal(coefficient.denominator())) return false;
  rest_ += times * exact_value(coefficient) * exact_literal(literal);
  return true;
}

bool DecimalSum::is_short() const {
  constexpr Wide kLimit = kPowersOfTen[36];
  return rest_ == 0 && short_.units < kLimit && short_.units > -kLimit &&
         short_.decimals <= kMaxShortDecimals;
}

Fraction DecimalSum::exact() const {
  return rest_ +
         Fraction(Integer(short_.units), boost::multiprecision::pow(Integer(10), short_.decimals));
}

std::optional<Angle> DecimalSum::radians() const {
  if (!is_short()) return angle_of_radians(exact());
  Short sum = short_;
  remove_zeros(sum.units, sum.decimals);
  if (const auto fraction = fraction_of(sum)) return Angle::radians(*fraction);
  const Angle size = Angle::decimal(text_of(sum));
  return sum.units < 0 ? -size : size;
}

std::optional<Angle> DecimalSum::pi_multiple(unsigned period) const {
  Short sum = short_;
  Wide turn = 0;
  if (!is_short() || __builtin_mul_overflow(kPowersOfTen[sum.decimals], period, &turn)) {
    return angle_of_pi_multiple(period == 0 ? exact() : modulo(exact(), Integer(period)));
  }
  if (turn != 0) {
    sum.units %= turn;
    if (sum.units < 0) sum.units += turn;
  }
  remove_zeros(sum.units, sum.decimals);
  if (const auto fraction = fraction_of(sum)) return Angle::pi_times(*fraction);
  const Angle size = Angle::pi_literal(text_of(sum));
  return sum.units < 0 ? -size : size;
}

std::string DecimalSum::text_of(const Short& number) {
  const Wide size = number.units < 0 ? -number.units : number.units;
  return digits_of(static_cast<UnsignedWide>(size)) + "e-" + std::to_string(number.decimals);
}

/// Removes the common factors of the units and the power of ten, which are only twos or only fives.
std::optional<Rational> DecimalSum::fraction_of(const Short& number) {
  constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();
  Wide numerator = number.units;
  Wide denominator = 1;
  unsigned fives = number.decimals;
  unsigned twos = number.decimals;
  for (; twos > 0 && numerator % 2 == 0; --twos) numerator /= 2;
  for (; fives > 0 && numerator % 5 == 0; --fives) numerator /= 5;
  if (twos > 62 || numerator > kLargest || numerator < -kLargest) return std::nullopt;
  for (; fives > 0 && denominator <= kLargest; --fives) denominator *= 5;
  for (; twos > 0 && denominator <= kLargest; --twos) denominator *= 2;
  if (denominator > kLargest) return std::nullopt;
  return Rational::in_lowest_terms(static_cast<std::int64_t>(numerator),
                                   static_cast<std::int64_t>(denominator));
}

}  // namespace quartz::algebra

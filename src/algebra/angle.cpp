#include "quartz/algebra/angle.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <variant>

#include <boost/integer/mod_inverse.hpp>

#include "algebra/decimal_sum.hpp"
#include "algebra/exact_radians.hpp"
#include "algebra/expression_symbol.hpp"
#include "algebra/literal.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

using algebra::exact_literal;
using algebra::exact_value;
using algebra::is_literal;
using algebra::is_pi_literal;
using algebra::kTimesPi;

bool is_identifier(std::string_view name) {
  // Bytes beyond ASCII are parts of letters: OpenQASM 3 allows names such as "θ".
  const auto is_letter = [](unsigned char c) {
    return std::isalpha(c) != 0 || c == '_' || c > 127;
  };
  return !name.empty() && is_letter(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return is_letter(c) || std::isdigit(c) != 0; });
}

double literal_value(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  return is_pi_literal(text) ? number * std::numbers::pi : number;
}

cpp_int power_of_ten(unsigned exponent) {
  return boost::multiprecision::pow(cpp_int(10), exponent);
}

cpp_rational exact_value(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const cpp_int mantissa(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
  exponent -= 53;
  return exponent >= 0 ? cpp_rational(mantissa << exponent)
                       : cpp_rational(mantissa, cpp_int(1) << -exponent);
}

/// Returns atan(1/n) * 2^bits by its Taylor series, rounded down term by term.
cpp_int arctangent_of_inverse(unsigned n, unsigned bits) {
  cpp_int power = (cpp_int(1) << bits) / n;
  cpp_int sum = power;
  for (unsigned k = 3; power != 0; k += 2) {
    power /= n * n;
    if (k % 4 == 3) {
      sum -= power / k;
    } else {
      sum += power / k;
    }
  }
  return sum;
}

/// Returns `radians` modulo period * pi, within half a period of 0, with an error below 1e-18.
long double reduced_radians(const cpp_rational& radians, unsigned period) {
  const cpp_int whole =
      boost::multiprecision::numerator(radians) / boost::multiprecision::denominator(radians);
  const unsigned magnitude_bits =
      whole == 0 ? 0 : static_cast<unsigned>(msb(boost::multiprecision::abs(whole))) + 1;
  // The bits after the binary point are those of the result, and those lost by multiplying pi by
  // the number of periods.
  const unsigned bits = 96 + magnitude_bits;
  const cpp_int scaled = (boost::multiprecision::numerator(radians) << bits) /
                         boost::multiprecision::denominator(radians);
  const cpp_int turn = algebra::scaled_pi(bits) * period;
  cpp_int rest = scaled % turn;
  if (2 * rest > turn) rest -= turn;
  if (2 * rest < -turn) rest += turn;
  return std::ldexp(static_cast<long double>(cpp_int(rest >> magnitude_bits)), -96);
}

/// Angles whose parts have magnitudes that add up to at most this many radians are evaluated in
/// floating point without reduction.
constexpr double kMaxUnreduced = 32;

std::size_t mix(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

std::size_t hash_of(const Rational& value) {
  return mix(std::hash<std::int64_t>{}(value.numerator()),
             std::hash<std::int64_t>{}(value.denominator()));
}

/// Returns the decimal digits of a fraction whose denominator divides a power of ten, or nullopt.
std::optional<std::string> finite_decimal(const Rational& value) {
  std::int64_t rest = value.denominator();
  int twos = 0;
  int fives = 0;
  while (rest % 2 == 0) {
    rest /= 2;
    ++twos;
  }
  while (rest % 5 == 0) {
    rest /= 5;
    ++fives;
  }
  if (rest != 1) return std::nullopt;
  const int digits = std::max(twos, fives);
  if (digits > 18) return std::nullopt;
  __extension__ typedef __int128 ScaledValue;
  ScaledValue scaled = value.numerator();
  for (int i = twos; i < digits; ++i) scaled *= 2;
  for (int i = fives; i < digits; ++i) scaled *= 5;
  if (scaled < 0) scaled = -scaled;
  // A number with more digits would be read back as a literal term.
  if (scaled > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  auto rest_digits = static_cast<std::uint64_t>(scaled);
  std::string text;
  for (int i = 0; rest_digits != 0 || i <= digits; ++i) {
    if (i == digits && digits > 0) text.push_back('.');
    text.push_back(static_cast<char>('0' + rest_digits % 10));
    rest_digits /= 10;
  }
  std::reverse(text.begin(), text.end());
  return text;
}

/// Returns a multiple of a unit, such as "3*pi/4" for 3/4 and "pi", without its sign.
std::string scaled_unit(const Rational& magnitude, const std::string& unit) {
  std::string text;
  if (magnitude.numerator() != 1) text = std::to_string(magnitude.numerator()) + "*";
  text += unit;
  if (!magnitude.is_integer()) text += "/" + std::to_string(magnitude.denominator());
  return text;
}

double term_value(const Angle::Term& term, const std::map<std::string, double>& bindings) {
  if (is_literal(term.symbol)) return term.coefficient.to_double() * literal_value(term.symbol);
  const auto found = bindings.find(term.symbol);
  if (found == bindings.end()) {
    throw UsageError("parameter '" + term.symbol + "' has no value");
  }
  return term.coefficient.to_double() * found->second;
}

Rational magnitude(const Rational& value) { return value < Rational(0) ? -value : value; }

void append_signed(std::string& text, const Rational& sign, const std::string& what) {
  if (sign < Rational(0)) {
    text += "-";
  } else if (!text.empty()) {
    text += "+";
  }
  text += what;
}

/// Returns the value of a decimal number if it has at most 18 significant digits and, with its
/// power of ten, fits a Rational; nullopt for all other texts.
std::optional<Rational> short_decimal(std::string_view digits) {
  std::uint64_t significant = 0;
  int size = 0;      // number of significant digits
  int zeros = 0;     // zeros since the last significant digit
  int decimals = 0;  // digits after the decimal point
  bool seen_point = false;
  for (const char c : digits) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    if (seen_point) ++decimals;
    if (c == '0') {
      if (size > 0) ++zeros;
      continue;
    }
    size += zeros + 1;
    if (size > 18) return std::nullopt;
    for (; zeros >= 0; --zeros) significant *= 10;
    zeros = 0;
    significant += static_cast<std::uint64_t>(c - '0');
  }
  if (size == 0) return std::nullopt;
  int exponent = zeros - decimals;
  if (exponent < -18 || size + exponent > 18) return std::nullopt;
  std::int64_t denominator = 1;
  for (; exponent > 0; --exponent) significant *= 10;
  for (; exponent < 0; ++exponent) denominator *= 10;
  return Rational(static_cast<std::int64_t>(significant), denominator);
}

/// Returns the normal form of a literal: its first digit, the others after a point, the exponent.
/// `significant` has no zeros at its ends, and counts in units of 10^exponent.
std::string literal_text(const std::string& significant, int exponent) {
  std::string text = significant.substr(0, 1);
  if (significant.size() > 1) text += "." + significant.substr(1);
  return text + "e" + std::to_string(exponent + static_cast<int>(significant.size()) - 1);
}

/// The decimals of at most this many digits are stored as literals.
constexpr std::size_t kMaxDigits = 400;

/// The parts of a denominator that are coprime to ten and that divide a power of ten.
struct Denominator {
  cpp_int coprime;
  cpp_int of_ten = 1;
  unsigned decimals = 0;  ///< `of_ten` divides ten to this power, and to no smaller one
};

Denominator split_denominator(const cpp_int& denominator) {
  Denominator result{denominator};
  unsigned twos = 0;
  unsigned fives = 0;
  for (; result.coprime % 2 == 0; result.coprime /= 2) ++twos;
  for (; result.coprime % 5 == 0; result.coprime /= 5) ++fives;
  result.of_ten = denominator / result.coprime;
  result.decimals = std::max(twos, fives);
  return result;
}

/// Returns the fraction if it fits 64 bits.
std::optional<Rational> short_fraction(const cpp_rational& value) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const cpp_int numerator = boost::multiprecision::numerator(value);
  const cpp_int denominator = boost::multiprecision::denominator(value);
  if (boost::multiprecision::abs(numerator) > kLargest || denominator > kLargest) {
    return std::nullopt;
  }
  return Rational(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
}

/// A decimal number: its digits without zeros at their ends, in units of 10^exponent. Zero has no
/// digits.
struct Decimal {
  std::string significant;
  int exponent = 0;
};

/// Throws InputError if the text is not a decimal number.
Decimal scanned_decimal(std::string_view digits) {
  const auto fail = [&] {
    throw InputError("'" + std::string(digits) + "' is not a decimal number");
  };
  Decimal number;
  auto& [significant, exponent] = number;
  bool seen_point = false;
  bool seen_digit = false;
  std::size_t at = 0;
  for (; at < digits.size(); ++at) {
    const char c = digits[at];
    if (c == '.') {
      if (seen_point) fail();
      seen_point = true;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      seen_digit = true;
      if (!(significant.empty() && c == '0')) significant.push_back(c);
      if (seen_point) --exponent;
    } else {
      break;
    }
  }
  if (!seen_digit) fail();
  if (at < digits.size()) {
    if (digits[at] != 'e' && digits[at] != 'E') fail();
    const char* first = digits.data() + at + 1;
    const char* last = digits.data() + digits.size();
    if (last - first > 1 && *first == '+' && first[1] != '-') ++first;
    int written = 0;
    const auto [end, error] = std::from_chars(first, last, written);
    if (error != std::errc() || end != last || std::abs(written) > 10000) fail();
    exponent += written;
  }
  while (!significant.empty() && significant.back() == '0') {
    significant.pop_back();
    ++exponent;
  }
  return number;
}

/// Returns the number of a decimal text if it fits a Rational, and the text in normal form
/// otherwise, so that the same number written in two ways is one literal. Throws InputError if it
/// is not a decimal number.
std::variant<Rational, std::string> parsed_decimal(std::string_view digits) {
  if (const std::optional<Rational> value = short_decimal(digits)) return *value;
  const auto [significant, exponent] = scanned_decimal(digits);
  if (significant.empty()) return Rational();
  const int size = static_cast<int>(significant.size());
  // 19 digits are below 2^64, 10^18 is below 2^63.
  if (size <= 19 && exponent >= -18 && size + exponent <= 19) {
    std::uint64_t numerator = std::stoull(significant);
    std::int64_t denominator = 1;
    for (int i = 0; i < exponent; ++i) numerator *= 10;
    for (int i = exponent; i < 0; ++i) denominator *= 10;
    if (numerator <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      return Rational(static_cast<std::int64_t>(numerator), denominator);
    }
  }
  return literal_text(significant, exponent);
}

}  // namespace

cpp_rational algebra::exact_value(const Rational& value) {
  return {cpp_int(value.numerator()), cpp_int(value.denominator())};
}

cpp_rational algebra::exact_literal(const std::string& text) {
  const std::size_t mark = text.find('e');
  std::string digits = text.substr(0, mark);
  int exponent = std::stoi(text.substr(mark + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const cpp_int significant(digits);
  return exponent >= 0 ? cpp_rational(significant * power_of_ten(static_cast<unsigned>(exponent)))
                       : cpp_rational(significant, power_of_ten(static_cast<unsigned>(-exponent)));
}

cpp_rational algebra::modulo(const cpp_rational& fraction, const cpp_int& period) {
  const cpp_int turn = period * boost::multiprecision::denominator(fraction);
  cpp_int rest = boost::multiprecision::numerator(fraction) % turn;
  if (rest < 0) rest += turn;
  return {rest, boost::multiprecision::denominator(fraction)};
}

/// Uses Machin's formula.
cpp_int algebra::scaled_pi(unsigned bits) {
  return 4 * (4 * arctangent_of_inverse(5, bits) - arctangent_of_inverse(239, bits));
}

cpp_rational algebra::exact_radians(const Angle& angle) {
  cpp_rational sum = exact_value(angle.radian_part());
  for (const Angle::Term& term : angle.terms()) {
    if (is_literal(term.symbol) && !is_pi_literal(term.symbol)) {
      sum += exact_value(term.coefficient) * exact_literal(term.symbol);
    }
  }
  return sum;
}

std::optional<Angle> algebra::angle_of_radians(const cpp_rational& radians) {
  if (const auto fraction = short_fraction(radians)) return Angle::radians(*fraction);
  const cpp_int numerator = boost::multiprecision::numerator(radians);
  const Denominator denominator = split_denominator(boost::multiprecision::denominator(radians));
  if (denominator.coprime != 1 || denominator.decimals > kMaxDigits) return std::nullopt;
  const cpp_int scaled = boost::multiprecision::abs(numerator) *
                         power_of_ten(denominator.decimals) / denominator.of_ten;
  const std::string digits = scaled.str();
  if (digits.size() > kMaxDigits) return std::nullopt;
  const Angle magnitude = Angle::decimal(digits + "e-" + std::to_string(denominator.decimals));
  return numerator < 0 ? -magnitude : magnitude;
}

/// Partial fractions write a multiple of pi as A/r + D/t, with r coprime to 10 and t a divisor of a
/// power of ten: D/t is a decimal.
std::optional<Angle> algebra::angle_of_pi_multiple(const cpp_rational& multiple) {
  if (const auto fraction = short_fraction(multiple)) return Angle::pi_times(*fraction);
  const cpp_int denominator = boost::multiprecision::denominator(multiple);
  const Denominator parts = split_denominator(denominator);
  if (parts.decimals > kMaxDigits || parts.coprime > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  const auto coprime = static_cast<std::int64_t>(parts.coprime);
  const auto of_ten = static_cast<std::int64_t>(parts.of_ten % parts.coprime);
  const cpp_int inverse = coprime == 1 ? 0 : boost::integer::mod_inverse(of_ten, coprime);
  cpp_int numerator = boost::multiprecision::numerator(multiple) * inverse % parts.coprime;
  if (numerator < 0) numerator += parts.coprime;
  const Rational fraction(static_cast<std::int64_t>(numerator), coprime);
  const cpp_rational decimal = multiple - exact_value(fraction);
  const cpp_int scaled = boost::multiprecision::abs(boost::multiprecision::numerator(decimal)) *
                         power_of_ten(parts.decimals) / boost::multiprecision::denominator(decimal);
  const std::string digits = scaled.str();
  if (digits.size() > kMaxDigits) return std::nullopt;
  const Angle magnitude = Angle::pi_literal(digits + "e-" + std::to_string(parts.decimals));
  return Angle::pi_times(fraction) + (decimal < 0 ? -magnitude : magnitude);
}

cpp_rational algebra::exact_pi_multiple(const Angle& angle) {
  cpp_rational sum = exact_value(angle.pi_part());
  for (const Angle::Term& term : angle.terms()) {
    if (is_pi_literal(term.symbol)) {
      sum += exact_value(term.coefficient) * exact_literal(term.symbol);
    }
  }
  return sum;
}

namespace {

bool has_pi_literal(const Angle& angle) {
  return std::ranges::any_of(angle.terms(),
                             [](const Angle::Term& term) { return is_pi_literal(term.symbol); });
}

/// Returns the parts of an angle that are neither a multiple of pi nor a number of radians in 64
/// bits.
Angle terms_without_pi(const Angle& angle) {
  Angle result;
  for (const Angle::Term& term : angle.terms()) {
    if (is_pi_literal(term.symbol)) continue;
    const Angle unit =
        is_literal(term.symbol) ? Angle::decimal(term.symbol) : Angle::symbol(term.symbol);
    result += unit * term.coefficient;
  }
  return result;
}

/// The parts of an angle that are no multiples of pi.
struct PartsWithoutPi {
  algebra::DecimalSum decimals;
  cpp_rational radians;  ///< fractions that are no decimals, such as 1/3
  Angle terms;           ///< parameters, and literals times fractions that are no decimals

  void add(const Angle& angle, std::int64_t times) {
    if (!decimals.add(angle.radian_part(), times)) {
      radians += times * exact_value(angle.radian_part());
    }
    for (const Angle::Term& term : angle.terms()) {
      if (is_pi_literal(term.symbol)) continue;
      if (!is_literal(term.symbol)) {
        terms += Angle::symbol(term.symbol) * (term.coefficient * Rational(times));
      } else if (!decimals.add(term.symbol, term.coefficient, times)) {
        terms += Angle::decimal(term.symbol) * (term.coefficient * Rational(times));
      }
    }
  }
};

/// Returns a + times * b without the multiples of pi: the decimals become one fraction or one
/// literal, unless that would have too many digits. Throws OverflowError for a sum of other
/// fractions that needs more than 64 bits.
Angle sum_without_pi(const Angle& a, const Angle& b, std::int64_t times) {
  PartsWithoutPi parts;
  parts.add(a, 1);
  parts.add(b, times);
  Angle sum;
  cpp_rational radians;
  if (const std::optional<Angle> decimals = parts.decimals.radians()) {
    if (parts.radians == 0) return parts.terms += *decimals;
    sum = parts.terms;
    radians = parts.radians + exact_value(decimals->radian_part());
    if (decimals->radian_part().is_zero()) sum += *decimals;
  } else {
    sum = terms_without_pi(a) + terms_without_pi(b) * Rational(times);
    radians = exact_value(a.radian_part()) + times * exact_value(b.radian_part());
  }
  const std::optional<Angle> rest = algebra::angle_of_radians(radians);
  if (!rest.has_value()) {
    throw OverflowError("an exact sum of radians needs more than 64 bits and is not a decimal");
  }
  return sum += *rest;
}

/// Adds the part of an angle that is a multiple of pi to a sum `times` times. Returns false if it
/// is no decimal.
bool add_pi_multiple(const Angle& angle, std::int64_t times, algebra::DecimalSum& sum) {
  return sum.add(angle.pi_part(), times) &&
         std::ranges::all_of(angle.terms(), [&](const Angle::Term& term) {
           return !is_pi_literal(term.symbol) || sum.add(term.symbol, term.coefficient, times);
         });
}

/// Returns the multiple of pi of a + times * b, modulo `period` if that is not zero.
Angle sum_of_pi_multiples(const Angle& a, const Angle& b, std::int64_t times, unsigned period) {
  if (!has_pi_literal(a) && !has_pi_literal(b)) {
    try {
      const Angle sum = Angle::pi_times(a.pi_part() + b.pi_part() * Rational(times));
      return period == 0 ? sum : sum.reduced_modulo(Rational(period));
    } catch (const OverflowError&) {
      // The sum gets a literal below.
    }
  }
  std::optional<Angle> sum;
  if (algebra::DecimalSum decimals;
      add_pi_multiple(a, 1, decimals) && add_pi_multiple(b, times, decimals)) {
    sum = decimals.pi_multiple(period);
  } else {
    const cpp_rational multiple =
        algebra::exact_pi_multiple(a) + times * algebra::exact_pi_multiple(b);
    sum = algebra::angle_of_pi_multiple(period == 0 ? multiple
                                                    : algebra::modulo(multiple, cpp_int(period)));
  }
  if (!sum.has_value()) {
    throw OverflowError(
        "an exact sum of multiples of pi needs more than 64 bits and is not a decimal");
  }
  return *std::move(sum);
}

/// Returns a + times * b, its multiple of pi modulo `period` if that is not zero. What 64-bit
/// fractions cannot hold becomes a literal; throws OverflowError if it is not a decimal.
Angle sum_with_literals(const Angle& a, const Angle& b, std::int64_t times, unsigned period) {
  return sum_without_pi(a, b, times) + sum_of_pi_multiples(a, b, times, period);
}

/// Returns the angle with its multiple of pi in [0, period), or in (-period/2, period/2], as a
/// fraction if possible; nullopt if the angle has no literal times pi, if that changes nothing, or
/// if there is no such form.
std::optional<Angle> with_reduced_pi_literals(const Angle& angle, const Rational& period,
                                              bool is_symmetric) {
  if (angle.terms().empty() || !has_pi_literal(angle)) return std::nullopt;
  const cpp_rational turn = exact_value(period);
  const cpp_rational multiple = algebra::exact_pi_multiple(angle);
  cpp_rational reduced = algebra::modulo(multiple / turn, 1) * turn;
  if (is_symmetric && reduced * 2 > turn) reduced -= turn;
  const std::optional<Angle> pi = algebra::angle_of_pi_multiple(reduced);
  if (!pi.has_value() || (reduced == multiple && has_pi_literal(*pi))) return std::nullopt;
  return terms_without_pi(angle) + Angle::radians(angle.radian_part()) + *pi;
}

/// Returns the literals in radians among the terms, which come before the parameters.
std::span<const Angle::Term> literals_of(const Angle& angle) {
  const auto end = std::ranges::find_if_not(
      angle.terms(), [](const Angle::Term& term) { return is_literal(term.symbol); });
  return {angle.terms().begin(), end};
}

/// Returns whether the sum of two phases without literals times pi has at most one number of
/// radians, so that += need not make one of several.
bool has_one_decimal(const Angle& a, const Angle& b) {
  const std::span<const Angle::Term> left = literals_of(a);
  const std::span<const Angle::Term> right = literals_of(b);
  if (left.empty() && right.empty()) return true;
  if (!a.radian_part().is_zero() || !b.radian_part().is_zero()) return false;
  if (left.size() + right.size() == 1) return true;
  return left.size() == 1 && right.size() == 1 && left[0].symbol == right[0].symbol;
}

}  // namespace

Angle algebra::exact_sum(const Angle& a, const Angle& b) {
  // Equal sums need equal literals times pi: the exact sum decides whether there is one.
  if (!has_pi_literal(a) && !has_pi_literal(b)) {
    if (std::optional<Angle> sum = try_add(a, b)) return *std::move(sum);
  }
  return sum_with_literals(a, b, 1, 0);
}

Angle Angle::of(const Rational& pi, const Rational& radians, std::vector<Term> terms) {
  Angle result;
  if (terms.empty() && radians.is_zero()) {
    result.words_ = {pi.numerator(), pi.denominator()};
  } else if (terms.empty() && pi.is_zero()) {
    result.words_ = {radians.numerator(), -radians.denominator()};
  } else {
    const auto* const sum = new Sum{pi, radians, std::move(terms)};
    result.words_ = {std::bit_cast<std::int64_t>(sum), 0};
  }
  return result;
}

Angle Angle::with_pi_part(const Rational& pi) const {
  if (is_pi_multiple()) return of(pi, {}, {});
  const std::span<const Term> terms = this->terms();
  return of(pi, radian_part(), {terms.begin(), terms.end()});
}

Angle Angle::with_radian_part(const Rational& radians) const {
  const std::span<const Term> terms = this->terms();
  return of(pi_part(), radians, {terms.begin(), terms.end()});
}

void Angle::release() noexcept {
  const Sum* const sum = &this->sum();
  if (sum->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete sum;
}

bool Angle::is_equal_sum(const Angle& a, const Angle& b) noexcept {
  const Sum& left = a.sum();
  const Sum& right = b.sum();
  return left.pi == right.pi && left.radians == right.radians && left.terms == right.terms;
}

std::strong_ordering operator<=>(const Angle& a, const Angle& b) noexcept {
  if (a == b) return std::strong_ordering::equal;
  if (const auto order = a.pi_part() <=> b.pi_part(); order != 0) return order;
  if (const auto order = a.radian_part() <=> b.radian_part(); order != 0) return order;
  const auto left = a.terms();
  const auto right = b.terms();
  return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(),
                                                right.end());
}

Angle Angle::pi_times(const Rational& multiple) { return of(multiple, {}, {}); }

Angle Angle::radians(const Rational& value) { return of({}, value, {}); }

Angle Angle::symbol(std::string name) {
  if (!is_identifier(name) || name == "pi" || name == "π") {
    throw UsageError("a parameter's name must be an identifier other than 'pi' and 'π', found '" +
                     name + "'");
  }
  return of({}, {}, {{std::move(name), Rational(1)}});
}

Angle Angle::decimal(std::string_view digits) {
  std::variant<Rational, std::string> number = parsed_decimal(digits);
  if (const auto* const fraction = std::get_if<Rational>(&number)) return radians(*fraction);
  return of({}, {}, {{std::get<std::string>(std::move(number)), Rational(1)}});
}

Angle Angle::pi_literal(std::string_view digits) {
  const Decimal number = scanned_decimal(digits);
  if (number.significant.empty()) return {};
  std::string text = literal_text(number.significant, number.exponent);
  return of({}, {}, {{text.append(kTimesPi), Rational(1)}});
}

bool Angle::is_constant() const noexcept {
  return std::ranges::all_of(terms(), [](const Term& term) { return is_literal(term.symbol); });
}

bool Angle::in_range() const {
  constexpr double kLargest = 1e300;
  return std::ranges::all_of(terms(), [](const Term& term) {
    return !is_literal(term.symbol) ||
           std::abs(term.coefficient.to_double() * literal_value(term.symbol)) <= kLargest;
  });
}

std::vector<std::string> Angle::symbols() const {
  std::vector<std::string> names;
  for (const Term& term : terms()) {
    if (!is_literal(term.symbol)) names.push_back(term.symbol);
  }
  return names;
}

double Angle::value(const std::map<std::string, double>& bindings) const {
  double sum = pi_part().to_double() * std::numbers::pi + radian_part().to_double();
  for (const Term& term : terms()) sum += term_value(term, bindings);
  return sum;
}

Angle::Parts Angle::parts(const std::map<std::string, double>& bindings) const {
  Parts result;
  const auto add = [&](double part) {
    result.sum += part;
    result.magnitude += std::abs(part);
  };
  add(pi_part().to_double() * std::numbers::pi);
  add(radian_part().to_double());
  for (const Term& term : terms()) add(term_value(term, bindings));
  return result;
}

double Angle::value_modulo_error(const std::map<std::string, double>& bindings) const {
  // Each part is rounded at most four times and each sum once; a reduced angle is rounded once.
  constexpr double unit = 0x1p-53;
  const double magnitude = parts(bindings).magnitude;
  if (!(magnitude <= kMaxUnreduced)) return 8 * unit;
  return (4 + static_cast<double>(terms().size() + 1)) * unit * magnitude;
}

double Angle::value_modulo(unsigned period, const std::map<std::string, double>& bindings) const {
  const Parts rounded = parts(bindings);
  if (rounded.magnitude <= kMaxUnreduced) return rounded.sum;
  cpp_rational radians = algebra::exact_radians(*this);
  for (const Term& term : terms()) {
    if (is_literal(term.symbol)) continue;
    radians += exact_value(term.coefficient) * exact_value(bindings.at(term.symbol));
  }
  const cpp_rational of_pi = algebra::modulo(algebra::exact_pi_multiple(*this), cpp_int(period));
  return static_cast<double>(
      std::remainder(reduced_radians(radians, period) +
                         static_cast<long double>(of_pi) * std::numbers::pi_v<long double>,
                     static_cast<long double>(period) * std::numbers::pi_v<long double>));
}

Angle Angle::substitute(const std::map<std::string, Angle>& replacements) const {
  if (!is_sum()) return *this;
  Angle result = of(pi_part(), radian_part(), {});
  for (const Term& term : terms()) {
    const auto found = replacements.find(term.symbol);
    if (found == replacements.end()) {
      result += of({}, {}, {term});
    } else {
      result += found->second * term.coefficient;
    }
  }
  return result;
}

Angle Angle::reduced_modulo(const Rational& period) const {
  if (const auto reduced = with_reduced_pi_literals(*this, period, false)) return *reduced;
  const Rational pi = pi_part();
  if (pi >= Rational(0) && pi < period) return *this;
  return with_pi_part(pi.modulo(period));
}

Angle Angle::reduced_symmetric(const Rational& period) const {
  if (const auto reduced = with_reduced_pi_literals(*this, period, true)) return *reduced;
  const Rational pi = pi_part();
  const Rational reduced = pi.symmetric_modulo(period);
  return reduced == pi ? *this : with_pi_part(reduced);
}

std::string Angle::to_string() const {
  if (is_zero()) return "0";
  std::string text;
  for (const Term& term : terms()) {
    append_signed(text, term.coefficient, scaled_unit(magnitude(term.coefficient), term.symbol));
  }
  const Rational pi = pi_part();
  if (!pi.is_zero()) append_signed(text, pi, scaled_unit(magnitude(pi), "pi"));
  const Rational radians = radian_part();
  if (!radians.is_zero()) {
    const Rational size = magnitude(radians);
    append_signed(text, radians, finite_decimal(size).value_or(size.to_string()));
  }
  return text;
}

std::string Angle::to_readable_string() const {
  return algebra::with_expressions_written_out(to_string());
}

std::size_t Angle::hash() const noexcept {
  std::size_t seed = mix(hash_of(pi_part()), hash_of(radian_part()));
  for (const Term& term : terms()) {
    seed = mix(mix(seed, std::hash<std::string>{}(term.symbol)), hash_of(term.coefficient));
  }
  return seed;
}

Angle Angle::operator-() const {
  if (is_sum()) return *this * Rational(-1);
  return is_pi_multiple() ? pi_times(-own_fraction()) : radians(-own_fraction());
}

Angle& Angle::operator+=(const Angle& other) {
  if (is_pi_multiple() && other.is_pi_multiple()) {
    const Rational sum = own_fraction() + other.own_fraction();
    words_ = {sum.numerator(), sum.denominator()};
    return *this;
  }
  // The sums are computed before anything is changed, so that an overflow leaves *this unchanged.
  const Rational pi = pi_part() + other.pi_part();
  const Rational radians = radian_part() + other.radian_part();
  if (!is_sum() && !other.is_sum()) return *this = of(pi, radians, {});
  const std::span<const Term> all_left = terms();
  const std::span<const Term> all_right = other.terms();
  std::vector<Term> merged;
  merged.reserve(all_left.size() + all_right.size());
  auto left = all_left.begin();
  auto right = all_right.begin();
  while (left != all_left.end() || right != all_right.end()) {
    if (right == all_right.end() || (left != all_left.end() && left->symbol < right->symbol)) {
      merged.push_back(*left++);
    } else if (left == all_left.end() || right->symbol < left->symbol) {
      merged.push_back(*right++);
    } else {
      const Rational sum = left->coefficient + right->coefficient;
      if (!sum.is_zero()) merged.push_back({left->symbol, sum});
      ++left;
      ++right;
    }
  }
  return *this = of(pi, radians, std::move(merged));
}

Angle& Angle::add_phase(const Angle& other, std::int64_t times) {
  // As in algebra::exact_sum.
  if (!has_pi_literal(*this) && !has_pi_literal(other) && has_one_decimal(*this, other)) {
    try {
      const Angle added = times == 1 ? other : other * Rational(times);
      return *this = (*this + added).reduced_modulo(Rational(2));
    } catch (const OverflowError&) {
      // The sum gets a literal below.
    }
  }
  return *this = sum_with_literals(*this, other, times, 2);
}

Angle operator*(const Angle& a, const Rational& factor) {
  if (factor.is_zero()) return {};
  std::vector<Angle::Term> terms;
  terms.reserve(a.terms().size());
  for (const Angle::Term& term : a.terms()) {
    terms.push_back({term.symbol, term.coefficient * factor});
  }
  return Angle::of(a.pi_part() * factor, a.radian_part() * factor, std::move(terms));
}

std::optional<Angle> try_add(const Angle& a, const Angle& b) {
  try {
    return a + b;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

}  // namespace quartz

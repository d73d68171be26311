#include "qasm/text/arithmetic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "algebra/exact_radians.hpp"
#include "algebra/expression_symbol.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/number.hpp"
#include "qasm/text/value_type.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

using boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

/// Bound on the terms of an expression's value, which limits the cost of copying sums term by term.
constexpr std::size_t kMaxTerms = 256;

/// A rational multiple of something.
struct Multiple {
  Rational factor = Rational(1);
  Angle angle;
};

/// Takes a coefficient out, so that multiples of one another have the same rest.
Multiple without_factor(const Angle& angle) {
  if (!angle.terms().empty()) {
    const Rational factor = angle.terms()[0].coefficient;
    return {factor, angle * (Rational(1) / factor)};
  }
  if (angle.is_pi_multiple() && !angle.is_zero()) return {angle.pi_part(), Angle::pi_times(1)};
  return {Rational(1), angle};
}

/// Returns a product that is not linear in the free parameters. The order of the factors does not
/// matter.
Angle opaque_product(const Angle& a, const Angle& b) {
  const Multiple left = without_factor(a);
  const Multiple right = without_factor(b);
  std::string first = angle_text(left.angle);
  std::string second = angle_text(right.angle);
  if (second < first) first.swap(second);
  return algebra::symbol_of_expression(fmt::format("({})*({})", first, second)) *
         (left.factor * right.factor);
}

Angle opaque_quotient(const Angle& a, const Angle& b) {
  const Multiple left = without_factor(a);
  const Multiple right = without_factor(b);
  return algebra::symbol_of_expression(
             fmt::format("({})/({})", angle_text(left.angle), angle_text(right.angle))) *
         (left.factor / right.factor);
}

bool are_constant(const Angle& a, const Angle& b) { return a.is_constant() && b.is_constant(); }

/// Returns whether the value is a rational number and nothing else.
bool is_rational(const Angle& angle) noexcept {
  return angle.pi_part().is_zero() && angle.terms().empty();
}

/// A constant in fractions of any size: `pi` multiples of pi plus `radians`.
struct WideConstant {
  Fraction pi;
  Fraction radians;
};

WideConstant wide_constant(const Angle& angle) {
  return {algebra::exact_pi_multiple(angle), algebra::exact_radians(angle)};
}

/// Returns the multiple of pi, or nullopt if its denominator does not fit 64 bits. It is
/// written in the form n*pi/d, which is exact when it is read again.
std::optional<Angle> multiple_of_pi(const Fraction& multiple) {
  const cpp_int numerator = boost::multiprecision::numerator(multiple);
  const cpp_int denominator = boost::multiprecision::denominator(multiple);
  const cpp_int magnitude = boost::multiprecision::abs(numerator);
  const cpp_int largest = std::numeric_limits<std::int64_t>::max();
  if (denominator > largest) return std::nullopt;
  const Rational part(numerator < 0 ? -1 : 1, static_cast<std::int64_t>(denominator));
  if (magnitude > largest) return Angle::pi_literal(magnitude.str()) * part;
  return Angle::pi_times(Rational(static_cast<std::int64_t>(magnitude)) * part);
}

/// Returns nullopt if the constant does not fit an Angle.
std::optional<Angle> angle_of(const WideConstant& constant) {
  const std::optional<Angle> pi = multiple_of_pi(constant.pi);
  const std::optional<Angle> radians = algebra::angle_of_radians(constant.radians);
  return pi.has_value() && radians.has_value() ? try_add(*pi, *radians) : std::nullopt;
}

/// Adds constants in fractions of any size; returns nullopt if the result does not fit an Angle.
std::optional<Angle> wide_sum(const Angle& a, const Angle& b) {
  if (!are_constant(a, b)) return std::nullopt;
  const WideConstant left = wide_constant(a);
  const WideConstant right = wide_constant(b);
  return angle_of({left.pi + right.pi, left.radians + right.radians});
}

/// Returns whether a multiple of pi by this number is exact. Decimals of many digits times pi are
/// computed in doubles, because programs write them for simple multiples of pi.
bool multiplies_pi_exactly(const Fraction& number) {
  return boost::multiprecision::denominator(number) == 1;
}

/// Computes the product with a number or the quotient by one, with fractions and failures as in
/// wide_sum.
std::optional<Angle> wide_product(const Angle& a, const Angle& b) {
  if (!are_constant(a, b)) return std::nullopt;
  const WideConstant left = wide_constant(a);
  const WideConstant right = wide_constant(b);
  if (left.pi != 0 && right.pi != 0) return std::nullopt;
  if (left.pi != 0 && !multiplies_pi_exactly(right.radians)) return std::nullopt;
  if (right.pi != 0 && !multiplies_pi_exactly(left.radians)) return std::nullopt;
  // One of the two products is zero. A single expression of both has g++ warn about boost's code.
  const Fraction first = left.pi * right.radians;
  const Fraction second = left.radians * right.pi;
  const Fraction radians = left.radians * right.radians;
  return angle_of({first.is_zero() ? second : first, radians});
}

std::optional<Angle> wide_quotient(const Angle& a, const Angle& b) {
  if (!are_constant(a, b)) return std::nullopt;
  const WideConstant number = wide_constant(a);
  const WideConstant divisor = wide_constant(b);
  if (divisor.pi != 0) {
    if (divisor.radians != 0 || number.radians != 0) return std::nullopt;
    return algebra::angle_of_radians(number.pi / divisor.pi);
  }
  if (divisor.radians == 0) return std::nullopt;
  if (number.pi != 0 && !multiplies_pi_exactly(divisor.radians)) return std::nullopt;
  return angle_of({number.pi / divisor.radians, number.radians / divisor.radians});
}

/// Returns the power of a number by a whole exponent; nullopt if it does not fit an Angle, or needs
/// more digits than one has.
std::optional<Angle> wide_power(const Angle& base, const Angle& exponent) {
  if (!are_constant(base, exponent) || !is_rational(exponent)) return std::nullopt;
  const WideConstant number = wide_constant(base);
  const Rational times = exponent.radian_part();
  if (number.pi != 0 || number.radians == 0 || !times.is_integer()) return std::nullopt;
  constexpr std::int64_t kMostBits = 2048;
  const cpp_int numerator = boost::multiprecision::numerator(number.radians);
  const cpp_int denominator = boost::multiprecision::denominator(number.radians);
  const auto bits = static_cast<std::int64_t>(
      std::max(boost::multiprecision::msb(boost::multiprecision::abs(numerator)),
               boost::multiprecision::msb(denominator)));
  const std::int64_t most = kMostBits / (bits + 1);
  if (times > Rational(most) || times < Rational(-most)) return std::nullopt;
  const auto count = static_cast<unsigned>(std::abs(times.numerator()));
  const cpp_int above = boost::multiprecision::pow(numerator, count);
  const cpp_int below = boost::multiprecision::pow(denominator, count);
  return algebra::angle_of_radians(times < Rational(0) ? Fraction(below, above)
                                                       : Fraction(above, below));
}

/// Returns a sum of constants as a fraction of 64 bits if it is one: those who compute in doubles
/// lose digits in the difference of large numbers.
Angle without_large_numbers(Angle sum) {
  const bool has_one_number =
      sum.terms().empty() || (sum.terms().size() == 1 && sum.radian_part().is_zero());
  if (has_one_number || !sum.is_constant()) return sum;
  std::optional<Angle> small = angle_of(wide_constant(sum));
  return small && small->terms().empty() ? *std::move(small) : sum;
}

/// Returns `exact()`. If 64-bit fractions are too small for that, returns `wide(a, b)` if it has a
/// result, and otherwise `approximate` of the doubles. Sums of large numbers thereby keep all
/// digits, which angles modulo 2 pi need.
template <typename Exact, typename Wide, typename Approximate>
Angle exactly_or_in_doubles(const Angle& a, const Angle& b, Exact exact, Wide wide,
                            Approximate approximate) {
  try {
    return exact();
  } catch (const OverflowError&) {
    for (const Angle* operand : {&a, &b}) {
      if (!operand->is_constant()) {
        throw InputError(
            fmt::format("the multiples of the free parameter '{}' do not fit 64-bit fractions",
                        operand->symbols().front()));
      }
    }
    if (std::optional<Angle> result = wide(a, b)) return *std::move(result);
    return angle_from_double(approximate(a.value(), b.value()));
  }
}

std::optional<std::int64_t> exact_square_root(std::int64_t square) {
  const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(square))));
  __extension__ typedef __int128 Wide;
  if (Wide{root} * root != square) return std::nullopt;
  return root;
}

/// Returns base^exponent by squaring; throws OverflowError.
Rational integer_power(Rational base, std::int64_t exponent) {
  if (exponent < 0) {
    base = Rational(1) / base;
    exponent = -exponent;
  }
  if (base == Rational(1) || base.is_zero()) return exponent == 0 ? Rational(1) : base;
  if (base == Rational(-1)) return exponent % 2 == 0 ? Rational(1) : base;
  Rational result(1);
  while (true) {
    if (exponent % 2 != 0) result = result * base;
    exponent /= 2;
    if (exponent == 0) return result;
    base = base * base;
  }
}

/// Returns sin(multiple*pi) if it is rational (by Niven's theorem only 0, 1/2 and 1, at multiples
/// of pi/6).
std::optional<Rational> rational_sine(const Rational& multiple) {
  const Rational turn = multiple - Rational(2) * Rational((multiple / Rational(2)).floor());
  const Rational sixths = turn * Rational(6);
  if (!sixths.is_integer()) return std::nullopt;
  switch (sixths.numerator()) {
    case 0:
    case 6:
      return Rational(0);
    case 1:
    case 5:
      return Rational(1, 2);
    case 3:
      return Rational(1);
    case 7:
    case 11:
      return Rational(-1, 2);
    case 9:
      return Rational(-1);
    default:
      return std::nullopt;
  }
}

/// Returns tan(multiple*pi) if it is rational (only 0 and +-1, at multiples of pi/4).
std::optional<Rational> rational_tangent(const Rational& multiple) {
  const Rational quarters = (multiple - Rational(multiple.floor())) * Rational(4);
  if (!quarters.is_integer()) return std::nullopt;
  switch (quarters.numerator()) {
    case 0:
      return Rational(0);
    case 1:
      return Rational(1);
    case 3:
      return Rational(-1);
    default:
      throw InputError("the tangent of an odd multiple of pi/2 is not finite");
  }
}

std::optional<Rational> rational_result(Function function, const Angle& argument) {
  if (argument.is_pi_multiple()) {
    if (function == Function::sin) return rational_sine(argument.pi_part());
    if (function == Function::cos) return rational_sine(argument.pi_part() + Rational(1, 2));
    if (function == Function::tan) return rational_tangent(argument.pi_part());
  }
  if (function == Function::sqrt && is_rational(argument)) {
    const Rational square = argument.radian_part();
    if (square < Rational(0)) return std::nullopt;
    const auto numerator = exact_square_root(square.numerator());
    const auto denominator = exact_square_root(square.denominator());
    if (numerator && denominator) return Rational(*numerator, *denominator);
  }
  return std::nullopt;
}

/// Returns whether both are integers, and fails for one beside a number whose value is left open.
bool are_integers(const Value& a, const Value& b) {
  if (a.is_integer && b.is_integer) return true;
  check_decided(a);
  check_decided(b);
  return false;
}

/// Returns the power of integers; nullopt for a negative exponent.
std::optional<Value> power_of_integers(const Value& base, const Value& exponent) {
  const auto number = whole_number_of(base);
  const auto times = whole_number_of(exponent);
  if (!number || !times) throw InputError("the integer is too large");
  if (*times < 0) {
    check_decided(base);
    return std::nullopt;
  }
  const auto fail_size = [] {
    throw InputError(
        fmt::format("a power of integers of more than {} bits is not supported", kMaxBitsOfNumber));
  };
  const auto magnitude = boost::multiprecision::abs(*number);
  // The power has more bits than `bits` times the exponent, and at most twice as many.
  const unsigned bits =
      magnitude == 0 ? 0 : static_cast<unsigned>(boost::multiprecision::msb(magnitude));
  if (bits > 0 && *times > kMaxBitsOfNumber / bits) fail_size();
  // Only the parity of the exponent matters to the powers of 0, 1 and -1.
  const unsigned count = bits > 0 || *times < 2 ? static_cast<unsigned>(*times)
                                                : static_cast<unsigned>(*times % 2) + 2;
  const cpp_int power = boost::multiprecision::pow(*number, count);
  const cpp_int size = power < 0 ? cpp_int(-power) : power;
  if ((size >> kMaxBitsOfNumber) != 0) fail_size();
  return with_common_type(integer_of_type(power, {}), base, exponent);
}

/// Returns the quotient of integers, which OpenQASM 3 truncates. Throws InputError if that matters,
/// because most programs mean the fraction.
Value quotient_of_integers(const Value& a, const Value& b) {
  const auto number = whole_number_of(a);
  const auto divisor = whole_number_of(b);
  if (!number || !divisor) throw InputError("the integer is too large");
  if (*number % *divisor != 0) {
    throw InputError(fmt::format(
        "OpenQASM 3 truncates the quotient of the integers {0} and {1}: write {0}.0/{1} for the "
        "fraction",
        number->str(), divisor->str()));
  }
  return with_common_type(integer_of_type(*number / *divisor, {}), a, b);
}

double call_in_doubles(Function function, double argument) {
  switch (function) {
    case Function::sin:
      return std::sin(argument);
    case Function::cos:
      return std::cos(argument);
    case Function::tan:
      return std::tan(argument);
    case Function::exp:
      return std::exp(argument);
    case Function::ln:
      return std::log(argument);
    case Function::sqrt:
      return std::sqrt(argument);
    case Function::arcsin:
      return std::asin(argument);
    case Function::arccos:
      return std::acos(argument);
    case Function::arctan:
      return std::atan(argument);
  }
  throw InternalError("an expression calls an unknown function");
}

}  // namespace

std::optional<Function> find_function(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Function>, 13> kFunctions{{
      {"sin", Function::sin},
      {"cos", Function::cos},
      {"tan", Function::tan},
      {"exp", Function::exp},
      {"ln", Function::ln},
      {"log", Function::ln},
      {"sqrt", Function::sqrt},
      {"asin", Function::arcsin},
      {"acos", Function::arccos},
      {"atan", Function::arctan},
      {"arcsin", Function::arcsin},
      {"arccos", Function::arccos},
      {"arctan", Function::arctan},
  }};
  for (const auto& [known, function] : kFunctions) {
    if (known == name) return function;
  }
  return std::nullopt;
}

std::string_view function_name(Function function) {
  constexpr std::array<std::string_view, 9> kNames{"sin",  "cos",    "tan",    "exp",   "log",
                                                   "sqrt", "arcsin", "arccos", "arctan"};
  return kNames[static_cast<std::size_t>(function)];
}

std::optional<Angle> find_constant(std::string_view name) {
  if (name == "pi" || name == "π") return Angle::pi_times(1);
  if (name == "tau" || name == "τ") return Angle::pi_times(2);
  if (name == "euler" || name == "ℇ") return angle_from_double(std::numbers::e);
  return std::nullopt;
}

Value add(const Value& a, const Value& b) {
  if (a.measured != nullptr || b.measured != nullptr) return combine(BitOperator::sum, a, b);
  if (a.type.is_angle || b.type.is_angle) return add_angles(a, b);
  const bool integers = are_integers(a, b);
  Angle sum = exactly_or_in_doubles(
      a.angle, b.angle, [&] { return without_large_numbers(a.angle + b.angle); }, wide_sum,
      [](double x, double y) { return x + y; });
  if (sum.terms().size() > kMaxTerms) {
    throw InputError(
        fmt::format("an expression with more than {} free parameters is not supported", kMaxTerms));
  }
  Value result{std::move(sum), integers, {}};
  return integers ? with_common_type(std::move(result), a, b) : result;
}

Value negate(const Value& a) {
  if (a.type.is_angle) return multiple_of_angle(a, {Angle::radians(-1), true});
  if (a.angle_sign == 0) {
    Value result{-a.angle, a.is_integer, {}};
    return a.is_integer ? with_common_type(std::move(result), a, a) : result;
  }
  Value result = a;
  result.angle_sign = static_cast<std::int8_t>(-a.angle_sign);
  return result;
}

Value subtract(const Value& a, const Value& b) {
  if (b.type == ValueType() || b.type.is_angle) return add(a, negate(b));
  // The negative of an operand without a sign may not be one of its type.
  Value negative = negate({b.angle, b.is_integer});
  negative.type = b.type;
  return add(a, negative);
}

Value multiply(const Value& a, const Value& b) {
  if (a.type.is_angle && b.is_integer) return multiple_of_angle(a, b);
  if (b.type.is_angle && a.is_integer) return multiple_of_angle(b, a);
  if (a.type.is_angle || b.type.is_angle) return multiply(number_of_angle(a), number_of_angle(b));
  const bool integers = are_integers(a, b);
  const auto exact = [&]() -> Angle {
    if (is_rational(a.angle)) return b.angle * a.angle.radian_part();
    if (is_rational(b.angle)) return a.angle * b.angle.radian_part();
    if (!are_constant(a.angle, b.angle)) return opaque_product(a.angle, b.angle);
    if (auto product = wide_product(a.angle, b.angle)) return *std::move(product);
    return angle_from_double(a.angle.value() * b.angle.value());
  };
  Value result{exactly_or_in_doubles(a.angle, b.angle, exact, wide_product,
                                     [](double x, double y) { return x * y; }),
               integers};
  return integers ? with_common_type(std::move(result), a, b) : result;
}

Value divide(const Value& a, const Value& b, bool truncates) {
  if (b.angle.is_zero()) throw InputError("division by zero");
  if (a.type.is_angle && (b.type.is_angle || b.is_integer)) return quotient_of_angle(a, b);
  if (a.type.is_angle || b.type.is_angle) {
    return divide(number_of_angle(a), number_of_angle(b), truncates);
  }
  check_same_sign(a, b);
  if (truncates && a.is_integer && b.is_integer) return quotient_of_integers(a, b);
  const auto exact = [&]() -> Angle {
    if (is_rational(b.angle)) return a.angle * (Rational(1) / b.angle.radian_part());
    if (a.angle.is_pi_multiple() && b.angle.is_pi_multiple()) {
      return Angle::radians(a.angle.pi_part() / b.angle.pi_part());
    }
    if (!are_constant(a.angle, b.angle)) return opaque_quotient(a.angle, b.angle);
    if (auto quotient = wide_quotient(a.angle, b.angle)) return *std::move(quotient);
    return angle_from_double(a.angle.value() / b.angle.value());
  };
  Angle quotient = exactly_or_in_doubles(a.angle, b.angle, exact, wide_quotient,
                                         [](double x, double y) { return x / y; });
  return {std::move(quotient), false};
}

Value power(const Value& base, const Value& exponent) {
  if (base.type.is_angle || exponent.type.is_angle) {
    return power(number_of_angle(base), number_of_angle(exponent));
  }
  check_decided(exponent);
  if (base.is_integer && exponent.is_integer) {
    if (const auto result = power_of_integers(base, exponent)) return *result;
  }
  const bool integer_exponent =
      is_rational(exponent.angle) && exponent.angle.radian_part().is_integer();
  if (integer_exponent && exponent.angle.radian_part() == Rational(1)) return base;
  if (!are_constant(base.angle, exponent.angle)) {
    return {algebra::symbol_of_expression(
                fmt::format("({})**({})", angle_text(base.angle), angle_text(exponent.angle))),
            false};
  }
  if (base.angle.is_zero() && exponent.angle.value() < 0) throw InputError("division by zero");
  const auto exact = [&]() -> Angle {
    if (integer_exponent && is_rational(base.angle)) {
      return Angle::radians(
          integer_power(base.angle.radian_part(), exponent.angle.radian_part().numerator()));
    }
    if (auto result = wide_power(base.angle, exponent.angle)) return *std::move(result);
    return angle_from_double(std::pow(base.angle.value(), exponent.angle.value()));
  };
  return {exactly_or_in_doubles(base.angle, exponent.angle, exact, wide_power,
                                [](double x, double y) { return std::pow(x, y); }),
          false};
}

Value call(Function function, const Value& argument) {
  const bool has_period =
      function == Function::sin || function == Function::cos || function == Function::tan;
  if (argument.type.is_angle && !has_period) return call(function, number_of_angle(argument));
  check_decided(argument);
  if (!argument.angle.is_constant()) {
    return {algebra::symbol_of_expression(
                fmt::format("{}({})", function_name(function), angle_text(argument.angle))),
            false};
  }
  try {
    if (const auto exact = rational_result(function, argument.angle)) {
      return {Angle::radians(*exact), false};
    }
  } catch (const OverflowError&) {
    // A multiple of pi whose exact result overflows is computed in doubles below.
  }
  // The turns of a large angle are dropped exactly.
  constexpr unsigned kTurn = 2;
  const double number = has_period ? argument.angle.value_modulo(kTurn) : argument.angle.value();
  return {angle_from_double(call_in_doubles(function, number)), false};
}

}  // namespace quartz::qasm

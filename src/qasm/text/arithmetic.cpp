#include "qasm/text/arithmetic.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
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

/// Returns whether the angle is a number: a constant without a multiple of pi.
bool is_number(const Angle& angle) { return angle.pi_part().is_zero() && angle.is_constant(); }

/// Adds constants in fractions of any size; returns nullopt if the result does not fit an Angle.
std::optional<Angle> wide_sum(const Angle& a, const Angle& b) {
  if (!a.is_constant() || !b.is_constant()) return std::nullopt;
  const std::optional<Angle> pi =
      try_add(Angle::pi_times(a.pi_part()), Angle::pi_times(b.pi_part()));
  const std::optional<Angle> radians =
      algebra::angle_of_radians(algebra::exact_radians(a) + algebra::exact_radians(b));
  return pi.has_value() && radians.has_value() ? try_add(*pi, *radians) : std::nullopt;
}

/// Computes the product or the quotient of numbers, with fractions and failures as in wide_sum.
std::optional<Angle> wide_product(const Angle& a, const Angle& b) {
  if (!is_number(a) || !is_number(b)) return std::nullopt;
  return algebra::angle_of_radians(algebra::exact_radians(a) * algebra::exact_radians(b));
}

std::optional<Angle> wide_quotient(const Angle& a, const Angle& b) {
  const Fraction divisor = algebra::exact_radians(b);
  if (!is_number(a) || !is_number(b) || divisor == 0) return std::nullopt;
  return algebra::angle_of_radians(algebra::exact_radians(a) / divisor);
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

/// Returns the power of integers with a type; nullopt for a negative exponent.
std::optional<Value> power_of_integers(const Value& base, const Value& exponent) {
  const auto number = whole_number_of(base);
  const auto times = whole_number_of(exponent);
  if (!number || !times) throw InputError("the integer is too large");
  if (*times < 0) {
    check_decided(base);
    return std::nullopt;
  }
  const auto magnitude = boost::multiprecision::abs(*number);
  const unsigned bits =
      magnitude == 0 ? 0 : static_cast<unsigned>(boost::multiprecision::msb(magnitude)) + 1;
  if (bits > 1 && *times > kMaxBitsOfNumber / bits) {
    throw InputError(
        fmt::format("a power of integers of more than {} bits is not supported", kMaxBitsOfNumber));
  }
  // Only the parity of the exponent matters to the powers of 0, 1 and -1.
  const unsigned count = bits > 1 || *times < 2 ? static_cast<unsigned>(*times)
                                                : static_cast<unsigned>(*times % 2) + 2;
  Value exact = integer_of_type(boost::multiprecision::pow(*number, count), {});
  return with_common_type(std::move(exact), base, exponent);
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
      a.angle, b.angle, [&] { return a.angle + b.angle; }, wide_sum,
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
  const auto exact = [&]() -> Angle {
    if (is_rational(b.angle)) return a.angle * (Rational(1) / b.angle.radian_part());
    if (a.angle.is_pi_multiple() && b.angle.is_pi_multiple()) {
      return Angle::radians(a.angle.pi_part() / b.angle.pi_part());
    }
    if (!are_constant(a.angle, b.angle)) return opaque_quotient(a.angle, b.angle);
    return angle_from_double(a.angle.value() / b.angle.value());
  };
  Angle quotient = exactly_or_in_doubles(a.angle, b.angle, exact, wide_quotient,
                                         [](double x, double y) { return x / y; });
  const bool integers = a.is_integer && b.is_integer;
  if (truncates && integers && !quotient.radian_part().is_integer()) {
    throw InputError(fmt::format(
        "OpenQASM 3 truncates the quotient of the integers {0} and {1}: write {0}.0/{1} for the "
        "fraction",
        a.angle.to_string(), b.angle.to_string()));
  }
  Value result{std::move(quotient), integers && truncates};
  return result.is_integer ? with_common_type(std::move(result), a, b) : result;
}

Value power(const Value& base, const Value& exponent) {
  if (base.type.is_angle || exponent.type.is_angle) {
    return power(number_of_angle(base), number_of_angle(exponent));
  }
  check_decided(exponent);
  const bool has_type = base.is_integer && exponent.is_integer &&
                        (base.type != ValueType() || exponent.type != ValueType());
  if (has_type) {
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
    return angle_from_double(std::pow(base.angle.value(), exponent.angle.value()));
  };
  Angle result = exactly_or_in_doubles(
      base.angle, exponent.angle, exact,
      [](const Angle&, const Angle&) { return std::optional<Angle>(); },
      [](double x, double y) { return std::pow(x, y); });
  const bool integers =
      base.is_integer && exponent.is_integer && exponent.angle.radian_part() >= Rational(0);
  return {std::move(result), integers};
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
  return {angle_from_double(call_in_doubles(function, argument.angle.value())), false};
}

}  // namespace quartz::qasm

// Functions of OpenQASM 3 that round numbers, or that are about integers and bits.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "algebra/exact_radians.hpp"
#include "qasm/text/arithmetic.hpp"
#include "qasm/text/value_type.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::array<std::string_view, 6> kNames{"ceiling",  "floor", "mod",
                                                 "popcount", "rotl",  "rotr"};

[[nodiscard]] std::string_view name_of(BuiltinFunction function) {
  return kNames[static_cast<std::size_t>(function)];
}

/// Returns a number that is no angle and has no free parameter.
const Angle& number_of(BuiltinFunction function, const Value& value) {
  if (value.type.is_angle) {
    throw InputError(fmt::format("{} expects a number, found an angle: write {}(float(a))",
                                 name_of(function), name_of(function)));
  }
  check_decided(value);
  if (!value.angle.is_constant()) {
    throw InputError(fmt::format("{} of a free parameter is not supported", name_of(function)));
  }
  return value.angle;
}

/// Returns a number that is rounded down or up, as a float.
Value rounded(BuiltinFunction function, const Value& value) {
  const Angle& number = number_of(function, value);
  const bool goes_up = function == BuiltinFunction::ceiling;
  if (algebra::exact_pi_multiple(number) == 0) {
    const boost::multiprecision::cpp_rational exact = algebra::exact_radians(number);
    const cpp_int above = boost::multiprecision::numerator(exact);
    const cpp_int below = boost::multiprecision::denominator(exact);
    cpp_int whole = above / below;
    if (goes_up && whole * below < above) ++whole;
    if (!goes_up && whole * below > above) --whole;
    return {integer_of_type(whole, {}).angle, false};
  }
  constexpr double kLargest = 1e15;
  constexpr double kRounding = 1e-15;
  const double real = number.value();
  const bool is_close_to_integer =
      std::abs(real - std::round(real)) <= kRounding * std::max(1.0, std::abs(real));
  if (!(std::abs(real) < kLargest) || is_close_to_integer) {
    throw InputError(fmt::format("{} of {} is not known, because it is computed in doubles",
                                 name_of(function), number.to_string()));
  }
  const double whole = goes_up ? std::ceil(real) : std::floor(real);
  return {Angle::radians(static_cast<std::int64_t>(whole)), false};
}

/// Returns the remainder of two numbers of which none is negative.
Value remainder_of(const Value& left, const Value& right) {
  constexpr auto kMod = BuiltinFunction::mod;
  const Angle& number = number_of(kMod, left);
  const Angle& divisor = number_of(kMod, right);
  if (divisor.is_zero()) throw InputError("division by zero");
  if (number.value() < 0 || divisor.value() < 0) {
    throw InputError(
        "OpenQASM does not say which sign mod has for negative numbers; '%' has that of the first");
  }
  if (left.is_integer && right.is_integer) return modulo(left, right);
  const Value quotient = divide({number, false}, {divisor, false}, false);
  const Value whole = rounded(BuiltinFunction::floor, {quotient.angle, false});
  return subtract({number, false}, multiply(whole, {divisor, false}));
}

/// Returns an integer that is not negative, as popcount and rotations see the bits of.
cpp_int bits_of(BuiltinFunction function, const Value& value) {
  if (!value.is_integer) {
    throw InputError(fmt::format("{} expects a value of bit[n] or uint[n]", name_of(function)));
  }
  check_decided(value);
  std::optional<cpp_int> number = whole_number_of(value);
  if (!number || *number < 0) {
    throw InputError(fmt::format("{} expects a value of bit[n] or uint[n], found a negative number",
                                 name_of(function)));
  }
  return *std::move(number);
}

Value count_of_ones(const Value& value) {
  if (value.type.is_angle) throw InputError("popcount expects a value of bit[n] or uint[n]");
  cpp_int number = bits_of(BuiltinFunction::popcount, value);
  std::int64_t count = 0;
  for (; number != 0; number &= number - 1) ++count;
  return integer_of_type(count, integer_type(false, 0));
}

Value rotated(BuiltinFunction function, const Value& value, const Value& distance) {
  const Value bits = value.type.is_angle ? bits_of_angle(value) : value;
  const cpp_int number = bits_of(function, bits);
  const unsigned width = bits.type.unsigned_bits;
  if (width == 0) {
    throw InputError(fmt::format("{} expects a value of a type with a width, such as uint[8](n)",
                                 name_of(function)));
  }
  const std::int64_t places = integer_of(distance);
  if (places < 0) {
    throw InputError(
        fmt::format("OpenQASM does not say what {} by a negative distance is", name_of(function)));
  }
  const auto least = static_cast<unsigned>(places % width);
  const unsigned left = function == BuiltinFunction::rotl || least == 0 ? least : width - least;
  const cpp_int all = (cpp_int(1) << width) - 1;
  Value result = integer_of_type(((number << left) | (number >> (width - left))) & all, bits.type);
  return value.type.is_angle ? angle_of_bits(std::move(result)) : result;
}

}  // namespace

std::optional<BuiltinFunction> find_builtin_function(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<BuiltinFunction>(i);
  }
  return std::nullopt;
}

bool has_two_arguments(BuiltinFunction function) {
  return function == BuiltinFunction::mod || function == BuiltinFunction::rotl ||
         function == BuiltinFunction::rotr;
}

Value call(BuiltinFunction function, const Value& first, const Value& second) {
  switch (function) {
    case BuiltinFunction::ceiling:
    case BuiltinFunction::floor:
      return rounded(function, first);
    case BuiltinFunction::mod:
      return remainder_of(first, second);
    case BuiltinFunction::popcount:
      return count_of_ones(first);
    case BuiltinFunction::rotl:
    case BuiltinFunction::rotr:
      return rotated(function, first, second);
  }
  throw InternalError("an expression calls an unknown function");
}

}  // namespace quartz::qasm

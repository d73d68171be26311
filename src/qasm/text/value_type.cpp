#include "qasm/text/value_type.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "algebra/exact_radians.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// Limit for the bits of an angle that is rounded, so that it is a fraction of 64 bits.
constexpr std::uint32_t kMaxRoundedBits = 62;

cpp_int power_of_two(std::uint32_t exponent) {
  cpp_int power = 1;
  power <<= exponent;
  return power;
}

/// Returns number modulo 2^bits, which is not negative.
cpp_int wrapped(const cpp_int& number, std::uint32_t bits) {
  const cpp_int modulus = power_of_two(bits);
  cpp_int rest = number % modulus;
  if (rest < 0) rest += modulus;
  return rest;
}

bool fits_unsigned(const cpp_int& number, std::uint32_t bits) {
  return number >= 0 && number < power_of_two(bits);
}

bool fits_signed(const cpp_int& number, std::uint32_t bits) {
  const cpp_int limit = power_of_two(bits - 1);
  return number >= -limit && number < limit;
}

bool has_width_without_sign(const ValueType& type) {
  return type.unsigned_bits != 0 && !type.is_open && !type.is_angle;
}

bool has_width_with_sign(const ValueType& type) {
  return type.signed_bits != 0 && type.unsigned_bits == 0 && !type.is_unsigned;
}

/// Returns whether `wide` is int or uint, and `narrow` a type of so few bits that int and uint are
/// wider on every device: C guarantees 16 bits.
bool is_wider_on_devices(const ValueType& wide, const ValueType& narrow) {
  constexpr std::uint32_t kLeastBitsOfDevices = 16;
  const bool has_width = wide.unsigned_bits != 0 || wide.signed_bits != 0;
  if (has_width || !(wide.is_unsigned || wide.is_signed)) return false;
  return (has_width_without_sign(narrow) && narrow.unsigned_bits < kLeastBitsOfDevices) ||
         (has_width_with_sign(narrow) && narrow.signed_bits < kLeastBitsOfDevices);
}

std::uint32_t smaller_width(std::uint32_t a, std::uint32_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

/// Returns the type of the result of an operator on integers. It is the wider one of two types of
/// one kind. An integer without a width beside one with a width leaves open which of them is wider,
/// and the result has the restrictions of both.
ValueType common_type(const ValueType& a, const ValueType& b) {
  if (a == b) return a;
  ValueType result;
  if (has_width_without_sign(a) && has_width_without_sign(b)) {
    result.unsigned_bits = std::max(a.unsigned_bits, b.unsigned_bits);
    return result;
  }
  if (has_width_with_sign(a) && has_width_with_sign(b)) {
    result.signed_bits = std::max(a.signed_bits, b.signed_bits);
    return result;
  }
  const auto is_wider = [](const ValueType& with_sign, const ValueType& without) {
    return has_width_with_sign(with_sign) && has_width_without_sign(without) &&
           with_sign.signed_bits > without.unsigned_bits;
  };
  if (is_wider(a, b) || is_wider_on_devices(a, b)) return a;
  if (is_wider(b, a) || is_wider_on_devices(b, a)) return b;
  result.unsigned_bits = smaller_width(a.unsigned_bits, b.unsigned_bits);
  result.signed_bits = smaller_width(a.signed_bits, b.signed_bits);
  // Between int[n] and uint[m] of no smaller width, the type is uint[m].
  if (result.unsigned_bits != 0) result.signed_bits = 0;
  result.is_unsigned = a.is_unsigned || b.is_unsigned;
  result.is_open = result.unsigned_bits != 0;
  result.is_signed = !result.is_unsigned && !result.is_open && result.signed_bits == 0;
  return result;
}

Value whole_value(const cpp_int& number, const ValueType& type) {
  Value result;
  if (number > std::numeric_limits<std::int64_t>::min() &&
      number <= std::numeric_limits<std::int64_t>::max()) {
    result.angle = Angle::radians(static_cast<std::int64_t>(number));
  } else {
    const cpp_int magnitude = boost::multiprecision::abs(number);
    result.angle = Angle::decimal(magnitude.str());
    if (number < 0) result.angle = -result.angle;
  }
  result.is_integer = true;
  result.type = type;
  return result;
}

std::string name_of_angle(std::uint32_t width) {
  return width == 0 ? "angle" : fmt::format("angle[{}]", width);
}

/// Returns the largest whole number that is not above (value + offset * unit) / unit, where the
/// unit is pi times a fraction. The value is not a rational multiple of pi, so that the quotient is
/// not rational, and pi is computed in as many bits as decide about it.
cpp_int floor_of_quotient(const Angle& value, const cpp_rational& unit,
                          const cpp_rational& offset) {
  const auto floor = [](const cpp_rational& number) {
    const cpp_int whole =
        boost::multiprecision::numerator(number) / boost::multiprecision::denominator(number);
    return cpp_rational(whole) > number ? cpp_int(whole - 1) : whole;
  };
  const cpp_rational of_pi = algebra::exact_pi_multiple(value) / unit + offset;
  const cpp_rational radians = algebra::exact_radians(value);
  if (radians == 0) return floor(of_pi);
  constexpr unsigned kMaxBits = 1U << 14U;
  for (unsigned bits = 256; bits <= kMaxBits; bits *= 4) {
    const cpp_int pi = algebra::scaled_pi(bits);
    const auto at = [&](const cpp_int& each) {
      return floor(of_pi + radians / unit * cpp_rational(power_of_two(bits), each));
    };
    const cpp_int error = power_of_two(20);
    const cpp_int low = at(pi - error);
    if (low == at(pi + error)) return low;
  }
  throw InputError("the angle is too large to be reduced modulo 2*pi");
}

Rational small_fraction(const cpp_int& numerator, const cpp_int& denominator) {
  const cpp_rational fraction(numerator, denominator);
  return Rational(static_cast<std::int64_t>(boost::multiprecision::numerator(fraction)),
                  static_cast<std::int64_t>(boost::multiprecision::denominator(fraction)));
}

/// Returns the angle of this many units of 2*pi/2^width.
Angle angle_of_units(const cpp_int& units, std::uint32_t width) {
  return Angle::pi_times(small_fraction(units * 2, power_of_two(width)));
}

/// Returns the unit of angle[width] in multiples of pi.
cpp_rational unit_of(std::uint32_t width) { return cpp_rational(2, power_of_two(width)); }

[[noreturn]] void fail_fraction(std::string_view what) {
  throw InputError(fmt::format("{} needs a fraction of more than 64 bits", what));
}

/// Returns a constant modulo 2*pi, which is exact.
Angle modulo_turn(const Angle& angle) {
  const cpp_int turns = angle.is_pi_multiple() ? cpp_int(0) : floor_of_quotient(angle, 2, 0);
  if (boost::multiprecision::abs(turns) >= power_of_two(60)) {
    throw InputError("the angle is too large to be reduced modulo 2*pi");
  }
  try {
    if (angle.is_pi_multiple()) return angle.reduced_modulo(Rational(2));
    return angle + Angle::pi_times(Rational(-2 * static_cast<std::int64_t>(turns)));
  } catch (const OverflowError&) {
    fail_fraction("the angle modulo 2*pi");
  }
}

/// Returns the nearest multiple of the unit; of two of them the even one.
cpp_int nearest_units(const Angle& angle, std::uint32_t width) {
  const cpp_rational unit = unit_of(width);
  const cpp_int units = floor_of_quotient(angle, unit, cpp_rational(1, 2));
  if (!angle.is_pi_multiple()) return units;
  const cpp_rational exact =
      cpp_rational(angle.pi_part().numerator(), angle.pi_part().denominator()) / unit;
  const bool is_tie = cpp_rational(units) - exact == cpp_rational(1, 2);
  return is_tie && units % 2 != 0 ? cpp_int(units - 1) : units;
}

/// Returns whether the angle is a multiple of 2*pi/2^width.
bool is_of_width(const Angle& angle, std::uint32_t width) {
  if (!angle.is_pi_multiple()) return false;
  const cpp_int denominator = angle.pi_part().denominator();
  return (denominator & (denominator - 1)) == 0 && denominator * 2 <= power_of_two(width);
}

/// Returns a constant modulo 2*pi as one of angle[width].
Angle rounded(const Angle& angle, std::uint32_t width) {
  const Angle reduced = modulo_turn(angle);
  if (width == 0 || is_of_width(reduced, width)) return reduced;
  if (width > kMaxRoundedBits) {
    throw InputError(
        fmt::format("{} is not a multiple of 2*pi/2^{}, and rounding to more than {} bits is not "
                    "supported: declare it as 'angle' or 'float'",
                    angle_text(angle), width, kMaxRoundedBits));
  }
  return angle_of_units(wrapped(nearest_units(reduced, width), width), width);
}

ValueType angle_type(std::uint32_t width, bool is_changed) {
  ValueType type;
  type.is_angle = true;
  type.unsigned_bits = width;
  type.is_changed = is_changed;
  return type;
}

/// Returns whether an angle with free parameters is one of them, and nothing else.
bool is_one_symbol(const Angle& angle) {
  return angle.pi_part().is_zero() && angle.radian_part().is_zero() && angle.terms().size() == 1 &&
         angle.terms()[0].coefficient == Rational(1);
}

/// Returns an angle in radians as one of this type.
Value angle_value(const Angle& angle, std::uint32_t width, bool was_changed) {
  Value result;
  if (!angle.is_constant()) {
    result.angle = angle;
    result.type = angle_type(width, was_changed || !is_one_symbol(angle));
    return result;
  }
  result.angle = rounded(angle, width);
  result.type = angle_type(width, was_changed || result.angle != angle);
  return result;
}

}  // namespace

std::optional<cpp_int> whole_number_of(const Value& value) {
  if (value.measured != nullptr || !value.is_integer || !value.angle.is_constant() ||
      !value.angle.pi_part().is_zero()) {
    return std::nullopt;
  }
  if (value.angle.terms().empty()) {  // most numbers fit 64 bits
    const Rational number = value.angle.radian_part();
    return number.is_integer() ? std::optional<cpp_int>(number.numerator()) : std::nullopt;
  }
  const cpp_rational number = algebra::exact_radians(value.angle);
  if (boost::multiprecision::denominator(number) != 1) return std::nullopt;
  return boost::multiprecision::numerator(number);
}

cpp_int wide_integer_of(const Value& value) {
  if (const std::optional<cpp_int> whole = whole_number_of(value)) return *whole;
  return integer_of(value);
}

ValueType integer_type(bool has_sign, std::uint64_t width) {
  ValueType type;
  const bool has_width = width != 0 && width <= kMaxBitsOfNumber;
  if (has_sign) {
    if (has_width) type.signed_bits = static_cast<std::uint32_t>(width);
    type.is_signed = !has_width;
  } else if (has_width) {
    type.unsigned_bits = static_cast<std::uint32_t>(width);
  } else {
    type.is_unsigned = true;
  }
  return type;
}

Value integer_of_type(const cpp_int& number, ValueType type) {
  if (has_width_without_sign(type)) return whole_value(wrapped(number, type.unsigned_bits), type);
  if (type.is_unsigned && number < 0) {
    throw InputError(
        fmt::format("the result {} is negative, and the type 'uint' has no width modulo which it "
                    "could be taken: write a type such as uint[32], or int",
                    number.str()));
  }
  if (type.signed_bits != 0 && !fits_signed(number, type.signed_bits)) {
    throw InputError(fmt::format("the number {} does not fit an integer of {} bits", number.str(),
                                 type.signed_bits));
  }
  return whole_value(number, type);
}

Value with_common_type(Value result, const Value& a, const Value& b) {
  const bool has_default_types = a.type == ValueType() && b.type == ValueType();
  if (has_default_types && result.angle.terms().empty()) return result;
  const ValueType type = has_default_types ? ValueType() : common_type(a.type, b.type);
  const std::optional<cpp_int> number = whole_number_of(result);
  if (!number) throw InputError("the integer is too large");
  return integer_of_type(*number, type);
}

void check_decided(const Value& value) {
  if (!value.type.is_open) return;
  const std::optional<cpp_int> number = whole_number_of(value);
  if (!number || fits_unsigned(*number, value.type.unsigned_bits)) return;
  throw InputError(fmt::format(
      "the number {0} does not fit the type uint[{1}] of an operand, and OpenQASM leaves open "
      "whether the result is taken modulo 2^{1}: convert the operands to one type, such as "
      "uint[{1}](n) or int(n)",
      number->str(), value.type.unsigned_bits));
}

void check_same_sign(const Value& a, const Value& b) {
  check_decided(a);
  check_decided(b);
  const auto has_no_sign = [](const Value& value) {
    return value.type.is_unsigned || (value.type.unsigned_bits != 0 && !value.type.is_angle);
  };
  const auto is_negative = [](const Value& value) {
    return value.is_integer && value.angle.is_constant() && value.angle.value() < 0;
  };
  const bool is_open = (has_no_sign(a) && is_negative(b)) || (has_no_sign(b) && is_negative(a));
  // A wider type with a sign has all numbers of the type without one.
  const auto has_all = [](const ValueType& with_sign, const ValueType& without) {
    return has_width_without_sign(without) &&
           (with_sign.signed_bits > without.unsigned_bits ||
            (with_sign.is_signed && is_wider_on_devices(with_sign, without)));
  };
  if (!is_open || has_all(a.type, b.type) || has_all(b.type, a.type)) return;
  throw InputError(
      "found a negative number beside one of a type without a sign, and OpenQASM leaves open to "
      "what it is converted: convert both to one type, such as int[32](n)");
}

// --- angles ---

Value to_angle(std::uint64_t width, const Value& value) {
  if (width > kMaxBitsOfNumber) {
    throw InputError(
        fmt::format("angles of more than {} bits are not supported", kMaxBitsOfNumber));
  }
  const auto bits = static_cast<std::uint32_t>(width);
  if (value.type.is_bits) {
    if (bits != value.type.unsigned_bits) {
      throw InputError(fmt::format("found {} bits, expected as many as '{}' has",
                                   value.type.unsigned_bits, name_of_angle(bits)));
    }
    return angle_of_bits(value);
  }
  check_decided(value);
  return angle_value(value.angle, bits, value.type.is_angle && value.type.is_changed);
}

Value beside_angle(const Value& value, const ValueType& type) {
  if (value.type.is_angle) return value;
  if (value.type.is_bits) {
    throw InputError("an operator on an angle and a string of bits is not supported");
  }
  Value result = to_angle(type.unsigned_bits, value);
  if (!result.type.is_changed || !result.angle.is_constant()) return result;
  throw InputError(fmt::format(
      "{0} is not a value of the type '{1}', and OpenQASM does not say what this operator makes of "
      "it: write {1}({0}) for the nearest one",
      angle_text(value.angle), name_of_angle(type.unsigned_bits)));
}

Value add_angles(const Value& a, const Value& b) {
  const ValueType& type = a.type.is_angle ? a.type : b.type;
  const auto operand = [&](const Value& value) {
    if (value.type.is_angle || !value.angle.is_constant()) return value;
    // A multiple of 2*pi has no effect on the sum, while rounding has one.
    Value reduced = {modulo_turn(value.angle), false};
    reduced.type.is_bits = value.type.is_bits;
    Value result = beside_angle(reduced, type);
    result.type.is_changed = result.angle != value.angle;
    return result;
  };
  const Value left = operand(a);
  const Value right = operand(b);
  // An angle without a width may have any precision, so that the sum keeps all digits.
  const bool has_width = left.type.unsigned_bits != 0 && right.type.unsigned_bits != 0;
  const std::uint32_t width =
      has_width ? std::max(left.type.unsigned_bits, right.type.unsigned_bits) : 0;
  const Value sum = add({left.angle, false}, {right.angle, false});
  return angle_value(sum.angle, width, left.type.is_changed || right.type.is_changed);
}

Value multiple_of_angle(const Value& angle, const Value& factor) {
  check_decided(factor);
  const Value product = multiply({angle.angle, false}, {factor.angle, false});
  return angle_value(product.angle, angle.type.unsigned_bits, angle.type.is_changed);
}

Value quotient_of_angle(const Value& angle, const Value& divisor) {
  check_decided(divisor);
  const bool is_constant = angle.angle.is_constant() && divisor.angle.is_constant();
  if (!is_constant && (angle.type.is_changed || !divisor.angle.is_constant())) {
    throw InputError(
        "the quotient depends on the value modulo 2*pi of an angle with a free parameter, which is "
        "not known: declare it as 'float'");
  }
  if (divisor.type.is_angle) {
    if (!angle.angle.is_pi_multiple() || !divisor.angle.is_pi_multiple()) {
      throw InputError("the quotient of angles that are no multiples of pi is not supported");
    }
    const std::uint32_t width = std::max(angle.type.unsigned_bits, divisor.type.unsigned_bits);
    try {
      const Rational quotient = angle.angle.pi_part() / divisor.angle.pi_part();
      return integer_of_type(quotient.floor(), integer_type(false, width));
    } catch (const OverflowError&) {
      fail_fraction("the quotient");
    }
  }
  if (divisor.angle.value() < 0) {
    throw InputError("the quotient of an angle and a negative integer is not defined");
  }
  const Value quotient = divide({angle.angle, false}, {divisor.angle, false}, false);
  const std::uint32_t width = angle.type.unsigned_bits;
  if (!is_constant || width == 0 || is_of_width(quotient.angle, width)) {
    return {quotient.angle, false, {}, false, 0, angle_type(width, angle.type.is_changed)};
  }
  if (width > kMaxRoundedBits) {
    throw InputError(
        fmt::format("the quotient is not a multiple of 2*pi/2^{}, and rounding to "
                    "more than {} bits is not supported",
                    width, kMaxRoundedBits));
  }
  const cpp_int units = floor_of_quotient(quotient.angle, unit_of(width), 0);
  return {
      angle_of_units(units, width), false, {}, false, 0, angle_type(width, angle.type.is_changed)};
}

Value number_of_angle(const Value& value) {
  if (!value.type.is_angle) {
    check_decided(value);
    return value;
  }
  if (value.type.is_changed) {
    throw InputError(
        "OpenQASM does not define this operator for an angle, whose value is that modulo 2*pi or "
        "rounded: declare it as 'float', or write float(a) for a value from 0 to 2*pi");
  }
  return {value.angle, false};
}

Value bits_of_angle(const Value& value) {
  if (!value.type.is_angle) return value;
  const std::uint32_t width = value.type.unsigned_bits;
  if (width == 0 || !is_of_width(value.angle, width)) {
    throw InputError("the bits of this angle are not known: expected the type angle[n]");
  }
  const cpp_rational units =
      cpp_rational(value.angle.pi_part().numerator(), value.angle.pi_part().denominator()) /
      unit_of(width);
  Value bits = integer_of_type(boost::multiprecision::numerator(units), integer_type(false, width));
  bits.type.is_bits = true;
  return bits;
}

Value angle_of_bits(const Value& bits) {
  const std::uint32_t width = bits.type.unsigned_bits;
  const std::optional<cpp_int> number = whole_number_of(bits);
  if (!number || width == 0) throw InputError("expected the bits of an angle");
  const cpp_rational fraction(*number * 2, power_of_two(width));
  const cpp_int largest = std::numeric_limits<std::int64_t>::max();
  if (boost::multiprecision::denominator(fraction) > largest ||
      boost::multiprecision::numerator(fraction) > largest) {
    fail_fraction("the angle");
  }
  return {Angle::pi_times(small_fraction(*number * 2, power_of_two(width))),
          false,
          {},
          false,
          0,
          angle_type(width, false)};
}

}  // namespace quartz::qasm

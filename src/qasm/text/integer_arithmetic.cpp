// Arithmetic of integers, bits and truth values of OpenQASM 3.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "algebra/exact_radians.hpp"
#include "qasm/text/arithmetic.hpp"
#include "qasm/text/number.hpp"
#include "qasm/text/value_type.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

using enum BitOperator;

using boost::multiprecision::cpp_int;

/// Limit for the width of values that do not depend on measurements.
constexpr std::uint64_t kMostBits = 63;

[[noreturn]] void fail_measured(std::string_view what) {
  throw InputError(fmt::format("{} a value that depends on a measurement is not supported", what));
}

std::int64_t natural_of(const Value& value) {
  const std::int64_t number = integer_of(value);
  if (number < 0) throw InputError(fmt::format("found the number {}, expected 0 or more", number));
  return number;
}

/// Returns the sign of a - b.
int compared(const Value& a, const Value& b) {
  if (a.type.is_angle != b.type.is_angle) {
    const ValueType& type = a.type.is_angle ? a.type : b.type;
    return compared(beside_angle(a, type), beside_angle(b, type));
  }
  check_same_sign(a, b);
  if (a.angle == b.angle) return 0;
  if (!a.angle.is_constant() || !b.angle.is_constant()) {
    throw InputError("a comparison of free parameters is not supported");
  }
  const auto is_rational = [](const Angle& angle) {
    return angle.pi_part().is_zero() && angle.terms().empty();
  };
  if (is_rational(a.angle) && is_rational(b.angle)) {
    return a.angle.radian_part() < b.angle.radian_part() ? -1 : 1;
  }
  const boost::multiprecision::cpp_rational pi =
      algebra::exact_pi_multiple(a.angle) - algebra::exact_pi_multiple(b.angle);
  const boost::multiprecision::cpp_rational radians =
      algebra::exact_radians(a.angle) - algebra::exact_radians(b.angle);
  if (pi == 0) return radians.sign();
  if (radians == 0) return pi.sign();
  const double difference = a.angle.value() - b.angle.value();
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

/// Returns number * 2^places as an integer of this type.
Value shifted_left(const Value& number, std::int64_t places) {
  const cpp_int whole = wide_integer_of(number);
  const bool has_width = number.type.unsigned_bits != 0 && !number.type.is_open;
  constexpr std::int64_t kMostPlaces = 1024;
  if (whole == 0 || (places > kMostPlaces && has_width)) return integer_of_type(0, number.type);
  const std::int64_t bits =
      static_cast<std::int64_t>(boost::multiprecision::msb(boost::multiprecision::abs(whole))) + 1;
  if (places > kMostPlaces ||
      (!has_width && bits + places > static_cast<std::int64_t>(kMaxBitsOfNumber))) {
    throw InputError(fmt::format("the result of '<<' has more than {} bits, which is not supported",
                                 kMaxBitsOfNumber));
  }
  const cpp_int magnitude = boost::multiprecision::abs(whole) << static_cast<unsigned>(places);
  return integer_of_type(whole < 0 ? cpp_int(-magnitude) : magnitude, number.type);
}

/// Returns number / 2^places, rounded down, as an integer of this type.
Value shifted_right(const Value& number, std::int64_t places) {
  check_decided(number);
  const cpp_int whole = wide_integer_of(number);
  constexpr std::int64_t kMostPlaces = 1024;
  const auto least = static_cast<unsigned>(std::min(places, kMostPlaces));
  // The complement of a negative number is not negative, and has the complement as its quotient.
  return integer_of_type(
      whole < 0 ? cpp_int(-((-whole - 1) >> least) - 1) : cpp_int(whole >> least), number.type);
}

/// Returns ~number.
Value complemented(const Value& number) {
  check_decided(number);
  const std::optional<cpp_int> whole = whole_number_of(number);
  const bool has_width = number.type.unsigned_bits != 0 || number.type.signed_bits != 0;
  if (!whole || !has_width) {
    throw InputError(
        "'~' of a number whose type has no width is not defined: write a type such as uint[8](n)");
  }
  return integer_of_type(-*whole - 1, number.type);
}

Value integer_value(std::int64_t number) { return {Angle::radians(number), true, {}}; }

/// Returns the operand of an operator on measured values.
BitExpressionPointer operand_of(const Value& value) {
  if (value.measured != nullptr) return value.measured;
  // Registers of 64 bits are compared with numbers that do not fit a signed integer.
  if (value.is_integer && value.angle.is_constant() && value.angle.pi_part().is_zero()) {
    const auto number = algebra::exact_radians(value.angle);
    if (number >= 0 && number <= std::numeric_limits<std::uint64_t>::max() &&
        boost::multiprecision::denominator(number) == 1) {
      return constant_expression(
          static_cast<std::uint64_t>(boost::multiprecision::numerator(number)));
    }
  }
  return constant_expression(static_cast<std::uint64_t>(natural_of(value)));
}

/// Throws InputError unless int[width] has the number.
void check_range(std::int64_t number, std::uint64_t width) {
  if (width > kMostBits) return;
  const std::int64_t limit = std::int64_t{1} << (width - 1);
  if (number >= -limit && number < limit) return;
  throw InputError(
      fmt::format("{} measured bits as an integer with a sign are a number from {} to {}, "
                  "found a comparison with {}",
                  width, -limit, limit - 1, number));
}

/// Returns the operand of a comparison of integers with signs in two's complement of this many
/// bits, whose highest bit is inverted for an order: that adds the same number to both sides, so
/// that neither has a sign.
BitExpressionPointer signed_operand(const Value& value, std::uint64_t width, bool is_order) {
  const std::uint64_t highest = std::uint64_t{1} << (width - 1);
  if (value.measured != nullptr) {
    if (!value.has_sign || value.measured->width != width) {
      fail_measured("a comparison of integers of different types with");
    }
    return is_order ? bit_operation(exclusive_or, {value.measured, constant_expression(highest)})
                    : value.measured;
  }
  const std::int64_t number = integer_of(value);
  check_range(number, width);
  const std::uint64_t mask = highest + (highest - 1);
  return constant_expression((static_cast<std::uint64_t>(number) & mask) ^
                             (is_order ? highest : 0));
}

/// Returns the comparison of measured bits as an integer of more than 64 bits in two's complement
/// with a number. Only equality of them is supported.
Value compare_wide_signed(BitOperator kind, const Value& a, const Value& b);

/// Returns the comparison of two values of which at least one has a sign.
Value compare_signed(BitOperator kind, const Value& a, const Value& b) {
  constexpr std::uint64_t kMostSignedBits = 64;
  const std::uint64_t width = a.has_sign ? a.measured->width : b.measured->width;
  if (width > kMostSignedBits) return compare_wide_signed(kind, a, b);
  const bool is_order = kind != equal && kind != not_equal;
  return {{},
          true,
          bit_operation(kind,
                        {signed_operand(a, width, is_order), signed_operand(b, width, is_order)})};
}

/// Returns whether the constant operand of a comparison needs more than 64 bits.
bool is_wide(const Value& value) {
  const std::optional<cpp_int> number = whole_number_of(value);
  return number && *number > std::numeric_limits<std::uint64_t>::max();
}

/// Bits of each part of a comparison with a number of more than 64 bits.
constexpr std::size_t kBitsOfPart = 62;

/// Returns whether bits, least significant first, compare to the number in this way: by their
/// parts, because constants of expressions have 64 bits.
BitExpressionPointer compare_parts(BitOperator kind, std::span<const std::uint32_t> bits,
                                   const cpp_int& number) {
  const bool is_equality = kind == equal || kind == not_equal;
  // The higher one of two parts decides an order, unless they are equal.
  const BitOperator strict = kind == less || kind == less_equal ? less : greater;
  BitExpressionPointer result;
  for (std::size_t first = 0; first < bits.size(); first += kBitsOfPart) {
    const auto part = bits.subspan(first, std::min(kBitsOfPart, bits.size() - first));
    const BitExpressionPointer own = bits_expression({part.begin(), part.end()});
    const cpp_int rest = number >> first;
    const BitExpressionPointer value =
        constant_expression(static_cast<std::uint64_t>(rest & ((cpp_int(1) << part.size()) - 1)));
    if (result == nullptr) {
      result = bit_operation(kind, {own, value});
    } else if (is_equality) {
      result = bit_operation(kind == equal ? logical_conjunction : logical_disjunction,
                             {result, bit_operation(kind, {own, value})});
    } else {
      const BitExpressionPointer tie =
          bit_operation(logical_conjunction, {bit_operation(equal, {own, value}), result});
      result = bit_operation(logical_disjunction, {bit_operation(strict, {own, value}), tie});
    }
  }
  return result;
}

/// Returns the comparison of a string of measured bits with a number of more than 64 bits.
Value compare_wide(BitOperator kind, const BitExpression& bits, const cpp_int& number) {
  if (bits.kind != BitOperator::bits) {
    fail_measured("a comparison with a number of more than 64 bits of an operator on");
  }
  if ((number >> bits.bits.size()) != 0) {
    throw InputError(
        fmt::format("{} measured bits are a number below 2^{}, found a comparison with "
                    "a larger one",
                    bits.bits.size(), bits.bits.size()));
  }
  return {{}, true, compare_parts(kind, bits.bits, number)};
}

Value compare_wide_signed(BitOperator kind, const Value& a, const Value& b) {
  const Value& measured = a.has_sign ? a : b;
  std::optional<cpp_int> number = whole_number_of(a.has_sign ? b : a);
  if ((kind != equal && kind != not_equal) || !number) {
    fail_measured("an order of integers with a sign of more than 64 bits of");
  }
  const auto width = static_cast<unsigned>(measured.measured->width);
  const cpp_int limit = boost::multiprecision::pow(cpp_int(2), width - 1);
  if (*number < -limit || *number >= limit) {
    throw InputError(
        fmt::format("{} measured bits as an integer with a sign are a number from "
                    "-2^{} to 2^{}-1, found a comparison with another one",
                    width, width - 1, width - 1));
  }
  if (*number < 0) {
    *number += limit;
    *number += limit;
  }
  return compare_wide(kind, *measured.measured, *number);
}

/// Returns the comparison in which the sides are exchanged.
BitOperator mirrored(BitOperator kind) {
  switch (kind) {
    case less:
      return greater;
    case less_equal:
      return greater_equal;
    case greater:
      return less;
    case greater_equal:
      return less_equal;
    default:
      return kind;
  }
}

[[nodiscard]] bool is_comparison(BitOperator kind) {
  return kind == equal || kind == not_equal || kind == less || kind == less_equal ||
         kind == greater || kind == greater_equal;
}

[[nodiscard]] bool is_logical(BitOperator kind) {
  return kind == negation || kind == logical_conjunction || kind == logical_disjunction;
}

/// Returns the shift of one measured bit. A register of one bit is written as its bit, which is no
/// operand of a shift, so that the result is expressed without one.
Value shifted_bit(const Value& bit, const Value& distance) {
  Value result = bit;
  if (distance.measured != nullptr) {
    const BitExpressionPointer stays =
        bit_operation(equal, {distance.measured, constant_expression(0)});
    result.measured = bit_operation(logical_conjunction, {bit.measured, stays});
    return result;
  }
  if (natural_of(distance) == 0) return result;
  ValueType type;
  if (!bit.is_integer) {
    type = integer_type(false, 1);
    type.is_bits = true;
  }
  return integer_of_type(0, type);
}

Value combine_measured(BitOperator kind, const Value& a, const Value& b) {
  if (is_comparison(kind) && !a.has_sign && !b.has_sign) {
    if (is_wide(b)) return compare_wide(kind, *a.measured, *whole_number_of(b));
    if (is_wide(a)) return compare_wide(mirrored(kind), *b.measured, *whole_number_of(a));
  }
  if (a.has_sign || b.has_sign) {
    if (is_comparison(kind)) return compare_signed(kind, a, b);
    if (!is_logical(kind)) fail_measured("arithmetic of a signed integer from");
  }
  const auto is_bits = [](const Value& value) {
    return value.measured != nullptr && !value.is_integer;
  };
  // The width of an integer is not that of the bits that it comes from.
  if ((kind == complement || kind == left_shift) && !is_bits(a)) {
    fail_measured(kind == complement ? "'~' of" : "'<<' of an integer with");
  }
  const bool is_one_bit = a.measured != nullptr && a.measured->width == 1;
  if (is_one_bit && (kind == left_shift || kind == right_shift)) return shifted_bit(a, b);
  const auto is_zero = [](const Value& value) {
    return value.measured == nullptr && value.angle.is_zero();
  };
  Value result;
  const bool is_bitwise = kind == complement || kind == conjunction || kind == disjunction ||
                          kind == exclusive_or || kind == left_shift || kind == right_shift;
  result.is_integer = !is_bitwise || (!is_bits(a) && !is_bits(b));
  if (kind == exclusive_or && (is_zero(a) || is_zero(b))) {
    result.measured = is_zero(a) ? b.measured : a.measured;
  } else if (kind == complement || kind == negation) {
    // A register of one bit is written as its bit, of which '~' is not the same everywhere.
    result.measured = bit_operation(is_one_bit ? negation : kind, {operand_of(a)});
  } else {
    result.measured = bit_operation(kind, {operand_of(a), operand_of(b)});
  }
  return result;
}

Value combine_known(BitOperator kind, const Value& a, const Value& b) {
  if (kind == complement) return complemented(a);
  if (kind == left_shift || kind == right_shift) {
    const std::int64_t places = integer_of(b);
    if (places < 0) {
      throw InputError(fmt::format("found a shift by {}, expected 0 or more", places));
    }
    return kind == left_shift ? shifted_left(a, places) : shifted_right(a, places);
  }
  check_decided(a);
  check_decided(b);
  const cpp_int left = wide_integer_of(a);
  const cpp_int right = wide_integer_of(b);
  const cpp_int result = kind == conjunction   ? cpp_int(left & right)
                         : kind == disjunction ? cpp_int(left | right)
                                               : cpp_int(left ^ right);
  return with_common_type(integer_of_type(result, {}), a, b);
}

/// Returns the value of an operator on the bits of an angle, and of another one of its type.
Value combine_angles(BitOperator kind, const Value& a, const Value& b) {
  const bool is_shift = kind == left_shift || kind == right_shift;
  if (!a.type.is_angle || (!is_shift && a.type.unsigned_bits != b.type.unsigned_bits)) {
    throw InputError("an operator on the bits of an angle expects another one of its type");
  }
  return angle_of_bits(combine_known(kind, bits_of_angle(a), bits_of_angle(b)));
}

Value to_bits(std::uint64_t width, const Value& value) {
  if (value.measured != nullptr) {
    if (width != 0 && value.measured->width != width) {
      throw InputError(
          fmt::format("found {} measured bits, expected {}", value.measured->width, width));
    }
    return {{}, false, value.measured};
  }
  const Value bits = bits_of_angle(value);
  if (bits.type.unsigned_bits < width || !bits.type.is_open) check_decided(bits);
  const std::optional<cpp_int> number = whole_number_of(bits);
  if (!number) return integer_value(integer_of(bits));
  if (width == 0) return integer_value(static_cast<std::int64_t>(*number & 1));
  if (width > kMaxBitsOfNumber) {
    throw InputError(fmt::format("more than {} bits are not supported", kMaxBitsOfNumber));
  }
  ValueType type = integer_type(false, width);
  type.is_bits = true;
  return integer_of_type(*number, type);
}

/// Returns a value that depends on measurements as an integer of this many bits. A conversion of
/// as many bits as the type has keeps the bits.
Value to_measured_integer(bool has_sign, std::uint64_t width, const Value& value) {
  const std::uint64_t bits = value.measured->width;
  const bool keeps_bits = bits == width && (!value.is_integer || value.has_sign);
  if (keeps_bits) return {{}, true, value.measured, has_sign};
  if (value.has_sign) {
    if (width == 0 && has_sign) return value;
    fail_measured("a conversion to another type of a signed integer from");
  }
  if (width != 0 && bits > width - (has_sign ? 1 : 0)) {
    throw InputError(fmt::format("{} measured bits do not fit an integer of {} bits", bits, width));
  }
  return {{}, true, value.measured};
}

/// Returns the whole number next to a number in the direction of zero.
cpp_int truncated(const Angle& angle) {
  if (!angle.is_constant()) throw InputError("found a free parameter, expected an integer");
  const double real = angle.value();
  if (!(real > -9e18 && real < 9e18)) throw InputError("the integer does not fit 63 bits");
  if (algebra::exact_pi_multiple(angle) != 0) return static_cast<std::int64_t>(real);
  const boost::multiprecision::cpp_rational exact = algebra::exact_radians(angle);
  return boost::multiprecision::numerator(exact) / boost::multiprecision::denominator(exact);
}

/// Returns the value as an integer of this many bits. Values that do not fit wrap around if the
/// type has no sign, and are an error if it has one, unless they are bits of the same number.
Value to_integer(CastType type, std::uint64_t width, const Value& value) {
  const bool has_sign = type == CastType::integer;
  if (value.measured != nullptr) return to_measured_integer(has_sign, width, value);
  if (value.type.is_angle) {
    throw InputError("OpenQASM does not convert angles to integers: write int(float(a))");
  }
  const ValueType result = integer_type(has_sign, width);
  if (!value.is_integer) return integer_of_type(truncated(value.angle), result);
  std::optional<cpp_int> number = whole_number_of(value);
  if (!number) throw InputError("expected an integer");
  // The number modulo 2^n is known, which is all that a type of no more bits needs.
  const bool is_known_modulo =
      result.unsigned_bits != 0 && result.unsigned_bits <= value.type.unsigned_bits;
  if (!is_known_modulo) check_decided(value);
  const bool keeps_bits = result.signed_bits != 0 && !value.type.is_open &&
                          result.signed_bits == value.type.unsigned_bits;
  const cpp_int limit = keeps_bits ? cpp_int(1) << (result.signed_bits - 1) : cpp_int(0);
  if (keeps_bits && *number >= limit) *number -= 2 * limit;
  return integer_of_type(*number, result);
}

}  // namespace

Value truth_value(bool truth) { return integer_value(truth ? 1 : 0); }

bool is_true(const Value& value) {
  check_decided(value);
  if (!value.angle.is_constant())
    throw InputError("a condition on a free parameter is not supported");
  return !value.angle.is_zero();
}

std::int64_t integer_of(const Value& value) {
  if (value.measured != nullptr) fail_measured("an integer from");
  check_decided(value);
  const Rational number = value.angle.radian_part();
  if (value.angle != Angle::radians(number) || !number.is_integer()) {
    if (const std::optional<cpp_int> whole = whole_number_of(value)) {
      throw InputError(fmt::format("the integer {} does not fit 64 bits", whole->str()));
    }
    throw InputError(
        fmt::format("found the value {}, expected an integer", value.angle.to_string()));
  }
  return number.numerator();
}

Value combine(BitOperator kind, const Value& a, const Value& b) {
  if (a.measured != nullptr || b.measured != nullptr) {
    // A side that is known decides, or leaves the other side.
    if (kind == logical_conjunction || kind == logical_disjunction) {
      const bool decides = kind == logical_disjunction;
      if (a.measured == nullptr && is_true(a) == decides) return truth_value(decides);
      if (b.measured == nullptr && is_true(b) == decides) return truth_value(decides);
      if (a.measured == nullptr) return b;
      if (b.measured == nullptr) return a;
    }
    return combine_measured(kind, a, b);
  }
  const bool is_on_bits = !is_comparison(kind) && !is_logical(kind);
  if (is_on_bits && (a.type.is_angle || b.type.is_angle)) return combine_angles(kind, a, b);
  switch (kind) {
    case equal:
      return truth_value(compared(a, b) == 0);
    case not_equal:
      return truth_value(compared(a, b) != 0);
    case less:
      return truth_value(compared(a, b) < 0);
    case less_equal:
      return truth_value(compared(a, b) <= 0);
    case greater:
      return truth_value(compared(a, b) > 0);
    case greater_equal:
      return truth_value(compared(a, b) >= 0);
    case negation:
      return truth_value(!is_true(a));
    case logical_conjunction:
      return truth_value(is_true(a) && is_true(b));
    case logical_disjunction:
      return truth_value(is_true(a) || is_true(b));
    default:
      return combine_known(kind, a, b);
  }
}

Value modulo(const Value& a, const Value& b) {
  const cpp_int divisor = wide_integer_of(b);
  const cpp_int number = wide_integer_of(a);
  if (divisor == 0) throw InputError("division by zero");
  check_same_sign(a, b);
  return with_common_type(integer_of_type(number % divisor, {}), a, b);
}

Value bit_of(const Value& number, const Value& index) {
  const std::int64_t place = natural_of(index);
  if (number.measured != nullptr) {
    const BitExpression& bits = *number.measured;
    if (bits.kind != BitOperator::bits) fail_measured("a bit of");
    if (static_cast<std::uint64_t>(place) >= bits.bits.size()) {
      throw InputError(
          fmt::format("index {} is out of range: there are {} bits", place, bits.bits.size()));
    }
    return {{}, false, bits_expression({bits.bits[static_cast<std::size_t>(place)]})};
  }
  const Value bits = bits_of_angle(number);
  const std::uint32_t width = std::max(bits.type.unsigned_bits, bits.type.signed_bits);
  const std::int64_t end = width != 0 ? width : static_cast<std::int64_t>(kMostBits);
  if (place >= end) {
    throw InputError(
        fmt::format("found the index {} of a bit, expected at most {}", place, end - 1));
  }
  const std::optional<cpp_int> bit = whole_number_of(shifted_right(bits, place));
  if (!bit) throw InputError("expected an integer before the index of a bit");
  return integer_value(*bit % 2 != 0 ? 1 : 0);
}

std::optional<CastType> find_cast(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, CastType>, 6> kTypes{{
      {"int", CastType::integer},
      {"uint", CastType::unsigned_integer},
      {"float", CastType::real},
      {"angle", CastType::angle},
      {"bool", CastType::truth},
      {"bit", CastType::bits},
  }};
  for (const auto& [known, type] : kTypes) {
    if (known == name) return type;
  }
  return std::nullopt;
}

Value cast(CastType type, std::uint64_t width, const Value& value) {
  switch (type) {
    case CastType::integer:
    case CastType::unsigned_integer:
      return to_integer(type, width, value);
    case CastType::bits:
      return to_bits(width, value);
    case CastType::truth:
      if (value.measured == nullptr) return truth_value(is_true(value));
      if (value.measured->width == 1) return {{}, true, value.measured};
      return {{}, true, bit_operation(not_equal, {value.measured, constant_expression(0)})};
    case CastType::real:
    case CastType::angle:
      break;
  }
  if (value.measured != nullptr) fail_measured("a number from");
  if (type == CastType::angle) return to_angle(width, value);
  check_decided(value);
  return {value.angle, false, {}};
}

}  // namespace quartz::qasm

#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>

#include "qasm/text/arithmetic.hpp"

/// The types of OpenQASM 3 that reduce values: integers with a width, and angles. All functions
/// throw InputError without a location.
namespace quartz::qasm {

/// Returns the number if it is whole, and has no parts that are no numbers.
[[nodiscard]] std::optional<boost::multiprecision::cpp_int> whole_number_of(const Value& value);
/// Returns the integer that a value is, of any size, which may be left open. Throws InputError if
/// it is none.
[[nodiscard]] boost::multiprecision::cpp_int wide_integer_of(const Value& value);
/// Returns an integer of this type: modulo the range of `uint[n]`. Throws InputError for a number
/// that the type does not have, if the specification does not define what it becomes.
[[nodiscard]] Value integer_of_type(const boost::multiprecision::cpp_int& number, ValueType type);
/// Returns the integer that an operator computed, as one of the type that the specification gives
/// to the results of operators on these operands.
[[nodiscard]] Value with_common_type(Value result, const Value& a, const Value& b);
/// Fails for an integer whose value the specification leaves open, because it does not fit the
/// width of one of the operands from which it was computed.
void check_decided(const Value& value);

/// Fails for operands of an operator whose result depends on more than their values modulo a power
/// of two: for those whose value is left open, and for a negative number beside a type without a
/// sign, of which the specification leaves open to what it is converted.
void check_same_sign(const Value& a, const Value& b);

/// Returns the bits of `uint` or `int` as the type of a value.
[[nodiscard]] ValueType integer_type(bool has_sign, std::uint64_t width);

// --- angles ---

/// Returns a number as one of `angle[width]`, or of `angle` if the width is 0: modulo 2*pi, and
/// rounded to the nearest multiple of 2*pi/2^width. Free parameters stay as they are.
[[nodiscard]] Value to_angle(std::uint64_t width, const Value& value);
/// Returns an operand of a comparison or a sum as an angle of the type of the other operand.
[[nodiscard]] Value beside_angle(const Value& value, const ValueType& type);
/// Returns the sum of two values of which at least one is an angle.
[[nodiscard]] Value add_angles(const Value& a, const Value& b);
/// Returns the product of an angle and an integer.
[[nodiscard]] Value multiple_of_angle(const Value& angle, const Value& factor);
/// Returns the quotient of an angle and an integer, or of two angles, rounded down.
[[nodiscard]] Value quotient_of_angle(const Value& angle, const Value& divisor);
/// Returns an angle as a number, for an operator that angles do not have. Throws InputError if the
/// program may mean another number.
[[nodiscard]] Value number_of_angle(const Value& value);
/// Returns the bits of an angle as an integer of the type `uint[n]`; any other value as it is.
[[nodiscard]] Value bits_of_angle(const Value& value);
/// Returns the angle that these bits are.
[[nodiscard]] Value angle_of_bits(const Value& bits);

}  // namespace quartz::qasm

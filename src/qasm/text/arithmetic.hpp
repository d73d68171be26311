#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/bit_expression.hpp"

/// Arithmetic of expressions. It is exact if the result is a sum of rational multiples of
/// pi, of numbers and of free parameters, and computed in doubles otherwise (angle_from_double).
/// Values that depend on measurements are expressions of classical bits, which only the functions
/// for conditions and integers accept. All functions throw InputError without a location for a
/// division by zero, for a result that is not finite, and for operands that they do not accept.
namespace quartz::qasm {

/// The type of a value that does not depend on measurements, as far as it decides about the results
/// of operators. The default is that of literals, of float and bool, and of free parameters.
struct ValueType {
  /// Bits of `uint[n]`, `bit[n]` and `angle[n]`; 0 for other types.
  std::uint32_t unsigned_bits = 0;
  std::uint32_t signed_bits = 0;  ///< bits of `int[n]`; 0 for other types
  /// A type without a sign whose width is that of the device: `uint`.
  bool is_unsigned = false;
  bool is_signed = false;  ///< the type `int`, whose width is that of the device
  /// The result of an operator on `uint[n]` and an integer of another type, which OpenQASM leaves
  /// open: the number is known only modulo 2^unsigned_bits unless it fits that many bits.
  bool is_open = false;
  bool is_bits = false;   ///< `bit[n]`
  bool is_angle = false;  ///< `angle`, whose values are those from 0 to below 2*pi
  /// Whether the value differs from the number that was converted to `angle`, by a multiple of 2*pi
  /// or because of rounding.
  bool is_changed = false;

  friend bool operator==(const ValueType&, const ValueType&) = default;
};

struct Value {
  Angle angle;
  /// Whether the value has an integer type: OpenQASM 3 truncates quotients of such values.
  /// Values of bool are the integers 0 and 1.
  bool is_integer = false;
  /// The value, if it depends on classical bits of the circuit; `angle` is then zero. It is a
  /// string of bits unless is_integer is set.
  BitExpressionPointer measured = {};
  /// Whether `measured` is an integer in two's complement, of as many bits as it is wide: a string
  /// of bits that was converted to int[n]. Only comparisons and conversions accept such values.
  bool has_sign = false;
  /// 1 if `measured` are the bits of an angle, of which the highest means pi, and -1 for the
  /// negative of that angle; 0 for all other values. No operator but the sign accepts such values.
  std::int8_t angle_sign = 0;
  ValueType type = {};
};

enum class Function : std::uint8_t { sin, cos, tan, exp, ln, sqrt, arcsin, arccos, arctan };

/// Finds a function by its name in OpenQASM 2 or 3.
[[nodiscard]] std::optional<Function> find_function(std::string_view name);
/// Returns the name of a function in OpenQASM 3.
[[nodiscard]] std::string_view function_name(Function function);
/// Finds pi, tau or Euler's number by its name in OpenQASM 2 or 3.
[[nodiscard]] std::optional<Angle> find_constant(std::string_view name);

[[nodiscard]] Value add(const Value& a, const Value& b);
[[nodiscard]] Value subtract(const Value& a, const Value& b);
[[nodiscard]] Value negate(const Value& a);
[[nodiscard]] Value multiply(const Value& a, const Value& b);
/// If `truncates`, throws InputError for a quotient of integers that is not an integer, because
/// OpenQASM 3 would truncate it.
[[nodiscard]] Value divide(const Value& a, const Value& b, bool truncates);
[[nodiscard]] Value power(const Value& base, const Value& exponent);
[[nodiscard]] Value call(Function function, const Value& argument);

// --- integers, bits and truth values of OpenQASM 3 (integer_arithmetic.cpp) ---

/// Returns a value of type bool.
[[nodiscard]] Value truth_value(bool truth);
/// Returns whether a value that does not depend on measurements is true: not zero.
[[nodiscard]] bool is_true(const Value& value);
/// Returns the integer that a value is. Throws InputError if it is none.
[[nodiscard]] std::int64_t integer_of(const Value& value);

/// Returns the value of an operator: a comparison, or an operator on bits or truth values. For ~,
/// whose operand must be a string of bits, `a` and `b` are the same. A comparison of measured bits
/// of the type int[n] with a number that the type does not have is an InputError, because it would
/// not depend on the bits.
[[nodiscard]] Value combine(BitOperator kind, const Value& a, const Value& b);
[[nodiscard]] Value modulo(const Value& a, const Value& b);
/// Returns the bit of an integer with this index.
[[nodiscard]] Value bit_of(const Value& number, const Value& index);

// --- functions of OpenQASM 3 that round numbers or are about bits (builtin_function.cpp) ---

enum class BuiltinFunction : std::uint8_t { ceiling, floor, mod, popcount, rotl, rotr };

/// Finds one of these functions by its name.
[[nodiscard]] std::optional<BuiltinFunction> find_builtin_function(std::string_view name);
/// Returns whether the function has two arguments; the others have one.
[[nodiscard]] bool has_two_arguments(BuiltinFunction function);
/// Returns the value of a function for arguments that do not depend on measurements; a function of
/// one argument does not look at the second one. Throws InputError where the specification does not
/// say what the value is.
[[nodiscard]] Value call(BuiltinFunction function, const Value& first, const Value& second);

/// The types to which a value can be converted.
enum class CastType : std::uint8_t { integer, unsigned_integer, real, angle, truth, bits };
/// Finds a type by its name.
[[nodiscard]] std::optional<CastType> find_cast(std::string_view name);
/// Returns the value as one of this type. `width` is the type's number of bits, 0 if it has none.
[[nodiscard]] Value cast(CastType type, std::uint64_t width, const Value& value);

}  // namespace quartz::qasm

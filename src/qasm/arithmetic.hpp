#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quartz/algebra/angle.hpp"

/// Arithmetic of parameter expressions. Exact wherever the result is a sum of rational multiples of
/// pi, of numbers and of free parameters; otherwise computed in doubles (angle_from_double). All
/// functions throw InputError without a place: for a division by zero, for a result that is not
/// finite, and for one that is not linear in a free parameter.
namespace quartz::qasm {

struct Value {
  Angle angle;
  /// Of an integer type: OpenQASM 3 divides such values with truncation.
  bool is_integer = false;
};

enum class Function : std::uint8_t { sin, cos, tan, exp, ln, sqrt, arcsin, arccos, arctan };

/// By its name in OpenQASM 2 or 3.
[[nodiscard]] std::optional<Function> find_function(std::string_view name);
/// pi, tau and Euler's number, by their names in OpenQASM 2 or 3.
[[nodiscard]] std::optional<Angle> find_constant(std::string_view name);

[[nodiscard]] Value add(const Value& a, const Value& b);
[[nodiscard]] Value subtract(const Value& a, const Value& b);
[[nodiscard]] Value negate(const Value& a);
[[nodiscard]] Value multiply(const Value& a, const Value& b);
/// `truncates`: refuse a quotient of integers that is no integer, which OpenQASM 3 would truncate.
[[nodiscard]] Value divide(const Value& a, const Value& b, bool truncates);
[[nodiscard]] Value power(const Value& base, const Value& exponent);
[[nodiscard]] Value call(Function function, const Value& argument);

}  // namespace quartz::qasm

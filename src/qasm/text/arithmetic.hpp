#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quartz/algebra/angle.hpp"

/// Arithmetic of parameter expressions. It is exact if the result is a sum of rational multiples of
/// pi, of numbers and of free parameters, and computed in doubles otherwise (angle_from_double).
/// All functions throw InputError without a location for a division by zero, for a result that is
/// not finite, and for one that is not linear in a free parameter.
namespace quartz::qasm {

struct Value {
  Angle angle;
  /// Whether the value has an integer type: OpenQASM 3 truncates quotients of such values.
  bool is_integer = false;
};

enum class Function : std::uint8_t { sin, cos, tan, exp, ln, sqrt, arcsin, arccos, arctan };

/// Finds a function by its name in OpenQASM 2 or 3.
[[nodiscard]] std::optional<Function> find_function(std::string_view name);
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

}  // namespace quartz::qasm

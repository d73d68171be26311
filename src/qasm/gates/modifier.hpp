#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "quartz/algebra/rational.hpp"

namespace quartz::qasm {

/// `ctrl(2) @`, `negctrl @`, `inv @`, `pow(-3) @` before a gate call of OpenQASM 3.
struct Modifier {
  enum class Kind : std::uint8_t { control, negative_control, inverse, power };
  Kind kind{};
  std::int64_t count = 1;  ///< number of controls; for a power, the exponent
  /// The exponent of a power if it is not an integer.
  std::optional<Rational> fraction = {};
  std::string_view place;
};

/// Returns the number of operands that the modifiers add before those of the gate.
[[nodiscard]] inline std::size_t control_count(std::span<const Modifier> modifiers) {
  std::size_t count = 0;
  for (const Modifier& modifier : modifiers) {
    const bool controls = modifier.kind == Modifier::Kind::control ||
                          modifier.kind == Modifier::Kind::negative_control;
    if (controls) count += static_cast<std::size_t>(modifier.count);
  }
  return count;
}

}  // namespace quartz::qasm

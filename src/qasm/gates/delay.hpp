#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

/// A delay of OpenQASM 3 is an opaque operation whose name contains its duration: "delay[100ns]".
namespace quartz::qasm {

[[nodiscard]] inline std::string delay_name(std::string_view duration) {
  return fmt::format("delay[{}]", duration);
}

/// Returns whether the name of an opaque operation is that of a delay: no declared name has a
/// bracket.
[[nodiscard]] inline bool is_delay(std::string_view opaque_name) {
  return opaque_name.starts_with("delay[");
}

/// The name of the opaque operation that a `nop` of OpenQASM 3 is.
inline constexpr std::string_view no_operation_name = "nop[]";

/// Returns whether the name of an opaque operation is that of a delay or of a `nop`: these are on a
/// set of qubits, and no declaration of OpenQASM 2 expresses them.
[[nodiscard]] inline bool is_delay_or_no_operation(std::string_view opaque_name) {
  return is_delay(opaque_name) || opaque_name == no_operation_name;
}

}  // namespace quartz::qasm

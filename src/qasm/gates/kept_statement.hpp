#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "circuit/kept_statement.hpp"
#include "quartz/circuit/gate.hpp"

/// Names of opaque operations that are not declared: those of kept statements, and of gates in a
/// verbatim box.
namespace quartz::qasm {

using circuit::is_kept_statement;

/// Returns the statement that declares an input of type bool, which has a register of one bit.
[[nodiscard]] inline std::string input_statement(std::string_view name) {
  return "input bool " + std::string(name) + ";";
}
/// Returns the statement that declares a register of bits as an output.
[[nodiscard]] inline std::string output_statement(std::string_view name, std::uint32_t size) {
  return "output bit[" + std::to_string(size) + "] " + std::string(name) + ";";
}

/// The gates of a verbatim box of Amazon Braket must not change. They are opaque operations, too;
/// their names are this text and the name of the gate.
inline constexpr std::string_view verbatim_prefix = "verbatim ";

[[nodiscard]] inline std::string verbatim_name(GateKind kind) {
  return std::string(verbatim_prefix) + std::string(gate(kind).name);
}

/// Returns whether the name of an opaque operation is that of a gate which the program declares.
[[nodiscard]] inline bool is_declared_name(std::string_view opaque_name) {
  return opaque_name.find_first_of("[{}; #") == std::string_view::npos;
}

/// Returns the gate of a verbatim box that an opaque operation is; nullopt for all others.
[[nodiscard]] inline std::optional<GateKind> verbatim_gate(std::string_view opaque_name) {
  if (!opaque_name.starts_with(verbatim_prefix)) return std::nullopt;
  const Gate* const found = find_gate(opaque_name.substr(verbatim_prefix.size()));
  return found == nullptr ? std::nullopt : std::optional(found->kind);
}

}  // namespace quartz::qasm

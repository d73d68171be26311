#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz {

/// Folders in which the files that a program includes are looked for, after the folder of the file
/// that includes them. An included file must be in one of these folders or below.
struct IncludePath {
  std::vector<std::filesystem::path> folders;
};

/// What becomes of the calls of gates that a program defines.
enum class GateCalls : std::uint8_t {
  expanded,
  /// Calls without modifiers stay, and Circuit::declared_gates has the gates, also those that are
  /// never called. Other calls are expanded: those with modifiers, those between verbatim pragmas,
  /// and those of a gate whose body is not linear in its parameters. A definition that means a gate
  /// of the table declares nothing. A gate with the name of another gate, or with a word of the
  /// language in one of its versions, has `_declared` added to its name.
  kept,
};

/// What gates under many controls are expanded into.
enum class ControlExpansion : std::uint8_t {
  few_two_qubit_gates,
  /// Few rotations by other angles than multiples of pi/4, with more gates on two qubits: for gate
  /// sets without rotations.
  few_rotations,
};

/// Parses a program as the other overload of parse_qasm does, with files that it includes, and with
/// the custom gates of a gate set (GateSet::custom_gates). The text has no folder, so the files
/// must be in the include path.
[[nodiscard]] Circuit parse_qasm(std::string_view text, const std::string& name,
                                 const IncludePath& path, const std::stop_token& stop = {},
                                 const CustomGates& custom_gates = {},
                                 GateCalls calls = GateCalls::expanded,
                                 ControlExpansion expansion = {});
/// Parses a file as the other overload of read_qasm_file does, with the custom gates of a gate set;
/// "-" is standard input, which has no folder.
[[nodiscard]] Circuit read_qasm_file(const std::filesystem::path& file, const IncludePath& path,
                                     const std::stop_token& stop = {},
                                     const CustomGates& custom_gates = {},
                                     GateCalls calls = GateCalls::expanded,
                                     ControlExpansion expansion = {});
/// Does what the other overload of location_of_operation does for a circuit that was read with this
/// expansion.
[[nodiscard]] SourceLocation location_of_operation(const std::filesystem::path& file,
                                                   const IncludePath& path, std::size_t operation,
                                                   const std::stop_token& stop,
                                                   const CustomGates& custom_gates,
                                                   ControlExpansion expansion);

}  // namespace quartz

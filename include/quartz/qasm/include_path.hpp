#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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

/// Parses a program as the other overload of parse_qasm does, with files that it includes, and with
/// the custom gates of a gate set (GateSet::custom_gates). The text has no folder, so the files
/// must be in the include path.
[[nodiscard]] Circuit parse_qasm(std::string_view text, const std::string& name,
                                 const IncludePath& path, const std::stop_token& stop = {},
                                 const CustomGates& custom_gates = {},
                                 GateCalls calls = GateCalls::expanded);
/// Parses a file as the other overload of read_qasm_file does, with the custom gates of a gate set;
/// "-" is standard input, which has no folder.
[[nodiscard]] Circuit read_qasm_file(const std::filesystem::path& file, const IncludePath& path,
                                     const std::stop_token& stop = {},
                                     const CustomGates& custom_gates = {},
                                     GateCalls calls = GateCalls::expanded);

}  // namespace quartz

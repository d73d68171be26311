#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quartz::qasm {

/// The text that the writer puts before the global phase in OpenQASM 2, which has no statement for
/// it.
inline constexpr std::string_view kGlobalPhaseComment = "// global phase: ";

/// Returns the comments before the OPENQASM line and between it and the next statement, as lines
/// without the slashes. The writer puts them all before the OPENQASM line. One space after the
/// slashes is removed; every line of a block comment becomes a line.
[[nodiscard]] std::vector<std::string> header_lines(std::span<const std::string_view> comments);

/// The text that the writer puts before the number of physical qubits in OpenQASM 3, because some
/// of them may be idle.
inline constexpr std::string_view kPhysicalQubitsComment = "// physical qubits: ";
/// The name of the register that represents the physical qubits.
inline constexpr std::string_view kPhysicalRegister = "$";

/// Returns the text after such a comment in the line below `end_of_statement` (a position in
/// `text`), where the writer puts it; empty if there is none.
[[nodiscard]] std::string_view find_comment(std::string_view comment, std::string_view text,
                                            const char* end_of_statement,
                                            unsigned language_version);

}  // namespace quartz::qasm

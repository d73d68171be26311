#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quartz::qasm {

/// What the writer puts before the global phase in OpenQASM 2, which has no statement for it.
inline constexpr std::string_view global_phase_comment = "// global phase: ";

/// The comments before the OPENQASM line and between it and the next statement, as lines without
/// the slashes. The writer puts them all before the OPENQASM line. One space behind the slashes is
/// taken for granted; of a block comment every line counts.
[[nodiscard]] std::vector<std::string> header_lines(std::span<const std::string_view> comments);

/// In OpenQASM 3, before how many physical qubits there are: some may be idle.
inline constexpr std::string_view physical_qubits_comment = "// physical qubits: ";
/// The register that physical qubits are.
inline constexpr std::string_view physical_register = "$";

/// What follows one of these comments in the line below `end_of_statement` (a point in `text`),
/// where the writer puts it; empty if there is none.
[[nodiscard]] std::string_view find_comment(std::string_view comment, std::string_view text,
                                            const char* end_of_statement,
                                            unsigned language_version);

}  // namespace quartz::qasm

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Reads OpenQASM 2.0 (whole) and the circuit subset of OpenQASM 3 that src/qasm/README.md tells.
/// Gate definitions are expanded; angles stay exact; what is not understood is an InputError with
/// file:line:column, never skipped. `name` is what messages call the source.
[[nodiscard]] Circuit parse_qasm(std::string_view text, const std::string& name = "<input>");
/// The same from a file; "-" is standard input.
[[nodiscard]] Circuit read_qasm_file(const std::filesystem::path& path);

/// The circuit as text in the version of its `qasm_version`; parse_qasm of it gives an equal
/// circuit. The global phase is a gphase statement in version 3 and a comment in version 2. Throws
/// UsageError for a circuit that no program of the version can say and none was read from: a name
/// that is no identifier, in version 2 a free parameter, a delay or a condition on one bit of a
/// register, an opaque gate beside the standard gate of its name.
[[nodiscard]] std::string write_qasm(const Circuit& circuit);

}  // namespace quartz

#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Reads all of OpenQASM 2.0, and the part of OpenQASM 3 that describes circuits
/// (docs/formats/openqasm.md). Gate definitions are expanded; angles stay exact; what is not
/// understood is an InputError with file:line:column, never skipped. `name` is what messages call
/// the source.
///
/// Custom gates (quartz/circuit/custom_gate.hpp) are known by their names. A definition of such a
/// name means the gate where its body is the gate's matrix, phase included, and where it is the one
/// that write_qasm writes; an opaque declaration does where the gate is known by its matrix only.
/// Other declarations mean what they say.
///
/// All of these throw Stopped once a stop is requested.
[[nodiscard]] Circuit parse_qasm(std::string_view text, const std::string& name = "<input>",
                                 const std::stop_token& stop = {});
/// The same from a file; "-" is standard input.
[[nodiscard]] Circuit read_qasm_file(const std::filesystem::path& path,
                                     const std::stop_token& stop = {});

/// The circuit as text in the version of its `qasm_version`; parse_qasm of it gives an equal
/// circuit. The global phase is a gphase statement in version 3 and a comment in version 2. Throws
/// UsageError for a circuit that no program of the version can say and none was read from: a name
/// that is no identifier, in version 2 a free parameter, a delay or a condition on one bit of a
/// register, an opaque gate beside the standard gate of its name.
[[nodiscard]] std::string write_qasm(const Circuit& circuit, const std::stop_token& stop = {});

/// Whether OpenQASM, in both versions, lets a gate have the name: it is none of its own words.
[[nodiscard]] bool is_gate_name(std::string_view name);

}  // namespace quartz

#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz {

struct IncludePath;  // quartz/qasm/include_path.hpp

/// Parses OpenQASM 2.0 completely, and the part of OpenQASM 3 that describes circuits
/// (docs/formats/openqasm.md). Gate definitions are expanded and angles stay exact. Nothing is
/// skipped: everything that is not supported is an InputError with file:line:column. `name` is what
/// messages call the source.
///
/// A program may call the custom gates (quartz/circuit/custom_gate.hpp) of a gate set by their
/// names if they are given (quartz/qasm/include_path.hpp). A gate definition with such a name means
/// the custom gate if its body equals the gate's matrix, phase included, and if it is the
/// definition that write_qasm writes. An opaque declaration with such a name means the custom gate
/// if that is defined by its matrix only. All other declarations keep their own meaning.
///
/// All functions of this header throw Stopped once a stop is requested.
[[nodiscard]] Circuit parse_qasm(std::string_view text, const std::string& name = "<input>",
                                 const std::stop_token& stop = {});
/// Parses a file; "-" is standard input.
[[nodiscard]] Circuit read_qasm_file(const std::filesystem::path& path,
                                     const std::stop_token& stop = {});
/// Returns where a file has an operation of the circuit that read_qasm_file returns for it, by its
/// index in the circuit, for a message: the outermost call, in a loop or a subroutine that of its
/// body. Reads the file again, so that lines and columns are not known of standard input.
[[nodiscard]] SourceLocation location_of_operation(const std::filesystem::path& file,
                                                   const IncludePath& path, std::size_t operation,
                                                   const std::stop_token& stop = {},
                                                   const CustomGates& custom_gates = {});

/// Writes the circuit in the language version of its `qasm_version`; parse_qasm of the text gives
/// an equal circuit. The global phase is a gphase statement in version 3 and a comment in version
/// 2. Throws UsageError for a circuit that no program of the version can express and that was
/// therefore not read from one: a name that is not an identifier; in version 2 a free parameter, a
/// delay or a condition on one bit of a register; an opaque gate beside the standard gate of its
/// name; custom gates of two gate sets that have one name.
[[nodiscard]] std::string write_qasm(const Circuit& circuit, const std::stop_token& stop = {});

/// Returns an angle as write_qasm writes it.
[[nodiscard]] std::string qasm_expression(const Angle& angle);

/// Returns the exact angle for a double in radians, as parse_qasm reads it: the shortest decimal
/// that reads back as that double, or k*pi/d if the double is what a program computes for that,
/// with d up to 64 or a power of two up to 2^20. Throws InputError (without a location) if it is
/// not finite.
[[nodiscard]] Angle angle_from_double(double value);

/// Returns whether a gate may have the name in both versions of OpenQASM: it is not a word of the
/// language.
[[nodiscard]] bool is_gate_name(std::string_view name);

}  // namespace quartz

#pragma once

#include <string_view>

#include "quartz/circuit/gate.hpp"

/// The contents of the standard include files qelib1.inc (version 2) and stdgates.inc (version 3),
/// as Qiskit ships them, and the built-in gates U and CX.
///
/// Global phases are those of Qiskit, as in the gate table. The text of OpenQASM 3.0 gives U a
/// further factor e^{i theta/2}, and u2 and u3 of stdgates.inc a further factor e^{-i
/// (phi+lambda)/2}; no program that writes OpenQASM 3 follows it there (Qiskit issue 15830).
namespace quartz::qasm {

/// Returns whether the language or its standard include file has the gate.
[[nodiscard]] bool is_library_gate(GateKind kind, unsigned language_version);

/// Returns whether the standard include file declares the name.
[[nodiscard]] bool is_library_name(std::string_view name, unsigned language_version);

/// Returns whether the gate is built into the language: U, and in version 2 CX.
[[nodiscard]] bool is_built_in_gate(GateKind kind, unsigned language_version);

/// Returns the body of the definition that a file needs for a gate that the standard include file
/// lacks: the gate table's first decomposition that holds for all angles. Version 2 cannot express
/// the phase of a definition. Null for a custom gate that is defined by its matrix only; files
/// declare it opaque.
[[nodiscard]] const Decomposition* definition_of(GateKind kind);

/// Returns the body of the definition that a file without the standard include file needs for a
/// gate of that include file: a single U for a one-qubit gate, null for cx in version 3, where it
/// is `ctrl @ U(pi,0,pi)`, and definition_of for all other gates.
[[nodiscard]] const Decomposition* definition_without_library(GateKind kind);

}  // namespace quartz::qasm

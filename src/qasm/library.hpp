#pragma once

#include <string_view>

#include "quartz/circuit/gate.hpp"

/// What the standard include files define: qelib1.inc (version 2) and stdgates.inc (version 3), as
/// Qiskit ships them, and the built-in gates U and CX.
///
/// Global phases are Qiskit's, as everywhere in the gate table. OpenQASM 3.0's own text gives U a
/// further e^{i theta/2}, and u2 and u3 of stdgates.inc a further e^{-i (phi+lambda)/2}; no program
/// that writes OpenQASM 3 follows it there (Qiskit issue 15830).
namespace quartz::qasm {

/// Whether the language or its standard include file has the gate.
[[nodiscard]] bool is_library_gate(GateKind kind, unsigned language_version);

/// Whether the standard include file declares something of this name.
[[nodiscard]] bool is_library_name(std::string_view name, unsigned language_version);

/// Whether the language itself has the gate: U, and in version 2 CX.
[[nodiscard]] bool is_built_in_gate(GateKind kind, unsigned language_version);

/// The body of the definition that a file needs for a gate that the standard include file lacks:
/// the gate table's first decomposition that holds for all angles. Version 2 has no way to write
/// its phase. Null for a custom gate that is known by its matrix only: files declare it opaque.
[[nodiscard]] const Decomposition* definition_of(GateKind kind);

/// The body of the definition that a file without the standard include file needs for a gate of
/// that file: a single U where it is on one qubit, none for cx in version 3, which is
/// `ctrl @ U(pi,0,pi)`, else definition_of.
[[nodiscard]] const Decomposition* definition_without_library(GateKind kind);

}  // namespace quartz::qasm

#pragma once

#include <span>
#include <string_view>
#include <vector>

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
/// lacks: the gate table's first decomposition that holds for all angles. Null for a custom gate
/// that is defined by its matrix only; files declare it opaque.
[[nodiscard]] const Decomposition* definition_of(GateKind kind);

/// Returns the body of the definition that a file without the standard include file needs for a
/// gate of that include file: a single U for a one-qubit gate, null for cx in version 3, where it
/// is `ctrl @ U(pi,0,pi)`, and definition_of for all other gates.
[[nodiscard]] const Decomposition* definition_without_library(GateKind kind);

/// Returns the definition of a gate without a phase, which version 2 cannot express in definitions:
/// gates with that phase take its place. `definition` is definition_of or
/// definition_without_library of the gate.
[[nodiscard]] Decomposition without_phase(GateKind kind, const Decomposition& definition);

/// A gate that only one vendor's programs call by this name: a gate of Amazon Braket or of
/// hqslib1.inc, the include file of Quantinuum and pytket.
struct VendorGate {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::size_t qubits = 0;
  Decomposition definition;  ///< exact, global phase included
};

/// Returns the gates of all vendors. Programs call them without a declaration; a declaration in the
/// program, and a gate of a gate set, has priority.
[[nodiscard]] std::span<const VendorGate> vendor_gates();

}  // namespace quartz::qasm

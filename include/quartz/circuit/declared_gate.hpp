#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// Circuits that call gates which they declare (Circuit::declared_gates). Everything that does not
/// know of declared gates takes a call for an opaque gate, which is sound as long as the bodies do
/// not change.
namespace quartz {

/// Most operations of a circuit whose calls are expanded.
inline constexpr std::size_t kMaxExpandedOperations = std::size_t{1} << 25U;

/// Returns the gate that an operation calls; null for any other operation.
[[nodiscard]] const DeclaredGate* called_gate(const Circuit& circuit, const Operation& operation);

/// Returns the circuit with the body of the declared gate in the place of each call, under the
/// conditions of the call, and without declared gates. Global phases are added, except for those of
/// calls under conditions: classical bits are never in superposition, so that they have no effect.
/// Throws InputError, without a location, for more than kMaxExpandedOperations operations, and for
/// a call with another number of angles or qubits than the gate has, or before its declaration.
[[nodiscard]] Circuit with_expanded_calls(const Circuit& circuit);
/// Does the same for the calls of the gates with these names only; all others stay declared.
[[nodiscard]] Circuit with_expanded_calls(const Circuit& circuit,
                                          const std::set<std::string>& names);

/// Returns a circuit that does the same, in which no declared gate has a global phase: that of each
/// call is part of the circuit's. OpenQASM 2 has no phases in definitions.
[[nodiscard]] Circuit without_phases_of_declared_gates(const Circuit& circuit);

/// Returns for each declared gate how often the circuit calls it, through other gates as well.
/// Operations in loops count once.
[[nodiscard]] std::vector<double> calls_of_declared_gates(const Circuit& circuit);

}  // namespace quartz

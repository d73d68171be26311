#pragma once

#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// What is assumed about the qubits of a circuit before it begins and after it has ended.
struct ProgramEdges {
  bool starts_zero = false;     ///< all qubits start in |0>, instead of in any state
  bool ends_discarded = false;  ///< nothing is done with the qubits afterwards: only bits count

  [[nodiscard]] bool any() const { return starts_zero || ends_discarded; }
  friend bool operator==(const ProgramEdges&, const ProgramEdges&) = default;
};

/// Returns the edges of a complete program: its qubits start in |0>, and if it measures any of
/// them, only its classical bits count. A value that is assigned to a bit is no measurement.
[[nodiscard]] ProgramEdges edges_of_program(const Circuit& circuit);

/// Returns what is assumed, such as "the qubits start in |0>"; empty if nothing is.
[[nodiscard]] std::string to_string(const ProgramEdges& edges);

/// Returns the circuit with its edges as operations: a reset of each qubit at its start, at its
/// end, or at both. Two circuits do the same between their edges if and only if they are equal with
/// these resets. Throws UsageError if the qubits are discarded and no classical bit is written,
/// because the circuit would then do nothing.
[[nodiscard]] Circuit with_edges(const Circuit& circuit, const ProgramEdges& edges);
/// Returns a circuit without the resets that with_edges() has added. Throws UsageError if one of
/// them is missing.
[[nodiscard]] Circuit without_edges(const Circuit& circuit, const ProgramEdges& edges);

}  // namespace quartz

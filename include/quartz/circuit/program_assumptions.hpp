#pragma once

#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// What is assumed about the qubits of a circuit before it begins and after it has ended.
struct ProgramAssumptions {
  bool starts_zero = false;     ///< all qubits start in |0>, instead of in any state
  bool ends_discarded = false;  ///< nothing is done with the qubits afterwards: only bits count

  [[nodiscard]] bool any() const { return starts_zero || ends_discarded; }
  friend bool operator==(const ProgramAssumptions&, const ProgramAssumptions&) = default;
};

/// Returns the assumptions of a complete program: its qubits start in |0>, and if it measures any
/// of them, only its classical bits count. A value that is assigned to a bit is no measurement.
[[nodiscard]] ProgramAssumptions assumptions_of_program(const Circuit& circuit);
/// Returns the assumptions under which two complete programs are compared: only classical bits
/// count if both measure. If one of them does, the states that the qubits are left in count too.
[[nodiscard]] ProgramAssumptions assumptions_of_programs(const Circuit& left, const Circuit& right);

/// Returns what is assumed, such as "the qubits start in |0>"; empty if nothing is.
[[nodiscard]] std::string to_string(const ProgramAssumptions& assumptions);

/// Returns the circuit with its assumptions as operations: a reset of each qubit at its start, at
/// its end, or at both. Two circuits do the same under these assumptions if and only if they are
/// equal with these resets. Throws UsageError if the qubits are discarded and no classical bit is
/// written, because the circuit would then do nothing.
[[nodiscard]] Circuit with_assumptions(const Circuit& circuit,
                                       const ProgramAssumptions& assumptions);
/// Returns a circuit without the resets that with_assumptions() has added. Throws UsageError if one
/// of them is missing.
[[nodiscard]] Circuit without_assumptions(const Circuit& circuit,
                                          const ProgramAssumptions& assumptions);

}  // namespace quartz

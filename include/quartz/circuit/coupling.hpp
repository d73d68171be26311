#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Which pairs of qubits may have gates between them. Pairs have no direction: a gate may stand on
/// a pair either way round.
class CouplingMap {
 public:
  /// Throws UsageError for a qubit with itself.
  void add(Qubit a, Qubit b);
  [[nodiscard]] bool contains(Qubit a, Qubit b) const {
    return pairs_.contains(a < b ? std::pair(a, b) : std::pair(b, a));
  }
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }

 private:
  std::set<std::pair<Qubit, Qubit>> pairs_;
};

/// A gate that stands on a pair that a map lacks.
struct UncoupledGate {
  std::size_t operation = 0;  ///< its place in the circuit
  Qubit first = 0;
  Qubit second = 0;
};

/// The pairs of a circuit's gates: of a gate on three qubits all three. What is no gate, such as a
/// barrier, couples nothing.
[[nodiscard]] CouplingMap coupling_of(const Circuit& circuit);
/// The first pair of qubits that an operation couples and the map does not have.
[[nodiscard]] std::optional<std::pair<Qubit, Qubit>> uncoupled_pair(const Operation& operation,
                                                                    const CouplingMap& map);
/// The first gate of the circuit on a pair that is not in the map.
[[nodiscard]] std::optional<UncoupledGate> uncoupled_gate(const Circuit& circuit,
                                                          const CouplingMap& map);

}  // namespace quartz

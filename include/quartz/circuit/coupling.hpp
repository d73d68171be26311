#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Which pairs of qubits may have gates between them. A gate may stand on a pair either way round,
/// unless the map is directed: then a gate on two qubits that cannot trade places, such as cx and
/// ecr, stands with its first operand on the first qubit of a pair.
class CouplingMap {
 public:
  CouplingMap() = default;
  explicit CouplingMap(bool directed) : directed_(directed) {}

  /// Throws UsageError for a qubit with itself.
  void add(Qubit a, Qubit b);
  [[nodiscard]] bool directed() const noexcept { return directed_; }
  /// The same pairs, either way round.
  [[nodiscard]] CouplingMap without_direction() const;
  /// Whether a gate whose operands cannot trade places may stand so.
  [[nodiscard]] bool allows(Qubit first, Qubit second) const {
    return directed_ ? ordered_.contains({first, second}) : contains(first, second);
  }
  [[nodiscard]] bool contains(Qubit a, Qubit b) const {
    return pairs_.contains(a < b ? std::pair(a, b) : std::pair(b, a));
  }
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }

 private:
  bool directed_ = false;
  std::set<std::pair<Qubit, Qubit>> pairs_;    ///< the lesser qubit first
  std::set<std::pair<Qubit, Qubit>> ordered_;  ///< as they were added, where that has a meaning
};

/// Whether the gate is on two qubits that cannot trade places.
[[nodiscard]] bool has_direction(GateKind gate);

/// A gate that stands on a pair that a map lacks.
struct UncoupledGate {
  std::size_t operation = 0;  ///< its place in the circuit
  Qubit first = 0;
  Qubit second = 0;
};

/// The pairs of a circuit's gates: of a gate on three qubits all three. What is no gate, such as a
/// barrier, couples nothing.
[[nodiscard]] CouplingMap coupling_of(const Circuit& circuit);
/// The first pair of qubits that an operation couples and the map does not have, or not this way
/// round.
[[nodiscard]] std::optional<std::pair<Qubit, Qubit>> uncoupled_pair(const Operation& operation,
                                                                    const CouplingMap& map);
/// The first gate of the circuit on a pair that is not in the map.
[[nodiscard]] std::optional<UncoupledGate> uncoupled_gate(const Circuit& circuit,
                                                          const CouplingMap& map);

}  // namespace quartz

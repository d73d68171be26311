#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// The pairs of qubits that may have gates between them. A gate may act on a pair in either order,
/// unless the map is directed: then a gate on two qubits that is not symmetric in them, such as cx
/// and ecr, must have the first qubit of a pair as its first operand.
class CouplingMap {
 public:
  CouplingMap() = default;
  explicit CouplingMap(bool directed) : directed_(directed) {}

  /// Adds a pair. Throws UsageError if both qubits are the same.
  void add(Qubit a, Qubit b);
  [[nodiscard]] bool directed() const noexcept { return directed_; }
  /// Returns the undirected map of the same pairs.
  [[nodiscard]] CouplingMap without_direction() const;
  /// Returns whether a gate that is not symmetric in its operands may act on them in this order.
  [[nodiscard]] bool allows(Qubit first, Qubit second) const {
    return directed_ ? ordered_.contains({first, second}) : contains(first, second);
  }
  /// Returns whether the map contains the pair, in either order.
  [[nodiscard]] bool contains(Qubit a, Qubit b) const {
    return pairs_.contains(a < b ? std::pair(a, b) : std::pair(b, a));
  }
  /// Returns the number of pairs, independently of their order.
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }
  /// Returns the pairs in ascending order: in a directed map as they were given, otherwise with the
  /// lesser qubit first.
  [[nodiscard]] const std::set<std::pair<Qubit, Qubit>>& pairs() const noexcept {
    return directed_ ? ordered_ : pairs_;
  }
  friend bool operator==(const CouplingMap&, const CouplingMap&) = default;

 private:
  bool directed_ = false;
  std::set<std::pair<Qubit, Qubit>> pairs_;    ///< with the lesser qubit first
  std::set<std::pair<Qubit, Qubit>> ordered_;  ///< in the order given; for directed maps only
};

/// Returns whether the gate acts on two qubits and is not symmetric in them.
[[nodiscard]] bool has_direction(GateKind gate);

/// A gate on a pair of qubits that a coupling map does not contain.
struct UncoupledGate {
  std::size_t operation = 0;  ///< its index in the circuit
  Qubit first = 0;
  Qubit second = 0;
};

/// Returns the pairs of qubits that the circuit's gates act on; a gate on three qubits has three
/// pairs. Operations other than gates, such as barriers, couple nothing.
[[nodiscard]] CouplingMap coupling_of(const Circuit& circuit);
/// Returns the first pair of qubits that the operation couples and that the map does not contain,
/// or does not contain in this order.
[[nodiscard]] std::optional<std::pair<Qubit, Qubit>> uncoupled_pair(const Operation& operation,
                                                                    const CouplingMap& map);
/// Returns the first gate of the circuit on a pair that is not in the map.
[[nodiscard]] std::optional<UncoupledGate> uncoupled_gate(const Circuit& circuit,
                                                          const CouplingMap& map);

}  // namespace quartz

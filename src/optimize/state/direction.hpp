#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Has gates on two qubits follow the directions of a coupling map. A gate against the direction is
/// replaced by the gate on the exchanged qubits, which is equal if the gate is symmetric, with
/// other angles (ms) or with gates on one qubit around it (cx, ecr, and all gates that the gate
/// table decomposes into a symmetric gate with gates on one qubit around it). Other gates stay.
class Directions {
 public:
  Directions(const GateSet& set, const CouplingMap& map) : set_(set), map_(map) {}

  /// Returns gates with their directions fixed: the input equals e^{i phase} times the result. A
  /// conditional gate becomes gates with the same condition, without their phase.
  [[nodiscard]] circuit::DerivedGates fix_gate_directions(std::span<const Operation> operations);
  /// Returns the circuit with its directions fixed; its global phase includes the phase of the
  /// rewrites.
  [[nodiscard]] circuit::DerivedCircuit fix_gate_directions(const Circuit& circuit);

 private:
  /// Returns whether a gate on two qubits is on a pair of the map, but against its direction.
  [[nodiscard]] bool is_against(const Operation& operation) const;
  /// Returns the gate, on qubits 0 and 1, as gates of the set with the gate on 1 and 0, or nothing
  /// if it cannot be reversed.
  [[nodiscard]] std::optional<Circuit> reversed(const Operation& gate);
  /// Returns the same for a gate on any two qubits, as gates on qubits 0 and 1.
  [[nodiscard]] std::optional<Circuit> remembered(const Operation& operation);

  const GateSet& set_;
  const CouplingMap& map_;
  /// For each angle of a gate the one that takes its place when its qubits are exchanged, for gates
  /// that are equal then.
  std::map<GateKind, std::optional<std::vector<unsigned>>> angle_orders_;
  std::map<GateKind, std::optional<Circuit>> reversed_;  ///< gates without angles
};

}  // namespace quartz::optimizer

#pragma once

#include <map>
#include <optional>
#include <span>

#include "circuit/derivation.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Reverses cx and ecr gates that point against the direction of a coupling map, by one-qubit gates
/// around them. Other gates stay.
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
  /// Returns the gate on qubits 0 and 1 as gates of the set with the gate on 1 and 0, or null.
  [[nodiscard]] const Circuit* reversed(GateKind gate);

  const GateSet& set_;
  const CouplingMap& map_;
  std::map<GateKind, std::optional<Circuit>> reversed_;
};

}  // namespace quartz::optimizer

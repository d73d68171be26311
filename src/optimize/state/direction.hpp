#pragma once

#include <map>
#include <optional>
#include <span>

#include "circuit/phased_gates.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Turns gates round that stand against the direction of a map, between gates on one qubit: cx and
/// ecr. Others stay as they are.
class Directions {
 public:
  Directions(const GateSet& set, const CouplingMap& map) : set_(set), map_(map) {}

  /// e^{i phase} times the result is what the gates are. A conditional gate becomes gates under its
  /// condition, without their phase.
  [[nodiscard]] PhasedGates turned_round(std::span<const Operation> operations);
  /// With the phase in the circuit's own.
  [[nodiscard]] Circuit turned_round(const Circuit& circuit);

 private:
  /// The gate on qubits 0 and 1 as one on 1 and 0, in the gates of the set.
  [[nodiscard]] const Circuit* reversed(GateKind gate);

  const GateSet& set_;
  const CouplingMap& map_;
  std::map<GateKind, std::optional<Circuit>> reversed_;
};

}  // namespace quartz

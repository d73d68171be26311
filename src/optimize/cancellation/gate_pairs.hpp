#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "circuit/phased_gates.hpp"
#include "optimize/cancellation/gate_operators.hpp"
#include "optimize/folding/rotation_writer.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// How the operators of two gates are related once both are pulled back to the start of the
/// circuit: those of the second gate are, in some order, those of the first one up to signs.
struct OperatorRelation {
  /// For each operator of the first gate, whether the second gate has the negative operator.
  std::array<bool, 2> is_negative{};
  friend bool operator==(const OperatorRelation&, const OperatorRelation&) = default;
};

/// Computes what is left of two gates far apart whose operators are related.
class GatePairs {
 public:
  explicit GatePairs(const GateSet& set) : set_(set), writer_(set) {}

  /// Returns the operators of the gate if it may be part of a pair.
  [[nodiscard]] std::optional<GateOperators> operators_of(const Operation& gate) const;

  /// Returns fewer gates on the wires of the first gate, or no more and none on two qubits, that
  /// equal both gates if they take the place of the first one and the second one is removed:
  /// rotations about operators that are equal up to a sign merge, and equal controlled Pauli
  /// operators cancel, up to Pauli operators for the signs. Returns nothing if the set cannot
  /// express such gates, or the angles have no exact sum.
  [[nodiscard]] std::optional<circuit::PhasedGates> merged(const Operation& first,
                                                           const Operation& second,
                                                           const OperatorRelation& relation);

 private:
  [[nodiscard]] std::optional<circuit::PhasedGates> merged_rotations(
      const Operation& first, const Operation& second, const OperatorRelation& relation);
  [[nodiscard]] std::optional<circuit::PhasedGates> left_of_controlled(
      const Operation& first, const OperatorRelation& relation) const;

  const GateSet& set_;
  RotationWriter writer_;
};

}  // namespace quartz::optimizer

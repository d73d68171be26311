#pragma once

#include <optional>

#include "circuit/phased_gates.hpp"
#include "optimize/folding/rotation_writer.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Writes Pauli operators of one qubit in the gates of a set, as rotations by half a turn.
class PauliWriter {
 public:
  explicit PauliWriter(const GateSet& set);

  /// Returns whether the set has gates for X and for Z, and so for all of them.
  [[nodiscard]] bool has_both() const { return x_ && z_; }
  [[nodiscard]] RotationWriter& rotations() { return writer_; }
  /// Returns an operator X^x Z^z on one qubit as gates. The phase of the operator does not count.
  /// Requires has_both().
  [[nodiscard]] circuit::PhasedGates write(const LocalPauli& pauli, Qubit qubit) const;

 private:
  /// Takes a way to write the operator `axis` if it is the first one, or shorter.
  void offer(const Operation& operation, const PauliRotation& rotation, const LocalPauli& axis,
             std::optional<circuit::PhasedGates>& found);

  RotationWriter writer_;
  std::optional<circuit::PhasedGates> x_;
  std::optional<circuit::PhasedGates> z_;
};

}  // namespace quartz::optimizer

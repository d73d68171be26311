#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "circuit/phased_gates.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Writes a rotation about a local axis in the gates of a set: with its own kind of gate or, for
/// sets with fixed gates only (t, s, z, ...), as the shortest product of those about the same axis.
class RotationWriter {
 public:
  explicit RotationWriter(const GateSet& set);

  /// Returns whether the set permits other angles for rotations of this kind.
  [[nodiscard]] bool writable(const Operation& operation) const;

  /// Returns exp(-i angle/2 axis) as gates on the operation's qubits, or nothing if the set cannot
  /// express it.
  [[nodiscard]] std::optional<circuit::PhasedGates> write(const Operation& like,
                                                          const LocalPauli& axis,
                                                          const Angle& angle);

 private:
  /// Indices of fixed gates, or nothing.
  using Word = std::optional<std::vector<std::size_t>>;

  /// Returns the shortest product of fixed gates that rotates about the axis by `target` eighths of
  /// a turn (modulo 8). Ties go to the fewest gates that are not Clifford gates, then to the order
  /// of the list.
  [[nodiscard]] Word shortest(const LocalPauli& axis, std::int64_t target) const;

  std::vector<GateKind> free_;
  std::vector<std::pair<Operation, PauliRotation>> fixed_;
  /// Products by axis and target.
  std::map<std::array<std::int64_t, 4>, Word> words_;
};

}  // namespace quartz::optimizer

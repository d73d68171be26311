#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "circuit/phased_gates.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Writes a rotation about a local axis in the gates of a set: the kind it had, or for sets with
/// fixed gates only (t, s, z, ...) the shortest product of those about the same axis.
class RotationWriter {
 public:
  explicit RotationWriter(const GateSet& set);

  /// Whether the set lets rotations of this kind change their angle.
  [[nodiscard]] bool writable(const Operation& operation) const;

  /// exp(-i angle/2 axis) as gates on the operation's qubits, or nothing where the set cannot.
  [[nodiscard]] std::optional<PhasedGates> write(const Operation& like, const LocalPauli& axis,
                                                 const Angle& angle);

 private:
  /// Numbers of fixed gates, or nothing.
  using Word = std::optional<std::vector<std::size_t>>;

  /// The shortest product of fixed gates about the axis that turns by `target` eighths of a turn
  /// (modulo 8); ties go to the fewest gates that are no Clifford gates, then to the list's order.
  [[nodiscard]] Word shortest(const LocalPauli& axis, std::int64_t target) const;

  std::vector<GateKind> free_;
  std::vector<std::pair<Operation, PauliRotation>> fixed_;
  /// By the axis and the target.
  std::map<std::array<std::int64_t, 4>, Word> words_;
};

}  // namespace quartz

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "optimize/folding/rotation_writer.hpp"
#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"

namespace quartz {

/// What folding does at a gate. The same for all gates of a kind whose angles are the same
/// multiples of pi/2, or are none.
struct FoldingStep {
  const PauliRotation* rotation = nullptr;  ///< pauli_rotation_of its kind
  /// Whether it merges with other rotations: where rotations by multiples of pi/2 are part of the
  /// frame, and where they are rotations as any other.
  std::array<bool, 2> merges{};
  /// Of a Clifford gate; else nothing.
  std::optional<PauliAction> pulled_back;
  PauliAction pushed_forward;
};

/// The steps of gates, each worked out once.
class FoldingSteps {
 public:
  explicit FoldingSteps(const RotationWriter& writer) : writer_(writer) {}

  /// Valid as long as this object.
  [[nodiscard]] const FoldingStep& of(const Operation& operation);

 private:
  [[nodiscard]] FoldingStep step_of(const Operation& operation) const;

  const RotationWriter& writer_;
  /// By the gate and its angles, as multiples of pi/2 modulo 4 pi.
  std::unordered_map<std::uint64_t, FoldingStep> steps_;
};

}  // namespace quartz

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "optimize/folding/rotation_writer.hpp"
#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"

namespace quartz::optimizer {

/// Effect of a gate on folding. All gates of one kind whose angles are equal multiples of pi/2, or
/// no multiples of pi/2, have the same step.
struct FoldingStep {
  const PauliRotation* rotation = nullptr;  ///< pauli_rotation_of its kind
  /// Whether it merges with other rotations: if rotations by multiples of pi/2 belong to the frame
  /// (index 0), and if they count as rotations (index 1).
  std::array<bool, 2> merges{};
  /// Present for Clifford gates only.
  std::optional<PauliAction> pulled_back;
  PauliAction pushed_forward;
};

/// Computes the steps of gates, each once, and numbers them.
class FoldingSteps {
 public:
  using Number = std::uint32_t;
  /// Number of the step without any effect, which black boxes have.
  static constexpr Number kOfBoxes = 0;

  explicit FoldingSteps(const RotationWriter& writer) : writer_(writer) {
    steps_.push_back(std::make_unique<FoldingStep>());
  }

  /// Returns the number of the step of a gate.
  [[nodiscard]] Number number_of(const Operation& gate);
  /// Returns a reference that is valid as long as this object.
  [[nodiscard]] const FoldingStep& operator[](Number number) const { return *steps_[number]; }

 private:
  [[nodiscard]] FoldingStep step_of(const Operation& operation) const;

  const RotationWriter& writer_;
  /// Numbers by gate and angles, as multiples of pi/2 modulo 4 pi.
  std::unordered_map<std::uint64_t, Number> numbers_;
  std::vector<std::unique_ptr<const FoldingStep>> steps_;  ///< by number
};

}  // namespace quartz::optimizer

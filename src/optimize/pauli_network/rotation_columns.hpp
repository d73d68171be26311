#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/pauli_network/pauli_columns.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// Most qubits of a network. The time for the Clifford operator at its end grows with their cube.
inline constexpr std::uint32_t kMaxQubitsOfNetwork = 256;

/// A RotationSequence whose operators are stored by qubits, which are not limited to 64.
struct RotationColumns {
  PauliColumns axes;
  std::vector<Angle> angles;           ///< one for each axis
  std::vector<CliffordGate> clifford;  ///< gates whose product is C
  PauliColumns images;                 ///< C^dagger X_q C and C^dagger Z_q C of each qubit
  bool is_negated = false;
};

[[nodiscard]] RotationColumns rotation_columns(const RotationSequence& sequence);

/// Returns the sequence that equals gates in {h, x, rz, cx} on at most kMaxQubitsOfNetwork qubits,
/// or nothing if there are other gates or more than kMaxRotations rotations.
[[nodiscard]] std::optional<RotationColumns> rotation_columns(std::span<const Operation> gates,
                                                              std::uint32_t qubits);

}  // namespace quartz::optimizer

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/pauli_network/pauli_string.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Returns a Clifford gate as a gate in {h, x, rz, cx}.
[[nodiscard]] Operation gate_of(const CliffordGate& gate);

/// A rotation exp(-i angle/2 axis).
struct Rotation {
  PauliString axis;  ///< Hermitian
  Angle angle;
};

/// A circuit as rotations followed by a Clifford operator C, times -1 if `is_negated`.
struct RotationSequence {
  std::vector<Rotation> rotations;
  std::vector<CliffordGate> clifford;  ///< gates whose product is C
  /// C^dagger X_q C and C^dagger Z_q C of each qubit.
  std::vector<PauliString> images;
  bool is_negated = false;
};

/// Circuits with more rotations are not written as a sequence.
inline constexpr std::size_t kMaxRotations = 1500;

/// Returns the sequence that equals gates in {h, x, rz, cx} on at most kMaxQubitsOfPauliString
/// qubits, or nothing if there are other gates or too many rotations.
[[nodiscard]] std::optional<RotationSequence> rotation_sequence(std::span<const Operation> gates,
                                                                std::uint32_t qubits);

/// Returns the number of rotations that the sequence of gates in {h, x, rz, cx} has.
[[nodiscard]] std::size_t count_rotations(std::span<const Operation> gates);

}  // namespace quartz::optimizer

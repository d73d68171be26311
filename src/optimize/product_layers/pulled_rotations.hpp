#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/pauli/pauli_rows.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A circuit on any number of qubits as Pauli rotations exp(-i angle/2 axis), one after the other,
/// and the product of Clifford gates after them, times -1 if `is_negated`.
struct PulledRotations {
  PauliRows paulis;
  std::uint32_t qubits = 0;
  std::vector<std::uint64_t> axes;  ///< a row of `paulis` for each rotation
  std::vector<Angle> angles;        ///< those that are no multiples of pi/2
  std::vector<CliffordGate> clifford;
  /// The rows 2q and 2q + 1 are C^dagger X_q C and C^dagger Z_q C, for the product C of the gates.
  std::vector<std::uint64_t> frame;
  bool is_negated = false;

  [[nodiscard]] std::size_t size() const { return angles.size(); }
  [[nodiscard]] PauliRows::ConstRow axis(std::size_t rotation) const {
    return row_of(axes, rotation);
  }
  /// Returns the image of X of a qubit, or of Z.
  [[nodiscard]] PauliRows::ConstRow image_of_x(std::size_t qubit) const {
    return row_of(frame, 2 * qubit);
  }
  [[nodiscard]] PauliRows::ConstRow image_of_z(std::size_t qubit) const {
    return row_of(frame, 2 * qubit + 1);
  }

 private:
  [[nodiscard]] PauliRows::ConstRow row_of(const std::vector<std::uint64_t>& rows,
                                           std::size_t index) const {
    return std::span(rows).subspan(index * paulis.row_words(), paulis.row_words());
  }
};

/// Returns the rotations of gates in {h, x, rz, cx}, or nothing if there are other gates, or if the
/// rotations would take more than half a gigabyte.
[[nodiscard]] std::optional<PulledRotations> pulled_rotations(std::span<const Operation> gates,
                                                              std::uint32_t qubits);

}  // namespace quartz::optimizer

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// Rotation axes seen through Clifford gates, to which gates are added until an axis is diagonal.
class Diagonalization {
 public:
  explicit Diagonalization(std::vector<PauliString> axes);

  [[nodiscard]] const PauliString& axis(std::size_t index) const { return axes_[index]; }
  [[nodiscard]] const std::vector<CliffordGate>& gates() const { return gates_; }

  /// Appends a gate after which all axes are seen.
  void append(const CliffordGate& gate);

  /// Appends gates after which an axis is a product of Z operators; returns whether one of them is
  /// a Hadamard gate. Diagonal axes that commute with it stay diagonal.
  bool make_diagonal(std::size_t index);

 private:
  std::vector<PauliString> axes_;
  std::vector<CliffordGate> gates_;
};

[[nodiscard]] std::vector<CliffordGate> inverse_gates(std::span<const CliffordGate> gates);

}  // namespace quartz::optimizer

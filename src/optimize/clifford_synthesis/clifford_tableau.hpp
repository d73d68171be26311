#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli/pauli_rows.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// The images U X_q U^dagger and U Z_q U^dagger of each qubit under a product U of Clifford gates,
/// with their signs. Takes 4 n^2 bits for n qubits, of which there may be any number.
class CliffordTableau {
 public:
  /// The tableau of the product of some gates, the first of which acts first.
  CliffordTableau(std::span<const CliffordGate> gates, std::uint32_t qubits);

  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }
  /// Returns the number of words of the bits of x, and of those of z.
  [[nodiscard]] std::size_t words() const { return paulis_.bit_words() / 2; }
  /// Returns the image of X (axis 0) or Z (axis 1) of a qubit: the bits of x, those of z, and the
  /// power of i, as in PauliRows.
  [[nodiscard]] PauliRows::ConstRow image(std::uint32_t qubit, std::size_t axis) const {
    return std::span(rows_).subspan((2 * std::size_t{qubit} + axis) * paulis_.row_words(),
                                    paulis_.row_words());
  }
  friend bool operator==(const CliffordTableau& a, const CliffordTableau& b) {
    return a.qubits_ == b.qubits_ && a.rows_ == b.rows_;
  }

 private:
  PauliRows paulis_;
  std::uint32_t qubits_;
  std::vector<std::uint64_t> rows_;  ///< row 2q is the image of X_q, row 2q+1 that of Z_q
};

}  // namespace quartz::optimizer

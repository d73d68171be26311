#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli_gate.hpp"
#include "optimize/pauli_rows.hpp"

namespace quartz {

/// The Paulis of each qubit pulled back through the Clifford gates seen so far: C^dagger X_q C and
/// C^dagger Z_q C. Takes 4 n^2 bits.
class CliffordFrame {
 public:
  CliffordFrame(const PauliRows& paulis, std::uint32_t qubits);

  /// A Pauli on the operands `qubits`, pulled back to the start, into `row`.
  void pull_back(const LocalPauli& local, std::span<const Qubit> qubits, PauliRows::Row row) const;
  /// One more gate.
  void append(const CliffordAction& action, std::span<const Qubit> qubits);

 private:
  [[nodiscard]] PauliRows::Row x(Qubit qubit) { return row_of(2 * std::size_t{qubit}); }
  [[nodiscard]] PauliRows::Row z(Qubit qubit) { return row_of(2 * std::size_t{qubit} + 1); }
  [[nodiscard]] PauliRows::ConstRow x(Qubit qubit) const { return row_of(2 * std::size_t{qubit}); }
  [[nodiscard]] PauliRows::ConstRow z(Qubit qubit) const {
    return row_of(2 * std::size_t{qubit} + 1);
  }
  [[nodiscard]] PauliRows::Row row_of(std::size_t index) {
    return std::span(rows_).subspan(index * paulis_.row_words(), paulis_.row_words());
  }
  [[nodiscard]] PauliRows::ConstRow row_of(std::size_t index) const {
    return std::span(rows_).subspan(index * paulis_.row_words(), paulis_.row_words());
  }

  PauliRows paulis_;
  std::vector<std::uint64_t> rows_;    ///< x and z of each qubit in turn
  std::vector<std::uint64_t> images_;  ///< of the gate at hand
};

}  // namespace quartz

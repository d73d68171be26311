#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli/pauli_rows.hpp"

namespace quartz::optimizer {

/// The X and Z of each qubit pulled back through the Clifford gates so far: C^dagger X_q C and
/// C^dagger Z_q C. Takes 4 n^2 bits.
class CliffordFrame {
 public:
  CliffordFrame(const PauliRows& paulis, std::uint32_t qubits);

  /// Returns a Pauli on the operands `qubits`, pulled back to the start. Valid until the next call.
  [[nodiscard]] PauliRows::ConstRow pull_back(const LocalPauli& local,
                                              std::span<const Qubit> qubits);
  /// Appends a gate, given by its pulled_back_action.
  void append(const PauliAction& action, std::span<const Qubit> qubits);

 private:
  /// Row 2q is the X of qubit q, row 2q+1 its Z.
  [[nodiscard]] PauliRows::Row row_of(std::size_t index) {
    return std::span(rows_).subspan(index * paulis_.row_words(), paulis_.row_words());
  }
  /// Returns an operand's row, numbered as in PauliAction.
  [[nodiscard]] PauliRows::Row operand_row(std::size_t row, std::span<const Qubit> qubits) {
    return row_of(2 * std::size_t{qubits[row / 2]} + row % 2);
  }

  PauliRows paulis_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint64_t> images_;  ///< images under the current gate
};

}  // namespace quartz::optimizer

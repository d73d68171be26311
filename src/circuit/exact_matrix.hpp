#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "circuit/exact_sum.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::circuit {

/// A 2^q x 2^q matrix of exact sums. Qubit 0 is the least significant bit of an index. Throws
/// OverflowError like ExactSum.
class ExactMatrix {
 public:
  /// Constructs the identity.
  explicit ExactMatrix(unsigned qubits);
  ExactMatrix(unsigned qubits, std::span<const MatrixEntry> entries);
  /// Returns the unitary of a gate with its angles, on its own operands.
  [[nodiscard]] static ExactMatrix of(const Operation& gate_operation);
  /// Returns the unitary on these qubits of operations in program order, which must all be gates.
  [[nodiscard]] static ExactMatrix of(std::span<const Operation> operations, unsigned qubits);

  [[nodiscard]] unsigned dimension() const noexcept { return 1U << qubits_; }
  [[nodiscard]] const ExactSum& at(unsigned row, unsigned column) const {
    return entries_[std::size_t{row} * dimension() + column];
  }
  [[nodiscard]] ExactSum& at(unsigned row, unsigned column) {
    return entries_[std::size_t{row} * dimension() + column];
  }

  [[nodiscard]] ExactMatrix adjoint() const;
  [[nodiscard]] ExactMatrix substitute(const std::map<std::string, Angle>& replacements) const;
  /// Returns e^{i angle} times this matrix.
  [[nodiscard]] ExactMatrix turned(const Angle& angle) const;
  /// Returns the non-zero entries in lowest terms, sorted by column, then row.
  [[nodiscard]] std::vector<MatrixEntry> entries() const;

  /// Returns the reason why the matrix is not unitary for all values of its symbols; empty if it
  /// is.
  [[nodiscard]] std::string fault() const;
  /// Returns the angle with other = e^{i angle} this, if there is one. The angle may be missed, but
  /// is never wrong, if roots of unity occur whose order is not a power of two.
  [[nodiscard]] std::optional<Angle> phase_to(const ExactMatrix& other) const;

  friend ExactMatrix operator*(const ExactMatrix& a, const ExactMatrix& b);
  friend bool operator==(const ExactMatrix& a, const ExactMatrix& b) {
    return a.entries_ == b.entries_;
  }

 private:
  void apply(const Operation& operation);
  [[nodiscard]] bool equals_turned(const ExactMatrix& other, const Angle& turn) const;

  unsigned qubits_;
  std::vector<ExactSum> entries_;  ///< row-major
};

}  // namespace quartz::circuit

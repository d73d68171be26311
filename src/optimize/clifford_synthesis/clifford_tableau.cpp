#include "optimize/clifford_synthesis/clifford_tableau.hpp"

#include <algorithm>
#include <utility>

#include "optimize/pauli/bit_transpose.hpp"

namespace quartz::optimizer {
namespace {

/// The bits of all rows of a tableau, qubit by qubit: a gate then changes few words of consecutive
/// memory, and not one word in every row.
class TableauColumns {
 public:
  explicit TableauColumns(std::uint32_t qubits)
      : words_((2 * std::size_t{qubits} + 63) / 64),
        x_(qubits * words_),
        z_(qubits * words_),
        odd_(words_),
        negative_(words_) {
    for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
      set(x(qubit), 2 * std::size_t{qubit});
      set(z(qubit), 2 * std::size_t{qubit} + 1);
    }
  }

  /// Replaces the operator P of each row by G P G^dagger.
  void apply(const CliffordGate& gate) {
    std::uint64_t* const own_x = x(gate.first);
    std::uint64_t* const own_z = z(gate.first);
    switch (gate.kind) {
      case CliffordKind::h:
        for (std::size_t i = 0; i < words_; ++i) {
          negative_[i] ^= own_x[i] & own_z[i];
          std::swap(own_x[i], own_z[i]);
        }
        break;
      case CliffordKind::s:
        for (std::size_t i = 0; i < words_; ++i) {
          if ((gate.quarters & 1U) != 0) {
            own_z[i] ^= own_x[i];
            negative_[i] ^= odd_[i] & own_x[i];
            odd_[i] ^= own_x[i];
          }
          if ((gate.quarters & 2U) != 0) negative_[i] ^= own_x[i];
        }
        break;
      case CliffordKind::x:
        for (std::size_t i = 0; i < words_; ++i) negative_[i] ^= own_z[i];
        break;
      case CliffordKind::cx: {
        std::uint64_t* const target_x = x(gate.second);
        const std::uint64_t* const target_z = z(gate.second);
        for (std::size_t i = 0; i < words_; ++i) {
          target_x[i] ^= own_x[i];
          own_z[i] ^= target_z[i];
        }
        break;
      }
    }
  }

  [[nodiscard]] BitRows<const std::uint64_t> x_of_qubits() const {
    return {x_.data(), words_, x_.size() / std::max<std::size_t>(words_, 1)};
  }
  [[nodiscard]] BitRows<const std::uint64_t> z_of_qubits() const {
    return {z_.data(), words_, z_.size() / std::max<std::size_t>(words_, 1)};
  }
  /// Returns the power of i of a row.
  [[nodiscard]] std::uint64_t phase(std::size_t row) const {
    return (odd_[row / 64] >> (row % 64) & 1U) | (negative_[row / 64] >> (row % 64) & 1U) << 1U;
  }

 private:
  static void set(std::uint64_t* column, std::size_t row) {
    column[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  [[nodiscard]] std::uint64_t* x(std::uint32_t qubit) { return &x_[qubit * words_]; }
  [[nodiscard]] std::uint64_t* z(std::uint32_t qubit) { return &z_[qubit * words_]; }

  std::size_t words_;
  std::vector<std::uint64_t> x_;
  std::vector<std::uint64_t> z_;
  std::vector<std::uint64_t> odd_;       ///< bit 0 of the powers of i
  std::vector<std::uint64_t> negative_;  ///< bit 1
};

}  // namespace

CliffordTableau::CliffordTableau(std::span<const CliffordGate> gates, std::uint32_t qubits)
    : paulis_(qubits), qubits_(qubits), rows_(2 * std::size_t{qubits} * paulis_.row_words()) {
  TableauColumns columns(qubits);
  for (const CliffordGate& gate : gates) columns.apply(gate);
  const std::size_t rows = 2 * std::size_t{qubits};
  transpose(columns.x_of_qubits(), {rows_.data(), paulis_.row_words(), rows});
  transpose(columns.z_of_qubits(), {rows_.data() + words(), paulis_.row_words(), rows});
  for (std::size_t row = 0; row < rows; ++row) {
    paulis_.phase(std::span(rows_).subspan(row * paulis_.row_words(), paulis_.row_words())) =
        columns.phase(row);
  }
}

}  // namespace quartz::optimizer

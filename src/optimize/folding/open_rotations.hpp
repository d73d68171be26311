#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli/pauli_rows.hpp"

namespace quartz::optimizer {

/// The rotations with which a later one may still merge: those that commute with all rotations
/// after them. Each has a number and is identified by the bits of its Pauli operator, pulled back
/// through the Clifford gates before it; each operator has at most one open rotation.
///
/// The operators are also pushed forward through the Clifford gates that follow: their bits there
/// show which of them a rotation about an axis of a few qubits closes. These bits are stored by
/// columns, with one bit for each open rotation, as Aaronson and Gottesman's tableaus store them by
/// rows (arXiv quant-ph/0406196): a gate or a rotation takes a few operations on 64 of them at a
/// time.
///
/// The number of open rotations is bounded, and so is the time for each gate; beyond it the oldest
/// ones are closed, which only loses merges.
class OpenRotations {
 public:
  OpenRotations(const PauliRows& paulis, std::uint32_t qubits);

  /// Finds the rotation whose pulled-back operator has these bits.
  [[nodiscard]] std::optional<std::uint32_t> find(PauliRows::ConstRow bits) const;
  /// Closes the rotations that do not commute with an operator on these qubits at the current
  /// position.
  void close_anticommuting(const LocalPauli& axis, std::span<const Qubit> qubits);
  /// Opens a rotation about this axis at the current position; `bits` are those of the pulled-back
  /// operator. Replaces the open rotation about the same operator, if any. Numbers must ascend.
  void open(const LocalPauli& axis, std::span<const Qubit> qubits, PauliRows::ConstRow bits,
            std::uint32_t number);
  /// Appends a Clifford gate, given by its pushed_forward_action.
  void append(const PauliAction& action, std::span<const Qubit> qubits);

 private:
  /// Position of an open rotation: a bit of each column.
  using Slot = std::uint32_t;
  /// Position in the table of operators, which holds slots plus 1, or 0 if free. Open addressing
  /// with linear probing.
  using Place = std::size_t;
  using Column = std::span<std::uint64_t>;

  [[nodiscard]] Column column(std::size_t index) {
    return std::span(columns_).subspan(index * column_words_, column_words_);
  }
  /// Returns the column of an operand's row, numbered as in PauliAction.
  [[nodiscard]] Column operand_column(std::size_t row, std::span<const Qubit> qubits) {
    return column(2 * std::size_t{qubits[row / 2]} + row % 2);
  }

  [[nodiscard]] PauliRows::ConstRow bits_of(Slot slot) const;
  [[nodiscard]] Place next(Place place) const { return (place + 1) & (places_.size() - 1); }
  [[nodiscard]] Place home(std::uint64_t hash) const { return hash & (places_.size() - 1); }
  /// Returns the position of the operator, or the free one at which it would be inserted.
  [[nodiscard]] Place find_place(PauliRows::ConstRow bits, std::uint64_t hash) const;

  [[nodiscard]] std::size_t slots() const { return 64 * column_words_; }
  [[nodiscard]] Slot take_slot();
  void clear_closed();
  void double_slots();
  void fill_places();
  void close(Slot slot);
  void close_oldest(std::uint32_t number);

  PauliRows paulis_;
  std::size_t column_words_ = 1;
  std::vector<std::uint64_t> columns_;  ///< the x and the z bits of each qubit alternate
  std::vector<std::uint64_t> images_;   ///< columns after the current gate
  std::vector<std::uint64_t> is_open_;
  std::size_t open_count_ = 0;
  std::vector<Slot> free_slots_;  ///< slots whose bits are 0 in all columns
  // Data of each slot.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Slot> places_;  ///< size: a power of two, at least twice the number of slots
};

}  // namespace quartz::optimizer

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli/pauli_rows.hpp"

namespace quartz {

/// The rotations that a later one may still merge with: those that commute with all rotations after
/// them. Each is a number, and known by the bits of its Pauli operator, pulled back through the
/// Clifford gates before it; there is one at most for each operator.
///
/// Besides, their operators are pushed through the Clifford gates that follow: what a rotation
/// about an axis of a few qubits closes can be read off from their bits there. These are kept by
/// columns, a bit for each open rotation, as Aaronson and Gottesman's tableaus are by rows (arXiv
/// quant-ph/0406196): a gate or a rotation takes a few operations on 64 of them at a time.
///
/// How many are open at once is bounded, and with it the time that a gate takes; the oldest are
/// closed then, which loses merges and nothing else.
class OpenRotations {
 public:
  OpenRotations(const PauliRows& paulis, std::uint32_t qubits);

  /// By its operator pulled back.
  [[nodiscard]] std::optional<std::uint32_t> find(PauliRows::ConstRow bits) const;
  /// Those that do not commute with an operator on these qubits, as it stands now.
  void close_anticommuting(const LocalPauli& axis, std::span<const Qubit> qubits);
  /// About this axis, as it stands now; `bits` are of the operator pulled back. In the place of the
  /// one about the same operator, if there is one. Numbers ascend.
  void open(const LocalPauli& axis, std::span<const Qubit> qubits, PauliRows::ConstRow bits,
            std::uint32_t number);
  /// A Clifford gate follows: its pushed_forward_action.
  void append(const PauliAction& action, std::span<const Qubit> qubits);

 private:
  /// Where an open rotation is kept: a bit of each column.
  using Slot = std::uint32_t;
  /// Of the table of operators: it holds a slot and 1, or 0. Open addressing with linear probing.
  using Place = std::size_t;
  using Column = std::span<std::uint64_t>;

  [[nodiscard]] Column column(std::size_t index) {
    return std::span(columns_).subspan(index * column_words_, column_words_);
  }
  /// Of an operand's row, numbered as in PauliAction.
  [[nodiscard]] Column operand_column(std::size_t row, std::span<const Qubit> qubits) {
    return column(2 * std::size_t{qubits[row / 2]} + row % 2);
  }

  [[nodiscard]] PauliRows::ConstRow bits_of(Slot slot) const;
  [[nodiscard]] Place next(Place place) const { return (place + 1) & (places_.size() - 1); }
  [[nodiscard]] Place home(std::uint64_t hash) const { return hash & (places_.size() - 1); }
  /// Where the operator is, or would be put.
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
  std::vector<std::uint64_t> columns_;  ///< the x and the z bits of each qubit in turn
  std::vector<std::uint64_t> images_;   ///< columns after the gate at hand
  std::vector<std::uint64_t> is_open_;
  std::size_t open_count_ = 0;
  std::vector<Slot> free_slots_;  ///< whose bits are 0 in all columns
  // Of each slot.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Slot> places_;  ///< a power of two of them, at least twice as many as slots
};

}  // namespace quartz

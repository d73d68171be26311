#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// Layouts of files that several modules write or read: data, and no code that does either.
namespace quartz::formats {

/// The first bytes of a journal, with its version.
inline constexpr std::string_view kJournalMagic = "QUARTZJ\x01";

/// Kinds of records of a journal, by the bytes with which they begin.
enum class RecordKind : std::uint8_t {
  end,
  gate,
  rewrite,
  renumber,
  exchange,
  exchange_in_context,
  final_swap,
  lemma,
  end_of_lemma,
  use_of_lemma
};

/// Parts of records. A number is in LEB128. A list begins with its length. A place is the number of
/// a wire, and the number of the operation before it on this wire plus 1, or 0. A gate is its code,
/// its number of operands, and these.
enum class RecordField : std::uint8_t {
  steps,         ///< a number: steps in the journal
  operations,    ///< a number: operations of the last circuit
  text,          ///< the length and the bytes of a text: a gate and its angles
  removed,       ///< a list of the numbers of gates that are removed, as differences
  context,       ///< a list of the numbers of resets, as differences
  order,         ///< a list of the numbers of all gates in an order of the circuit, as differences
  gaps,          ///< a list of places on wires on which no gate is removed
  swap_places,   ///< two places
  window_gates,  ///< a list of gates, whose operands are bytes: indices among the window's wires
  placed_gates,  ///< a list of gates, whose operands are places
  lemma_gates,   ///< a list of gates, whose operands are bytes: wires of a lemma
  lemma          ///< a number: a lemma
};

/// The fields of a record in their order.
class RecordLayout {
 public:
  constexpr RecordLayout(RecordKind kind, std::initializer_list<RecordField> fields)
      : kind_(kind), size_(fields.size()) {
    std::ranges::copy(fields, fields_.begin());
  }
  [[nodiscard]] constexpr RecordKind kind() const { return kind_; }
  [[nodiscard]] constexpr std::span<const RecordField> fields() const {
    return std::span(fields_).first(size_);
  }

 private:
  RecordKind kind_;
  std::size_t size_;
  std::array<RecordField, 4> fields_{};
};

/// The list of records, by their kinds. docs/formats/journal.md says what they mean.
inline constexpr std::array kJournalRecords{
    RecordLayout{RecordKind::end, {RecordField::steps, RecordField::operations}},
    RecordLayout{RecordKind::gate, {RecordField::text}},
    RecordLayout{RecordKind::rewrite,
                 {RecordField::removed, RecordField::gaps, RecordField::window_gates}},
    RecordLayout{RecordKind::renumber, {}},
    RecordLayout{RecordKind::exchange, {RecordField::removed, RecordField::placed_gates}},
    RecordLayout{RecordKind::exchange_in_context,
                 {RecordField::context, RecordField::removed, RecordField::placed_gates}},
    RecordLayout{RecordKind::final_swap, {RecordField::swap_places}},
    RecordLayout{RecordKind::lemma, {RecordField::lemma_gates}},
    RecordLayout{RecordKind::end_of_lemma, {RecordField::order}},
    RecordLayout{RecordKind::use_of_lemma, {RecordField::lemma, RecordField::removed}},
};

/// The records that a search writes into its history (circuit/history.hpp), by the number with
/// which they begin there. They have the fields of the journal's records, but all operands are
/// numbers of qubits, and the places of gates are a list of their own before the gates.
inline constexpr std::array kHistoryRecords{RecordKind::rewrite, RecordKind::exchange,
                                            RecordKind::exchange_in_context};

/// Returns the layout of a record.
[[nodiscard]] constexpr const RecordLayout& layout_of(RecordKind kind) {
  return kJournalRecords[static_cast<std::size_t>(kind)];
}

/// Calls `visit` with each field of the records of a kind, as a std::integral_constant.
template <RecordKind kKind, typename Visit>
constexpr void for_each_field_of(const Visit& visit) {
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (visit(std::integral_constant<RecordField, layout_of(kKind).fields()[kIndex]>()), ...);
  }
  (std::make_index_sequence<layout_of(kKind).fields().size()>());
}

/// Calls `visit` with each field of a record, as a std::integral_constant, so that what reads or
/// writes records is compiled for each of them: this is a hot path of searches and replays.
template <typename Visit>
constexpr void for_each_field(RecordKind kind, const Visit& visit) {
  [&]<std::size_t... kRecord>(std::index_sequence<kRecord...>) {
    (void)((kind == kJournalRecords[kRecord].kind() &&
            (for_each_field_of<kJournalRecords[kRecord].kind()>(visit), true)) ||
           ...);
  }
  (std::make_index_sequence<kJournalRecords.size()>());
}

/// Returns whether each layout is at the place of its kind.
[[nodiscard]] constexpr bool are_in_order(std::span<const RecordLayout> layouts) {
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].kind() != static_cast<RecordKind>(i)) return false;
  }
  return true;
}
static_assert(are_in_order(kJournalRecords));

}  // namespace quartz::formats

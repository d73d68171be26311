#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/journal_records.hpp"

namespace quartz::certify {

/// One record of a journal (docs/formats/journal.md). Its kind says which fields it has; the lists
/// of the others are empty.
struct JournalRecord {
  /// A place on a wire: the number of the operation before it plus 1; 0 for the start of the wire.
  struct Place {
    std::uint64_t wire = 0;
    std::uint64_t after = 0;
  };

  formats::RecordKind kind = formats::RecordKind::end;
  std::string text;                    ///< a gate and its angles, such as "rz(pi/4)"
  std::vector<std::uint64_t> removed;  ///< numbers of gates
  std::vector<std::uint64_t> context;  ///< numbers of resets
  std::vector<std::uint64_t> order;    ///< numbers of all gates
  /// Wires on which the window has no gates, the operands of a final SWAP gate, or those of all
  /// gates that are put at places.
  std::vector<Place> places;
  std::vector<std::uint32_t> gates;    ///< their codes
  std::vector<std::uint32_t> arities;  ///< the number of operands of each of these gates
  std::vector<std::uint8_t> operands;  ///< those of all gates that are not put at places
  std::uint64_t lemma = 0;             ///< its number
  std::uint64_t steps = 0;             ///< number of steps in the journal
  std::uint64_t operations = 0;        ///< number of those of the last circuit

  /// Releases the memory of the lists if they are about a whole circuit. Most records are about a
  /// few gates.
  void release_large_lists() {
    constexpr std::size_t kMostKept = 100'000;
    if (removed.capacity() + gates.capacity() < kMostKept) return;
    JournalRecord empty;
    empty.kind = kind;
    *this = std::move(empty);
  }
  /// Empties all lists, and keeps their memory.
  void clear_lists() {
    for (auto* const numbers : {&removed, &context, &order}) numbers->clear();
    places.clear();
    gates.clear();
    arities.clear();
    operands.clear();
  }
};

/// Reads the records of a journal one after another, in bounded memory.
class JournalReader {
 public:
  /// Reads from a stream, which must outlive the reader; messages call it `name`. Throws
  /// InputError, like all functions, if it is not a complete journal.
  JournalReader(std::istream& journal, std::string name);
  /// Continues behind what another one has read, in another stream. That one must be at the end of
  /// a block.
  JournalReader(const JournalReader& other, std::istream& journal)
      : name_(other.name_), file_(journal), bytes_before_(other.bytes()) {}

  /// Returns whether the stream has another record. A journal that is being written may get more.
  [[nodiscard]] bool has_next();
  /// Reads the next record into `record`, whose memory is reused. There is none after the end.
  void next(JournalRecord& record);
  /// Throws InputError unless nothing follows the end record.
  void require_end();
  /// Returns the number of bytes read, decompressed.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_before_ + place_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const;
  /// Reads the next block. Returns false at the end of the file.
  [[nodiscard]] bool read_block();
  [[nodiscard]] std::uint8_t byte() {
    if (place_ == block_.size()) next_block();
    return static_cast<std::uint8_t>(block_[place_++]);
  }
  /// Reads blocks up to one that is not empty.
  void next_block();
  [[nodiscard]] std::uint64_t number() {
    // Most numbers have one byte: the common case, on the hot path of a replay, is inlined.
    if (place_ < block_.size()) {
      const auto first = static_cast<std::uint8_t>(block_[place_]);
      if ((first & 0x80U) == 0) {
        ++place_;
        return first;
      }
    }
    return long_number();
  }
  [[nodiscard]] std::uint64_t long_number();
  /// Reads a number that is at most `most`.
  [[nodiscard]] std::uint64_t number_up_to(std::uint64_t most, std::string_view what);
  /// Reads a field into the part of the record that has its content.
  template <formats::RecordField kField>
  void read_field(JournalRecord& record);
  void read_text(std::string& text);
  void read_numbers(std::vector<std::uint64_t>& numbers);
  /// Reads a place: a wire and the number before it.
  [[nodiscard]] JournalRecord::Place place();
  void read_places(std::uint64_t count, std::vector<JournalRecord::Place>& places);
  /// Reads gates. `read_operand` reads one operand.
  template <typename ReadOperand>
  void read_gates(JournalRecord& record, const ReadOperand& read_operand);

  std::string name_;
  std::istream& file_;
  std::string block_;
  std::size_t place_ = 0;
  std::uint64_t bytes_before_ = 0;  ///< in the blocks before the current one
};

}  // namespace quartz::certify

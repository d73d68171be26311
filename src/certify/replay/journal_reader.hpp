#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::certify {

/// One record of a journal (docs/formats/journal.md).
struct JournalRecord {
  enum class Kind : std::uint8_t {
    end,
    gate,
    rewrite,
    renumber,
    exchange,
    swap,
    lemma,
    end_of_lemma,
    use_of_lemma
  };
  /// A place on a wire: the number of the operation before it plus 1; 0 for the start of the wire.
  struct Place {
    std::uint64_t wire = 0;
    std::uint64_t after = 0;
  };

  Kind kind = Kind::end;
  std::string gate;  ///< gate: its name and angles, such as "rz(pi/4)"
  /// rewrite, exchange, use of a lemma: numbers of the removed gates; end of a lemma: those of its
  /// gates, in an order of its circuit
  std::vector<std::uint64_t> removed;
  std::vector<std::uint64_t> context;  ///< exchange: numbers of resets; empty for most of them
  /// rewrite: wires on which the window has no gates; exchange: operands of all inserted gates;
  /// swap: operands of the SWAP gate
  std::vector<Place> places;
  /// rewrite, exchange: codes of the inserted gates; lemma: codes of its first gates
  std::vector<std::uint32_t> gates;
  std::vector<std::uint8_t> operands;  ///< rewrite, lemma: operands of all these gates
  /// rewrite, exchange, lemma: number of operands of each of these gates
  std::vector<std::uint32_t> arities;
  std::uint64_t lemma = 0;       ///< use of a lemma: its number
  std::uint64_t steps = 0;       ///< end: number of steps
  std::uint64_t operations = 0;  ///< end: number of operations of the last circuit
};

/// Reads the records of a journal one after another, in bounded memory.
class JournalReader {
 public:
  /// Reads from a stream, which must outlive the reader; messages call it `name`. Throws
  /// InputError, like all functions, if it is not a complete journal.
  JournalReader(std::istream& journal, std::string name);

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
  void read_rewrite(JournalRecord& record);
  /// Reads gates whose operands are bytes.
  void read_gates_with_operands(JournalRecord& record);
  void read_exchange(JournalRecord& record);
  void read_numbers(std::vector<std::uint64_t>& numbers);
  /// Reads a place: a wire and the number before it.
  [[nodiscard]] JournalRecord::Place place();
  /// Reads the gates that a record inserts. `read_operand` reads one operand.
  template <typename ReadOperand>
  void read_inserted(JournalRecord& record, const ReadOperand& read_operand);

  std::string name_;
  std::istream& file_;
  std::string block_;
  std::size_t place_ = 0;
  std::uint64_t bytes_before_ = 0;  ///< in the blocks before the current one
};

}  // namespace quartz::certify

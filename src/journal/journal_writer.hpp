#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "formats/journal_records.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::journal {

/// Number of an operation in a journal.
using OperationNumber = std::uint64_t;

/// Writes a journal: the rewrites, exchanges, final SWAP gates and uses of lemmas that lead from
/// one circuit to another (docs/formats/journal.md). Memory is bounded: records are compressed and
/// written in blocks.
///
/// The operations of the first circuit have the numbers 0, 1, ... in program order. Each inserted
/// gate gets the next number.
class JournalWriter {
 public:
  /// Code of a gate without its qubits, in this journal.
  using Code = std::uint32_t;
  /// A gate that a step inserts. Its code is one of this journal.
  using Gate = circuit::RecordedGate;
  /// A place on a wire, directly after an operation.
  struct Place {
    Qubit wire = 0;
    /// Number of the operation plus 1; 0 for the start of the wire.
    OperationNumber after = 0;
  };
  /// What a record says, in terms of the journal's circuit. Its kind says which fields it has, and
  /// how they are written (formats/journal_records.hpp).
  struct Record {
    formats::RecordKind kind = formats::RecordKind::end;
    std::span<const OperationNumber> removed = {};
    /// The qubits of the removed gates, one gate after another.
    std::span<const Qubit> removed_qubits = {};
    std::span<const OperationNumber> context = {};
    std::span<const OperationNumber> order = {};
    /// Places of a window without gates, or those of the operands of all gates.
    std::span<const Place> places = {};
    std::span<const Gate> gates = {};
    std::string_view text = {};
    std::uint64_t lemma = 0;
    std::uint64_t steps = 0;
    std::uint64_t operations = 0;
  };

  /// Begins a journal for a circuit with this number of operations. The stream must outlive the
  /// writer. It is flushed after each block, which ends with a complete record. Blocks that are not
  /// compressed are short, because they are read while the next ones are written.
  JournalWriter(std::ostream& out, std::uint64_t operations,
                CompressionEffort effort = CompressionEffort::least);
  /// Continues a journal, all of whose records are written, in another stream, which has what was
  /// written so far or needs none of it.
  JournalWriter(const JournalWriter& other, std::ostream& out) : JournalWriter(other) {
    out_ = &out;
  }

  /// Returns the code of a gate, and defines it if it is new.
  [[nodiscard]] Code code_of(const Operation& gate);
  /// Records a step, which removes some gates and inserts others. The gates of a window act on
  /// wires of the removed gates and of the places.
  void step(const Record& record);
  /// Records that a SWAP gate is put at two places, behind which all operations are final, and that
  /// what is behind each place moves to the other wire.
  void swap(const std::array<Place, 2>& places);
  /// Begins a lemma, whose first circuit consists of these gates, on wires that are numbered in the
  /// order in which they first occur. Up to its end, all records are about its own circuit.
  void begin_lemma(std::span<const Gate> before);
  /// Ends the lemma: `after` are the numbers of its gates, in an order of its circuit. Lemmas are
  /// numbered in the order of their ends.
  void end_lemma(std::span<const OperationNumber> after);
  /// Records that gates, given in the order of the first circuit of a lemma, are replaced by the
  /// gates to which it leads, which are as many as `inserted`.
  void use_lemma(std::uint64_t lemma, std::span<const OperationNumber> removed,
                 std::size_t inserted);
  /// Renumbers the operations that are left 0, 1, ... in the order of their numbers.
  void renumber();
  /// Returns the number that the next inserted gate gets.
  [[nodiscard]] OperationNumber next_number() const { return next_number_; }
  /// Returns the number of rewrites, exchanges, final SWAP gates and uses of lemmas so far.
  [[nodiscard]] std::uint64_t rewrites() const { return rewrites_; }

  /// Ends the block, so that the stream has all records so far.
  void end_block() {
    if (used_ != 0) flush();
  }
  /// Ends the journal. A file without this is not a journal.
  void finish();

 private:
  JournalWriter(const JournalWriter&) = default;
  /// Writes a record, field by field.
  void write(const Record& record);
  /// Writes a field to a place in the block, and returns the place behind it.
  template <formats::RecordField kField>
  [[nodiscard]] char* put_field(char* place, const Record& record);
  [[nodiscard]] static char* put_placed_gates(char* place, const Record& record);
  [[nodiscard]] char* put_window_gates(char* place, const Record& record);
  /// Makes room in the block for this many numbers, and returns the place of the first one. A byte
  /// counts as a number.
  [[nodiscard]] char* make_room(std::size_t numbers);
  /// Counts a step, and ends the block if it is long enough.
  void end_step(std::size_t removed, std::size_t inserted);
  void flush();

  std::ostream* out_;
  CompressionEffort effort_;
  std::string block_;     ///< the records of the block, and room for more
  std::size_t used_ = 0;  ///< bytes of the block that are written
  std::map<std::pair<GateKind, AngleList>, Code> codes_;
  /// How many operations there are, and the next number of one.
  struct Numbering {
    std::uint64_t operations = 0;
    OperationNumber next_number = 0;
  };
  std::uint64_t operations_;
  OperationNumber next_number_;
  std::optional<Numbering> outside_;  ///< those outside of the lemma, within one
  std::uint64_t rewrites_ = 0;
  std::vector<Qubit> wires_;  ///< wires of the window of the current rewrite
};

}  // namespace quartz::journal

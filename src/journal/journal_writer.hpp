#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::journal {

/// Number of an operation in a journal.
using OperationNumber = std::uint64_t;

/// Writes a journal: the rewrites that lead from one circuit to another (docs/formats/journal.md).
/// Memory is bounded: records are compressed and written in blocks.
///
/// The operations of the first circuit have the numbers 0, 1, ... in program order. Each inserted
/// gate gets the next number.
class JournalWriter {
 public:
  /// A wire on which the window has no gates: it gets gates after an operation.
  struct Gap {
    Qubit wire = 0;
    /// Number of the operation plus 1; 0 for the start of the wire.
    OperationNumber after = 0;
  };

  /// Begins a journal for a circuit with this number of operations. The stream must outlive the
  /// writer.
  JournalWriter(std::ostream& out, std::uint64_t operations);

  /// Records that gates, given in an order of the circuit, are replaced by others. Wires are those
  /// of the circuit; the replacement acts on wires of the removed gates and of the gaps.
  void rewrite(std::span<const OperationNumber> removed, std::span<const Operation> removed_gates,
               std::span<const Gap> gaps, std::span<const Operation> inserted);
  /// Renumbers the operations that are left 0, 1, ... in the order of their numbers.
  void renumber();
  /// Returns the number that the next inserted gate gets.
  [[nodiscard]] OperationNumber next_number() const { return next_number_; }
  [[nodiscard]] std::uint64_t rewrites() const { return rewrites_; }

  /// Ends the journal. A file without this is not a journal.
  void finish();

 private:
  void put_byte(std::uint8_t byte) { block_.push_back(static_cast<char>(byte)); }
  void put(std::uint64_t number);
  void put_signed(std::int64_t number);
  /// Returns the code of a gate, and defines it if it is new.
  [[nodiscard]] std::uint32_t code_of(const Operation& gate);
  void flush();

  std::ostream& out_;
  std::string block_;
  std::map<std::pair<GateKind, std::vector<Angle>>, std::uint32_t> codes_;
  std::uint64_t operations_;
  OperationNumber next_number_;
  std::uint64_t rewrites_ = 0;
};

}  // namespace quartz::journal

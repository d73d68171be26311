#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>

#include "circuit/history.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::journal {

/// Returns whether a history leads to its circuit by rewrites alone.
[[nodiscard]] bool is_complete(const circuit::History* history);

/// Writes the journal of a history that begins with `input` and is complete. Returns the number of
/// its steps.
std::uint64_t write_journal(std::ostream& out, const Circuit& input,
                            const circuit::HistoryPointer& history);

class HistoryWriter;

/// A journal that is written while a search goes on: each history that continues the one before
/// appends what is new.
class GrowingJournal {
 public:
  /// Begins the journal of a circuit. The stream must outlive this object. It is flushed after each
  /// block, so that what it has then can be replayed.
  GrowingJournal(std::ostream& out, const Circuit& input);
  /// Begins the journal of a circuit to which a history leads, as if all steps of that history had
  /// been written: what continues it is appended. The history begins with a circuit of `first_size`
  /// operations. Throws InternalError if the history does not lead to as many as the circuit has.
  GrowingJournal(std::ostream& out, const Circuit& circuit, const circuit::HistoryPointer& history,
                 std::size_t first_size);
  GrowingJournal(GrowingJournal&&) noexcept;
  GrowingJournal& operator=(GrowingJournal&&) noexcept;
  ~GrowingJournal();

  /// Returns whether a history begins with all that was written, so that continue_to() can append
  /// the rest of it. A part of a circuit may have been rewritten further than it was, because the
  /// parts of a circuit do not depend on each other. The last rewrites may have been extended, and
  /// may lead to another order of their gates.
  [[nodiscard]] bool can_continue_to(const circuit::HistoryPointer& history) const;
  /// Appends the steps of a complete history behind those that were written, and ends the block, so
  /// that the stream has all records. Throws InternalError unless can_continue_to(history).
  void continue_to(const circuit::HistoryPointer& history);
  /// Writes the end record. Nothing may be appended afterwards. Returns the number of steps.
  std::uint64_t finish();

 private:
  std::unique_ptr<HistoryWriter> writer_;
};

}  // namespace quartz::journal

#pragma once

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
  /// block, so that what it has then can be replayed. Blocks are not compressed, because they are
  /// replayed at once.
  GrowingJournal(std::ostream& out, const Circuit& input);
  /// Continues what another one has written, in another stream.
  GrowingJournal(const GrowingJournal& other, std::ostream& out);
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

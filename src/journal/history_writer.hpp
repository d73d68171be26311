#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::journal {

/// Returns whether a history leads to its circuit by rewrites alone.
[[nodiscard]] bool is_complete(const circuit::History* history);

/// Figures of a journal.
struct JournalFigures {
  std::uint64_t rewrites = 0;
};

/// Writes the journal of a history that begins with `input` and is complete.
JournalFigures write_journal(std::ostream& out, const Circuit& input,
                             const circuit::History* history);

}  // namespace quartz::journal

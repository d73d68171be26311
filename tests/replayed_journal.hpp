#pragma once

#include <sstream>
#include <string>

#include "quartz/certify/journal.hpp"

namespace quartz::test {

/// Replays a journal that is in memory.
inline ReplayReport replay(const Circuit& input, const Circuit& output, const std::string& journal,
                           const ReplayOptions& options = {}) {
  std::istringstream stream(journal);
  return replay_journal(input, output, stream, "the journal", options);
}

}  // namespace quartz::test

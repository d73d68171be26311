#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz {

/// What reports say about a run of superoptimize(). Circuits are referenced because they are large.
struct RunReport {
  const Circuit& input;
  const SuperoptimizeResult& result;
  const std::string& gate_set;  ///< its name
  bool written = true;          ///< whether the result was written
  bool has_journal = false;     ///< whether the result has a journal
  bool reached_memory_limit = false;
  std::vector<StageTime> stages = {};  ///< including reading and writing
  double seconds = 0;                  ///< time of the whole run, if it is known
  std::optional<std::uint64_t> peak_memory_bytes = {};
};

/// Returns JSON; docs/formats/stats.md describes each figure.
[[nodiscard]] std::string statistics_of(const RunReport& run);

}  // namespace quartz

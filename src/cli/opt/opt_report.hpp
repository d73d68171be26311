#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// Reports of quartz-opt about a run: the summary, --explain, and --stats.
namespace quartz::cli {

/// Data of a run of quartz-opt. Circuits are referenced because they are large.
struct OptReport {
  const Circuit& input;
  const SuperoptimizeResult& result;
  const std::string& gate_set;
  bool written = true;       ///< whether the result was written
  bool has_journal = false;  ///< whether the result has a journal
  bool reached_memory_limit = false;
  std::vector<StageTime> stages = {};  ///< including reading and writing
};

/// Returns a summary of a few lines.
[[nodiscard]] std::string summary_of(const OptReport& report);
/// Returns tables of gates by kind, optimization boundaries, passes, rewrites, and times.
[[nodiscard]] std::string explanation_of(const OptReport& report);
/// Returns JSON; docs/formats/stats.md describes each figure.
[[nodiscard]] std::string stats_of(const OptReport& report);

}  // namespace quartz::cli

#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// The reports of quartz-opt on a run: the summary, --explain, and --stats.
namespace quartz::cli {

/// A run of quartz-opt. Refers to circuits, which are large.
struct OptReport {
  const Circuit& input;
  const SuperoptimizeResult& result;
  const std::string& gate_set;
  bool written = true;            ///< whether the result was written
  std::vector<StageTime> stages;  ///< with reading and writing
};

/// A few lines for a person.
[[nodiscard]] std::string summary_of(const OptReport& report);
/// Tables: gates by kind, operations that are never crossed, passes, rewrites, and times.
[[nodiscard]] std::string explanation_of(const OptReport& report);
/// JSON; docs/formats/stats.md describes each figure.
[[nodiscard]] std::string stats_of(const OptReport& report);

}  // namespace quartz::cli

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
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

/// An objective of the cost before and after the run.
struct CostChange {
  std::string name;
  std::optional<double> before;  ///< that of the translated circuit, as in the statistics
  std::optional<double> after;
};

/// Returns the objectives of the cost, in their order.
[[nodiscard]] std::vector<CostChange> cost_changes_of(const OptReport& report);

/// Returns a figure as JSON: whole numbers as integers, and null if it is missing.
[[nodiscard]] nlohmann::ordered_json figure_json(const std::optional<double>& figure);

/// Returns a summary of a few lines.
[[nodiscard]] std::string summary_of(const OptReport& report);
/// Returns tables of gates by kind, optimization boundaries, passes, rewrites, and times.
[[nodiscard]] std::string explanation_of(const OptReport& report);
/// Returns JSON; docs/formats/stats.md describes each figure.
[[nodiscard]] std::string stats_of(const OptReport& report);

}  // namespace quartz::cli

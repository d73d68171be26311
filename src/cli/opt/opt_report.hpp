#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quartz/report/statistics.hpp"
#include "report/figures.hpp"

/// What quartz-opt prints about a run: the summary and --explain.
namespace quartz::cli {

/// An objective of the cost before and after the run.
struct CostChange {
  std::string name;
  std::optional<double> before;  ///< that of the translated circuit, as in the statistics
  std::optional<double> after;
};

/// Returns the objectives of the cost, in their order.
[[nodiscard]] std::vector<CostChange> cost_changes_of(const report::RunFigures& figures,
                                                      const Cost& cost);

/// Returns a summary of a few lines.
[[nodiscard]] std::string summary_of(const RunReport& report, const report::RunFigures& figures);
/// Returns tables of gates by kind, optimization boundaries, passes, rewrites, and times.
[[nodiscard]] std::string explanation_of(const RunReport& report,
                                         const report::RunFigures& figures);

}  // namespace quartz::cli

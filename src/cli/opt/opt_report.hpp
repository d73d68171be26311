#pragma once

#include <string>

#include "quartz/report/statistics.hpp"

/// What quartz-opt prints about a run: the summary and --explain.
namespace quartz::cli {

/// Returns a summary of a few lines.
[[nodiscard]] std::string summary_of(const RunReport& report);
/// Returns tables of gates by kind, optimization boundaries, passes, rewrites, and times.
[[nodiscard]] std::string explanation_of(const RunReport& report);

}  // namespace quartz::cli

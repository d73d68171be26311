#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quartz/circuit/cost.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// Texts of the progress line of quartz-opt.
namespace quartz::cli {

/// Returns the text for a search: the time left, and each objective of the cost with what was
/// gained, as in "7 s left: 72 gates for 162, 56% fewer". Without a time limit, in seconds, it
/// begins with the time so far: "12 s: ...". `translated` is the cost of the translated circuit.
[[nodiscard]] std::string search_progress_text(const OptimizeProgress& progress, const Cost& cost,
                                               const CostValue& translated,
                                               std::optional<double> limit);

/// Returns what a stage of superoptimize() does, as in "checking the result".
[[nodiscard]] std::string_view stage_text(SuperoptimizeStage stage);

}  // namespace quartz::cli

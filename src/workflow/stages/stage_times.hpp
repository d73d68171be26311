#pragma once

#include <span>
#include <vector>

#include "quartz/workflow/superoptimize.hpp"

/// Times of the stages of several searches, which are parts of one call.
namespace quartz::workflow {

/// Returns the time that a search took, without that of its check.
[[nodiscard]] double seconds_of_search(std::span<const StageTime> stages);

/// Adds the times of the stages of a search to those of the searches before it.
void add_stages(std::vector<StageTime>& total, std::span<const StageTime> next);

}  // namespace quartz::workflow

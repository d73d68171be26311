#pragma once

#include "quartz/optimize/optimize.hpp"

namespace quartz::workflow {

/// Adds what a search reports to the report of those before it, from whose circuit it began. The
/// histories are joined.
void add_search(OptimizeResult& total, OptimizeResult next);

}  // namespace quartz::workflow

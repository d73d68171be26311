#pragma once

#include "quartz/optimize/optimize.hpp"

namespace quartz::workflow {

/// Adds what a search reports to the report of those before it, from whose circuit it began. The
/// circuit and its history are not part of this.
void add_search(OptimizeResult& total, OptimizeResult next);

}  // namespace quartz::workflow

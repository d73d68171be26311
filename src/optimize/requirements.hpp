#pragma once

#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// Throws UsageError for a circuit, a cost or a coupling map that does not fit the gate set.
void require_suitable(const Circuit& circuit, const GateSet& set, const OptimizeOptions& options);

}  // namespace quartz::optimizer

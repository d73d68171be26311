#pragma once

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Optimizes a circuit with ancillas (SuperoptimizeOptions::ancillas), for gadgets
/// (superoptimize_with_gadgets), for the depth of rotations if the cost is that
/// (superoptimize_with_parallel_rotations), and if rotations have to be approximated, for sums of
/// equal ones before that (superoptimize_with_weights). Throws UsageError for options with which
/// there can be no ancillas, and what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_with_ancillas(const Circuit& circuit,
                                                              const GateSet& set,
                                                              const SuperoptimizeOptions& options);

}  // namespace quartz::workflow

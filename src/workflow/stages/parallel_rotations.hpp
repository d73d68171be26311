#pragma once

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Returns whether a cost is the depth of rotations before all else: a critical path to which
/// Clifford gates add nothing.
[[nodiscard]] bool is_depth_of_rotations(const GateSet& set, const SuperoptimizeOptions& options);

/// Optimizes a circuit for such a cost with ancillas (SuperoptimizeOptions::ancillas): rotations
/// that commute are beside each other (optimizer::with_parallel_rotations), those of the result
/// without ancillas, or those of a result in which Hadamard gates are gadgets, with a part of the
/// ancillas.
///
/// The result is the one without ancillas unless the other one costs less and was certified. Throws
/// what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_with_parallel_rotations(
    const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options);

}  // namespace quartz::workflow

#pragma once

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Optimizes a circuit whose declared gates stay (SuperoptimizeOptions::keep_gates).
///
/// The body of each gate, and then the program with its calls as opaque gates, are optimized as
/// circuits of their own, with parts of the time; a body that calls other gates also with these
/// calls expanded, if that is cheaper. As each is equal to what it was, global phase
/// included, the whole is: that is the proof of the result, and if a part is not proved, the whole
/// is compared with the input, both with all calls expanded. A gate whose body the set cannot
/// express for all values of its parameters is expanded, with a warning. Throws UsageError for
/// options that cannot be combined with declared gates, and what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_with_declared_gates(
    const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options);

}  // namespace quartz::workflow

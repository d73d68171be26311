#pragma once

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Returns whether rotations of a circuit have to be approximated in a gate set, and can be.
[[nodiscard]] bool has_approximated_rotations(const Circuit& circuit, const GateSet& set,
                                              const SuperoptimizeOptions& options);

/// Optimizes such a circuit with ancillas (SuperoptimizeOptions::ancillas): rotations by equal
/// angles become fewer (optimizer::with_weights) before those that are left are approximated.
///
/// A part of the time goes to the circuit without ancillas, and the rest to the one with them,
/// whose exact part is proved beforehand (prove_weights). The result is the one without ancillas
/// unless the other one costs less and was certified. Throws what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_with_weights(const Circuit& circuit,
                                                             const GateSet& set,
                                                             const SuperoptimizeOptions& options);

}  // namespace quartz::workflow

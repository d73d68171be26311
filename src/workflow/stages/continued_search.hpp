#pragma once

#include <optional>

#include "quartz/certify/equivalence.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Returns the report of two proofs, the second of which begins where the first one ends; nothing
/// if their distances together are more than what is permitted (SuperoptimizeOptions::epsilon), or
/// rounding may come to.
[[nodiscard]] std::optional<EquivalenceReport> chained_within_distance(
    const EquivalenceReport& first, const EquivalenceReport& second, double epsilon);

/// Continues the search of a result without ancillas with a fraction of the time or of the steps,
/// unless it was stopped or little is left. Replaces the circuit by what is found if that costs
/// less and is as certain. Returns how long the search took, in seconds.
double continue_search(SuperoptimizeResult& result, const GateSet& set,
                       const SuperoptimizeOptions& options, double share);

}  // namespace quartz::workflow

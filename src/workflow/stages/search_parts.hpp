#pragma once

#include "base/budget.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// Searches that are parts of one call.
namespace quartz::workflow {

/// Returns the options for a part of the time, without what concerns the whole call only.
[[nodiscard]] SuperoptimizeOptions part_of(const SuperoptimizeOptions& options, double share);

/// Returns options with which a call that was stopped makes its result of what it has: a search
/// ends when it begins, and nothing before it is stopped. Others are returned as they are.
[[nodiscard]] SuperoptimizeOptions finishing(SuperoptimizeOptions options);

/// Returns a budget of a part of the time or of the steps.
[[nodiscard]] Budget budget_of_part(const SuperoptimizeOptions& options, double share);

/// Returns the time of the check of a result with ancillas, of which nothing is certified during
/// the search, in seconds.
[[nodiscard]] double seconds_of_ancilla_check(const SuperoptimizeOptions& options);

/// Returns the limits of a check that may take some seconds.
[[nodiscard]] EquivalenceOptions limits_of_check(const SuperoptimizeOptions& options,
                                                 double seconds);

/// Returns the output permutation that a circuit states, with ancillas in their places.
[[nodiscard]] OutputPermutation permutation_with_ancillas(const Circuit& circuit,
                                                          std::uint32_t ancillas);

}  // namespace quartz::workflow

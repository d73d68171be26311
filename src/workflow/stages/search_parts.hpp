#pragma once

#include <span>

#include "base/budget.hpp"
#include "optimize/measured_ancillas/ancilla_step.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// Searches that are parts of one call.
namespace quartz::workflow {

/// Returns the options for a part of the time, without what concerns the whole call only.
[[nodiscard]] SuperoptimizeOptions part_of(const SuperoptimizeOptions& options, double share);

/// Returns options with which a call that was stopped makes its result of what it has: a search
/// ends when it begins, and nothing before it is stopped. Others are returned as they are.
[[nodiscard]] SuperoptimizeOptions finishing(SuperoptimizeOptions options);

/// Returns the fraction of the time or of the steps that a part took which was permitted `share`.
/// In time, it may have ended early.
[[nodiscard]] double spent_share(const SuperoptimizeOptions& options, double share, double seconds);

/// Returns a budget of a part of the time or of the steps.
[[nodiscard]] Budget budget_of_part(const SuperoptimizeOptions& options, double share);

/// Returns the time of the check of a result with ancillas, of which nothing is certified during
/// the search, in seconds.
[[nodiscard]] double seconds_of_ancilla_check(const SuperoptimizeOptions& options);

/// Returns the limits of a check that may take some seconds.
[[nodiscard]] EquivalenceOptions limits_of_check(const SuperoptimizeOptions& options,
                                                 double seconds);

/// Returns whether a report finds two circuits equal, perhaps up to a global phase.
[[nodiscard]] bool is_equal(const EquivalenceReport& report);

/// Returns the steps that lead to a circuit with ancillas as a part of a journal.
[[nodiscard]] ReplacementPart replacements_of(const Circuit& with_ancillas,
                                              std::span<const optimizer::AncillaStep> steps);

/// Proves that a circuit equals one with ancillas, to which steps lead from its operations in
/// another order: first that it equals these, in a fraction of the time of the limits, and then the
/// steps. The report is that of what is not proved. Throws InternalError if the steps lead to
/// another circuit; barriers make no difference.
[[nodiscard]] EquivalenceReport prove_in_parts(const Circuit& circuit, const Circuit& grouped,
                                               const Circuit& with_ancillas,
                                               std::span<const optimizer::AncillaStep> steps,
                                               const EquivalenceOptions& limits,
                                               double share_of_grouped);

/// Returns the output permutation that a circuit states, with ancillas in their places.
[[nodiscard]] OutputPermutation permutation_with_ancillas(const Circuit& circuit,
                                                          std::uint32_t ancillas);

}  // namespace quartz::workflow

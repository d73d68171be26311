#pragma once

#include <cstddef>

#include "optimize/cancellation/cancellation.hpp"
#include "optimize/search/combinators.hpp"

namespace quartz::optimizer {

/// Returns a search that merges gates far apart with equal operators
/// (cancellation/cancellation.hpp), in the segments as they are divided. The seed of the scope is
/// that of the problem.
[[nodiscard]] SearchPointer make_cancellation(const Problem& problem,
                                              const CancellationScope& scope);

/// Returns a search that removes pairs of inverse gates with nothing between them
/// (cancellation/adjacent_inverses.hpp), so that what follows does not depend on them.
[[nodiscard]] SearchPointer make_adjacent_cancellation();

/// Circuits of this many operations are too long for annealing to merge all runs of gates on one
/// qubit, so that a pass does that first.
inline constexpr std::size_t kMinOperationsOfRuns = 20'000;

/// Returns a search that merges runs of gates on one qubit exactly, and removes pairs of inverse
/// gates (runs/one_qubit_runs.hpp); only the pairs if the gates of the set do not suffice
/// for that.
[[nodiscard]] SearchPointer make_run_merging(const Problem& problem);

/// Returns the same for the gates of a segment; null if the gates of the set do not suffice.
[[nodiscard]] SegmentRewriterPointer make_run_rewriter(const Problem& problem);

/// Returns a search that runs annealing in several parts of the budget, with a cancellation after
/// each, as long as it finds anything: annealing brings about pairs that were not there before, and
/// continues without them. If nothing is found, that costs up to a few hundredths of the budget.
[[nodiscard]] SearchPointer make_annealing_with_cancellation(const Problem& problem,
                                                             SearchPointer annealing);

}  // namespace quartz::optimizer

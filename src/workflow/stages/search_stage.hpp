#pragma once

#include <stop_token>

#include "circuit/derivation.hpp"
#include "quartz/rules/rule_set.hpp"
#include "workflow/checkpointed_search.hpp"
#include "workflow/stage_clock.hpp"
#include "workflow/stages/certification.hpp"
#include "workflow/stages/run_state.hpp"
#include "workflow/table_source.hpp"

namespace quartz::workflow {

/// What a search uses. All references outlive it.
struct SearchParts {
  const RuleSet& rules;
  TableSource& tables;
  CheckpointedSearch& checkpoint;
  Certification& certification;
  const StageClock& clock;
  std::stop_token stop;
};

/// The searches of one call. With a free order, they stop several times, so that SWAP gates can be
/// taken for free. A checkpoint has no output permutation, so that there are no free SWAP gates.
class SearchStage {
 public:
  SearchStage(RunState& state, const SearchParts& parts) : state_(state), parts_(parts) {}

  /// Searches from the current circuit, which becomes the best one that is found. What is found
  /// until then stays if there is no memory to continue: throws std::bad_alloc.
  void run();

 private:
  [[nodiscard]] OptimizeOptions search_options() const;
  void search_with_free_swaps();
  /// Returns whether the search does not stop at this fraction (kStops).
  [[nodiscard]] bool leaves_out(double stop) const;
  /// Continues the search until this fraction of the time or of the steps is spent.
  void search_until(double stop);
  /// Returns the time until the last search ends, in seconds; infinity if steps limit it.
  [[nodiscard]] double seconds_left() const;
  /// Returns the options of a search that continues until then.
  [[nodiscard]] OptimizeOptions options_until(double stop);
  [[nodiscard]] circuit::DerivedCircuit simplified(const Circuit& circuit);

  RunState& state_;
  SearchParts parts_;
  double spent_ = 0;  ///< the fraction at which the search stopped last
};

}  // namespace quartz::workflow

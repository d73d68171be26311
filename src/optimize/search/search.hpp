#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {

/// Why a search ended.
enum class Outcome : std::uint8_t {
  exhausted,     ///< nothing is left to try
  converged,     ///< no better circuit was found in as much work as had found the best, and more
  budget_spent,  ///< the time or the ticks are used up, or too little is left
  no_result,     ///< the search cannot be used for this circuit and has changed nothing
};

/// A method that looks for cheaper circuits. It reads the current version of the circuit from the
/// state and replaces segments of it by equal ones; whenever the current version may be the best,
/// it calls SearchState::keep_best. It may leave a current version that is not the best.
///
/// An object serves one problem. It may keep caches between runs.
class Search {
 public:
  Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  virtual ~Search() = default;

  /// Returns whether the search can do anything for the problem.
  [[nodiscard]] virtual bool applies(const Problem&) const { return true; }

  /// Runs until the budget is spent or no more gain is expected. With a budget in ticks the result
  /// depends only on the problem, not on the speed of the machine.
  virtual Outcome run(SearchState& state, const Budget& budget) = 0;
};

using SearchPointer = std::shared_ptr<Search>;

/// A method that rewrites the gates of one segment, independently of its surroundings.
class SegmentRewriter {
 public:
  SegmentRewriter() = default;
  SegmentRewriter(const SegmentRewriter&) = delete;
  SegmentRewriter& operator=(const SegmentRewriter&) = delete;
  virtual ~SegmentRewriter() = default;

  /// Returns equal gates, which may cost more. Ends early, with the result so far, once the budget
  /// is spent.
  [[nodiscard]] virtual circuit::PhasedGates rewrite(std::span<const Operation> gates,
                                                     const Budget& budget) = 0;
};

using SegmentRewriterPointer = std::shared_ptr<SegmentRewriter>;

}  // namespace quartz::optimizer

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/search_state.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

/// Approximate time of one annealing move, in seconds. It relates budgets in seconds to those in
/// ticks.
inline constexpr double kSecondsOfMove = 1e-6;

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

  /// Returns why the search cannot do anything for the problem, as the end of a sentence; nothing
  /// if it applies.
  [[nodiscard]] virtual std::optional<std::string> obstacle(const Problem&) const { return {}; }
  /// Returns whether the search can do anything for the problem.
  [[nodiscard]] bool applies(const Problem& problem) const { return !obstacle(problem); }

  /// Returns whether the size of the circuit bounds the work, so that the search needs no limit.
  [[nodiscard]] virtual bool is_bounded() const { return false; }

  /// Runs until the budget is spent or no more gain is expected. With a budget in ticks the result
  /// depends only on the problem, not on the speed of the machine. Has no result if the search does
  /// not apply to the problem.
  Outcome run(SearchState& state, const Budget& budget) {
    return applies(state.problem()) ? run_applicable(state, budget) : Outcome::no_result;
  }

  /// Runs as run() does, for a problem to which the search is known to apply.
  virtual Outcome run_applicable(SearchState& state, const Budget& budget) = 0;
};

using SearchPointer = std::shared_ptr<Search>;

/// A method that rewrites the gates of one segment, independently of its surroundings.
class SegmentRewriter {
 public:
  SegmentRewriter() = default;
  SegmentRewriter(const SegmentRewriter&) = delete;
  SegmentRewriter& operator=(const SegmentRewriter&) = delete;
  virtual ~SegmentRewriter() = default;

  /// Returns equal gates, which may cost more, or the same ones if exact arithmetic does not
  /// suffice. Ends early, with the result so far, once the budget is spent.
  [[nodiscard]] circuit::DerivedGates rewrite(std::span<const Operation> gates,
                                              const Budget& budget) {
    try {
      return try_rewrite(gates, budget);
    } catch (const OverflowError&) {
      return circuit::DerivedGates::unchanged(gates);
    }
  }

 private:
  /// Does the same, and throws OverflowError if the exact sum of some angles does not fit 64 bits.
  [[nodiscard]] virtual circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                          const Budget& budget) = 0;
};

using SegmentRewriterPointer = std::shared_ptr<SegmentRewriter>;

}  // namespace quartz::optimizer

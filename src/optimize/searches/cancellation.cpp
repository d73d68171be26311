#include "optimize/searches/cancellation.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/cancellation/adjacent_inverses.hpp"
#include "optimize/cancellation/cancellation.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/runs/one_qubit_runs.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/intermediate_set.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kCancellationPass{"cancellation", "gates with equal operators merged"};

/// No gates are far apart in shorter lists, which are left to searches that replace windows. If
/// they got a little shorter here, those under a condition could become black boxes before that.
constexpr std::size_t kLeastGates = 8;

class CancelEqualOperators : public SegmentRewriter {
 public:
  CancelEqualOperators(const Problem& problem, const CancellationScope& scope)
      : set_(problem.set), scope_(scope) {
    scope_.seed = problem.seed;
  }

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    if (gates.size() < kLeastGates) return circuit::DerivedGates::unchanged(gates);
    return cancel_equal_operators(gates, set_, scope_, budget);
  }

  const GateSet& set_;
  CancellationScope scope_;
};

class CancelAdjacentInverses : public Search {
 public:
  [[nodiscard]] bool is_bounded() const override { return true; }

 private:
  Outcome run_applicable(SearchState& state, const Budget& /*budget*/) override {
    std::vector<std::pair<std::size_t, circuit::DerivedGates>> changed;
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      std::optional<circuit::DerivedGates> gates =
          cancel_adjacent_inverses(state.segment(i).gates, state.wires());
      if (gates) changed.emplace_back(i, *std::move(gates));
    }
    if (changed.empty()) return Outcome::exhausted;
    state.run_pass(kCancellationPass, [&] {
      for (auto& [segment, gates] : changed) state.replace(segment, std::move(gates));
      state.keep_best();
    });
    return Outcome::exhausted;
  }
};

constexpr PassName kRunsPass{"runs", "gates on one qubit merged exactly"};

class MergeRuns : public SegmentRewriter {
 public:
  explicit MergeRuns(const Problem& problem)
      : history_(problem.record.history ? RunHistory::recorded : RunHistory::none),
        wires_(problem.wires),
        words_(problem.set, scalar_gate_cost_in_blocks(problem.cost, problem.set)) {}

  [[nodiscard]] bool available() const { return words_.available(); }

  /// Returns nothing if nothing changes.
  [[nodiscard]] std::optional<circuit::DerivedGates> merged(std::span<const Operation> gates) {
    // A few gates act on few of many qubits, of which each has a list in the other pass.
    if (gates.size() >= wires_ / 8) return merge_one_qubit_runs(gates, wires_, words_, history_);
    return cancel_adjacent_inverses(gates, wires_);
  }

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& /*budget*/) override {
    std::optional<circuit::DerivedGates> result = merged(gates);
    return result ? *std::move(result) : circuit::DerivedGates::unchanged(gates);
  }

  RunHistory history_;
  std::uint32_t wires_;
  RunWords words_;
};

/// Merges runs in all segments, unless that costs more.
class MergeRunsOfSegments : public Search {
 public:
  explicit MergeRunsOfSegments(const Problem& problem) : runs_(problem) {}

  [[nodiscard]] bool is_bounded() const override { return true; }
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.record.rules) return "it records no rules";
    if (runs_.available()) return {};
    return "the gates of '" + problem.set.name + "' cannot express rotations by any angle exactly";
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& /*budget*/) override {
    if (state.problem().has_merged_runs) return Outcome::exhausted;
    state.run_pass(kRunsPass, [&] {
      const Version before = state.now();
      const SearchCost cost_before = state.cost();
      bool has_changed = false;
      for (std::size_t i = 0; i < state.segment_count(); ++i) {
        std::optional<circuit::DerivedGates> gates = runs_.merged(state.segment(i).gates);
        if (!gates) continue;
        state.replace(i, *std::move(gates));
        has_changed = true;
      }
      if (!has_changed) return;
      if (state.cost() > cost_before) {
        state.go_to(before);
      } else {
        state.keep_best();
      }
    });
    return Outcome::exhausted;
  }

  MergeRuns runs_;
};

/// Shares of the budget after which annealing is interrupted, as long as pairs are found; the last
/// part gets the rest.
constexpr std::array kSharesOfParts{0.25, 0.35};
/// Fractions of the budget that each cancellation may take.
constexpr double kConesShare = 0.01;
constexpr double kWholeSpaceShare = 0.1;

class AnnealingWithCancellation : public Search {
 public:
  AnnealingWithCancellation(const Problem& problem, SearchPointer annealing)
      : annealing_(std::move(annealing)),
        in_cones_(make_cancellation(problem, kInCones)),
        on_whole_space_(make_cancellation(problem, kOnWholeSpace)) {
    // Annealing in another set of gates divides its budget by itself.
    if (intermediate_set_use(problem.set, problem.cost) == IntermediateSetUse::none) {
      shares_.assign(kSharesOfParts.begin(), kSharesOfParts.end());
    }
  }
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return annealing_->obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Budget::Amount whole = budget.left();
    bool has_cones = true;
    bool has_whole_space = true;
    for (std::size_t part = 0;; ++part) {
      const bool is_last = part >= shares_.size() || !(has_cones || has_whole_space);
      const Outcome outcome =
          annealing_->run(state, is_last ? budget : budget.limited_to(whole.times(shares_[part])));
      if (outcome == Outcome::no_result || budget.spent()) return outcome;
      // Where there is no pair, annealing is unlikely to bring one about.
      has_cones = has_cones && has_gained(*in_cones_, kConesShare, whole, state, budget);
      has_whole_space =
          has_whole_space && has_gained(*on_whole_space_, kWholeSpaceShare, whole, state, budget);
      const bool is_over = is_last || outcome == Outcome::converged;
      if (is_over && !(has_cones || has_whole_space)) return outcome;
    }
  }

  /// Runs a search in a share of the whole budget, and returns whether the cost fell.
  static bool has_gained(Search& search, double share, const Budget::Amount& whole,
                         SearchState& state, const Budget& budget) {
    const SearchCost before = state.cost();
    (void)search.run(state, budget.limited_to(whole.times(share)));
    return state.cost() < before;
  }

  SearchPointer annealing_;
  SearchPointer in_cones_;
  SearchPointer on_whole_space_;
  std::vector<double> shares_;
};

}  // namespace

SearchPointer make_annealing_with_cancellation(const Problem& problem, SearchPointer annealing) {
  return std::make_shared<AnnealingWithCancellation>(problem, std::move(annealing));
}

SearchPointer make_adjacent_cancellation() { return std::make_shared<CancelAdjacentInverses>(); }

SearchPointer make_run_merging(const Problem& problem) {
  return std::make_shared<FirstThatApplies>(std::vector<SearchPointer>{
      std::make_shared<MergeRunsOfSegments>(problem), make_adjacent_cancellation()});
}

SegmentRewriterPointer make_run_rewriter(const Problem& problem) {
  auto rewriter = std::make_shared<MergeRuns>(problem);
  return rewriter->available() ? std::move(rewriter) : nullptr;
}

SearchPointer make_cancellation(const Problem& problem, const CancellationScope& scope) {
  return std::make_shared<Pass>(
      kCancellationPass, std::make_shared<RewriteSegments>(std::make_shared<IfNotWorse>(
                             problem, std::make_shared<CancelEqualOperators>(problem, scope))));
}

SearchPointer make_cancellation_search(const Problem& problem) {
  return std::make_shared<DividedThenJoined>(make_cancellation(problem, {}));
}

}  // namespace quartz::optimizer

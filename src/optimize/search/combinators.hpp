#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimize/search/search.hpp"

/// Searches that are composed of other searches.
namespace quartz::optimizer {

/// Returns whether the time of the whole search has been over for so long that work whose amount is
/// bounded is left undone, too. Small circuits never get there: linear passes go over them within
/// milliseconds, and over a million gates in seconds. `budget` is that of a part of the search; no
/// deadline means that there is all the time that bounded work takes.
[[nodiscard]] bool is_overdue(const SearchState& state, const Budget& budget);

/// A search, and its share of the budget.
struct Part {
  SearchPointer search;
  double share = 1;
};

/// Runs searches one after the other, each in its share of the whole budget; the last one gets all
/// the time that the others leave. Skips searches that do not apply, and all but the first one once
/// the search is overdue. Returns the outcome of the last one that was run.
class Sequence : public Search {
 public:
  explicit Sequence(std::vector<Part> parts) : parts_(std::move(parts)) {}
  [[nodiscard]] bool is_bounded() const override;

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  std::vector<Part> parts_;
};

/// Runs a search, if it applies, and then another one within the same budget, unless it is overdue.
/// The other one simplifies the result of the first one. Returns the outcome of the first one.
class FollowedBy : public Search {
 public:
  FollowedBy(SearchPointer search, SearchPointer next)
      : search_(std::move(search)), next_(std::move(next)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Outcome outcome = search_->run(state, budget);
    if (!is_overdue(state, budget)) (void)next_->run(state, budget);
    return outcome;
  }

  SearchPointer search_;
  SearchPointer next_;
};

/// Runs a search for those problems to which another one applies, which is its essential part.
class IfApplies : public Search {
 public:
  IfApplies(SearchPointer essential, SearchPointer search)
      : essential_(std::move(essential)), search_(std::move(search)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return essential_->obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return search_->run(state, budget);
  }

  SearchPointer essential_;
  SearchPointer search_;
};

/// A search around another one, which applies to the same problems.
class SearchDecorator : public Search {
 public:
  explicit SearchDecorator(SearchPointer search) : search_(std::move(search)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return search_->obstacle(problem);
  }
  [[nodiscard]] bool is_bounded() const override { return search_->is_bounded(); }

 protected:
  /// Runs the other search, for a problem to which it applies.
  Outcome run_inner(SearchState& state, const Budget& budget) {
    return search_->run_applicable(state, budget);
  }
  /// Runs the other search on the bodies alone, if there are any.
  void run_on_bodies(SearchState& state, const Budget& budget);

 private:
  SearchPointer search_;
};

/// Runs a search in a share of the budget.
class Share : public SearchDecorator {
 public:
  Share(double share, SearchPointer search) : SearchDecorator(std::move(search)), share_(share) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return run_inner(state, budget.share(share_));
  }

  double share_;
};

/// Runs the first of the searches that applies.
class FirstThatApplies : public Search {
 public:
  explicit FirstThatApplies(std::vector<SearchPointer> searches) : searches_(std::move(searches)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override;

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  std::vector<SearchPointer> searches_;
};

/// Runs several candidates from the same version of the circuit, each a sequence of searches with
/// shares of the whole budget, and continues with the cheapest result, the last of equally good
/// ones.
///
/// Drops a candidate without a result. Does not run a candidate if it is the only one left: there
/// is nothing to compare it with, and the following searches begin with it anyway.
class BestOf : public Search {
 public:
  explicit BestOf(std::vector<std::vector<Part>> candidates) : candidates_(std::move(candidates)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  std::vector<std::vector<Part>> candidates_;
};

/// Runs a search in rounds of equal parts of the budget. A round after which the best circuit is no
/// better than before is undone. Has no result if no round has one.
class Rounds : public SearchDecorator {
 public:
  /// Called with the state and the amount of the budget; returns how many rounds to run, at least
  /// one.
  using Count = std::function<std::size_t(const SearchState&, const Budget::Amount&)>;

  Rounds(Count count, SearchPointer search)
      : SearchDecorator(std::move(search)), count_(std::move(count)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  Count count_;
};

/// Alternates two searches until neither finds anything better. If the first one converges, the
/// second one is limited so that the first one gets its share of what both use; otherwise the
/// second one gets all the rest.
class UntilNoGain : public Search {
 public:
  UntilNoGain(double share, SearchPointer first, SearchPointer second)
      : share_(share), first_(std::move(first)), second_(std::move(second)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  double share_;
  SearchPointer first_;
  SearchPointer second_;
};

/// Runs a search on the divided segments, in which gates under conditions are rewritten, and then
/// on the joined ones, in which gates are rewritten across boundaries. If the segments are joined
/// already, runs it on the bodies in place of the divided segments. Has no result only if neither
/// run has one.
class DividedThenJoined : public SearchDecorator {
 public:
  using SearchDecorator::SearchDecorator;

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;
};

/// Runs a search on the bodies (Segments::bodies) in a small share of the budget, and then on the
/// circuit as it is. Most searches see only joined segments, in which bodies are black boxes.
class BodiesFirst : public SearchDecorator {
 public:
  using SearchDecorator::SearchDecorator;

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;
};

/// Runs a search as one pass of the reports.
class Pass : public SearchDecorator {
 public:
  Pass(PassName name, SearchPointer search) : SearchDecorator(std::move(search)), name_(name) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  PassName name_;
};

/// Applies rewriters in turn, each to the result of the one before, as long as the cost falls.
/// Drops a step after which the segment costs more.
class FixedPoint : public SegmentRewriter {
 public:
  FixedPoint(const Problem& problem, std::vector<SegmentRewriterPointer> rewriters)
      : problem_(problem), rewriters_(std::move(rewriters)) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  std::vector<SegmentRewriterPointer> rewriters_;
};

/// Applies several rewriters to a segment of at most `max_gates` gates and returns the cheapest
/// result, the first of equally good ones. Applies only the first rewriter to larger segments, and
/// if it takes much of the time.
class CheapestOf : public SegmentRewriter {
 public:
  CheapestOf(const Problem& problem, std::size_t max_gates,
             std::vector<SegmentRewriterPointer> rewriters)
      : problem_(problem), max_gates_(max_gates), rewriters_(std::move(rewriters)) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  std::size_t max_gates_;
  std::vector<SegmentRewriterPointer> rewriters_;
};

/// Drops the result of a rewriter if it costs more.
class IfNotWorse : public SegmentRewriter {
 public:
  IfNotWorse(const Problem& problem, SegmentRewriterPointer rewriter)
      : problem_(problem), rewriter_(std::move(rewriter)) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  const Problem& problem_;
  SegmentRewriterPointer rewriter_;
};

/// Returns the cost of the gates of a segment as a separate circuit.
[[nodiscard]] SearchCost cost_of_gates(const Problem& problem, std::span<const Operation> gates);

/// Returns what the first objective charges for a circuit in gates of the set; nothing if they
/// cannot express it.
[[nodiscard]] std::optional<std::uint64_t> first_units_of(const Problem& problem,
                                                          const Circuit& circuit);

/// Rewrites every segment. Undoes the rewrites, and has no result, if the circuit then costs more,
/// which can happen if the cost is not a sum over the gates, or if gates have to be reversed for a
/// directed coupling map.
class RewriteSegments : public Search {
 public:
  /// Without `spends_ticks`, the work must be bounded by the size of the circuit: it is then done
  /// whatever is left of a budget in ticks.
  explicit RewriteSegments(SegmentRewriterPointer rewriter, bool spends_ticks = false)
      : rewriter_(std::move(rewriter)), spends_ticks_(spends_ticks) {}
  [[nodiscard]] bool is_bounded() const override { return !spends_ticks_; }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  SegmentRewriterPointer rewriter_;
  bool spends_ticks_;
};

/// Replaces the segments of the current version by what a rewriter makes of them, whatever that
/// costs. Returns whether that changed any.
[[nodiscard]] bool replace_segments(SearchState& state, SegmentRewriter& rewriter,
                                    const Budget& budget);

}  // namespace quartz::optimizer

#include "optimize/searches/starts.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Fractions of the budget for the trial of each start, in the first round and in those after it.
constexpr double kFirstTrialShare = 0.06;
constexpr double kTrialShare = 0.12;
/// Starts that are tried after the first round, at most.
constexpr std::size_t kMaxStartsOfLaterRounds = 2;
/// A start whose first objective that differs is more than this many times that of the best one
/// after a round is tried no more.
constexpr double kMaxRatioAfterTrial = 1.05;

/// A start, or what a trial has made of it.
struct Candidate {
  Version version;
  SearchCost cost;
  double max_ratio = 1;
};

bool is_within(const SearchCost& cost, const SearchCost& least, double ratio) {
  for (std::size_t i = 0; i < cost.objectives.units.size(); ++i) {
    const auto left = static_cast<double>(cost.objectives.units[i]);
    const auto right = static_cast<double>(least.objectives.units[i]);
    if (left != right) return left <= ratio * right;
  }
  return true;
}

/// The earlier one of equally good candidates comes first.
void sort_by_cost(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& left, const Candidate& right) {
    return left.cost < right.cost;
  });
}

class ChoiceOfStarts : public Search {
 public:
  ChoiceOfStarts(std::vector<Start> starts, SearchPointer trial)
      : starts_(std::move(starts)), trial_(std::move(trial)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Budget::Amount whole = budget.left();
    std::vector<Candidate> candidates = made(state, budget, whole);
    sort_by_cost(candidates);
    const SearchCost least = candidates.front().cost;
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return !is_within(candidate.cost, least, candidate.max_ratio);
    });
    double share = kFirstTrialShare;
    while (candidates.size() > 1 && !budget.spent()) {
      for (Candidate& candidate : candidates) {
        state.go_to(std::move(candidate.version));
        (void)trial_->run(state, budget.limited_to(whole.times(share)));
        candidate.version = state.now();
        candidate.cost = state.cost();
      }
      share = kTrialShare;
      drop_worse(candidates);
    }
    state.go_to(std::move(candidates.front().version));
    return Outcome::exhausted;
  }

  [[nodiscard]] std::vector<Candidate> made(SearchState& state, const Budget& budget,
                                            const Budget::Amount& whole) const {
    const Version given = state.now();
    std::vector<Candidate> candidates;
    for (const Start& start : starts_) {
      state.go_to(given);
      const Outcome outcome = start.make->run(state, budget.limited_to(whole.times(start.share)));
      if (outcome == Outcome::no_result && !candidates.empty()) continue;
      state.keep_best();
      candidates.push_back({state.now(), state.cost(), start.max_ratio});
    }
    return candidates;
  }

  /// Keeps the better half of the candidates, without those that are much worse than the best one.
  static void drop_worse(std::vector<Candidate>& candidates) {
    sort_by_cost(candidates);
    const SearchCost least = candidates.front().cost;
    candidates.resize(std::min(kMaxStartsOfLaterRounds, (candidates.size() + 1) / 2));
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return !is_within(candidate.cost, least, kMaxRatioAfterTrial);
    });
  }

  std::vector<Start> starts_;
  SearchPointer trial_;
};

}  // namespace

SearchPointer make_choice_of_starts(std::vector<Start> starts, SearchPointer trial) {
  return std::make_shared<ChoiceOfStarts>(std::move(starts), std::move(trial));
}

}  // namespace quartz::optimizer

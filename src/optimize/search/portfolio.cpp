#include "optimize/search/portfolio.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/random.hpp"
#include "optimize/search/combinators.hpp"

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

/// Annealing moves per gate in a slice of the budget. Slices of small circuits have more, up to
/// kMovesOfSmallSlice in all, because each begins at the best circuit again.
constexpr std::uint64_t kMovesOfSlice = 6'000;
constexpr std::uint64_t kMostMovesOfSlice = 25'000;
constexpr std::uint64_t kMovesOfSmallSlice = 300'000;
/// The fewest slices in which other ways are worth trying, and the fewest gates: annealing and
/// backtracking leave nothing to find in smaller circuits.
constexpr std::uint64_t kMinGatesOfSlices = 16;
constexpr double kMinSlices = 4;
/// From this many gates on, the given circuit is released once the starts are made, unless the
/// budget suffices to begin with it again: it takes a good part of the memory.
constexpr std::uint64_t kMinGatesOfReleasedStart = 100'000;
/// Fraction of the budget for slices.
constexpr double kShareOfSlices = 0.85;
/// Fractions of a slice for a detour, and for making a start again, before the improvement.
constexpr double kDetourShare = 0.4;
constexpr double kRestartShare = 0.3;
/// Slices in which a circuit is improved further that costs little more than the best one.
constexpr int kMaxImprovements = 3;
constexpr double kMaxRatioOfImproved = 1.02;
/// Slices without a gain after which the search ends, and those for circuits with few gates.
/// Annealing alone finds nothing more in these, whatever its time, but a new start or a detour
/// does, sooner or later: barenco_tof_3 takes up to 50 slices from 36 gates to 35.
constexpr std::size_t kIdleSlices = 20;
constexpr std::size_t kIdleSlicesOfFewGates = 400;
constexpr std::uint64_t kFewGates = 100;

/// A circuit, and a limit on what it may cost in comparison.
struct Candidate {
  Version version;
  SearchCost cost;
  double max_ratio = 1;
  bool is_improved = false;
};

/// The earlier one of equally good candidates comes first.
void sort_by_cost(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& left, const Candidate& right) {
    return left.cost < right.cost;
  });
}

/// A way to a circuit that is improved then.
struct Way {
  SearchPointer start;   ///< makes a start of the given circuit; null to leave the best circuit
  SearchPointer detour;  ///< null for none
  double weight = 1;     ///< how often it is taken, in comparison
};

/// The ways from the best circuit have the weight 1 at first. A new start needs many slices to come
/// near a circuit that has been improved for long: it weighs as much if there are kSlicesForStarts,
/// and less in proportion if there are fewer. A detour from there weighs half as much. Gains raise
/// a weight by 1, and slices without a gain lower it, down to kMinWeight.
constexpr double kSlicesForStarts = 40;
constexpr double kMinWeight = 0.1;
constexpr double kWeightAfterIdleSlice = 0.7;

/// One run of a portfolio.
class PortfolioRun {
 public:
  PortfolioRun(const PortfolioParts& parts, FastRandom& random, const Version& given)
      : parts_(parts), random_(random), given_(given) {}

  /// Continues with the best circuit that was found.
  void run(SearchState& state, const Budget& budget) {
    best_ = best_start(state, budget);
    explore(state, budget.share(kShareOfSlices));
    state.go_to(std::move(best_.version));
  }

 private:
  [[nodiscard]] Candidate best_start(SearchState& state, const Budget& budget) {
    const Budget::Amount whole = budget.left();
    std::vector<Candidate> candidates = made_starts(state, budget, whole);
    const std::uint64_t gates = state.gate_count();
    if (gates >= kMinGatesOfReleasedStart && slices_in(budget, slice_of(gates)) < kMinSlices / 4) {
      given_ = {};
    }
    sort_by_cost(candidates);
    erase_expensive(candidates);
    double share = kFirstTrialShare;
    while (candidates.size() > 1 && !budget.spent()) {
      for (Candidate& candidate : candidates) {
        state.go_to(std::move(candidate.version));
        (void)parts_.improvement->run(state, budget.limited_to(whole.times(share)));
        candidate.version = state.now();
        candidate.cost = state.cost();
      }
      share = kTrialShare;
      drop_worse(candidates);
    }
    return std::move(candidates.front());
  }

  /// Erases candidates that cost too much in comparison with the cheapest one. Those that are not
  /// improved yet are compared with each other.
  static void erase_expensive(std::vector<Candidate>& candidates) {
    const SearchCost least = candidates.front().cost;
    const auto first = std::ranges::find(candidates, false, &Candidate::is_improved);
    const SearchCost least_of_others = first == candidates.end() ? least : first->cost;
    std::erase_if(candidates, [&](const Candidate& candidate) {
      const SearchCost& other = candidate.is_improved ? least : least_of_others;
      return !is_within(candidate.cost, other, candidate.max_ratio);
    });
  }

  [[nodiscard]] std::vector<Candidate> made_starts(SearchState& state, const Budget& budget,
                                                   const Budget::Amount& whole) {
    std::vector<Candidate> candidates;
    for (const Start& start : parts_.starts) {
      if (!candidates.empty() && is_overdue(state, budget)) break;
      state.go_to(given_);
      const Outcome outcome = start.make->run(state, budget.limited_to(whole.times(start.share)));
      if (outcome == Outcome::no_result && !candidates.empty()) continue;
      state.keep_best();
      candidates.push_back({state.now(), state.cost(), start.max_ratio, start.is_improved});
      if (start.most_gates_if_repeated > 0) repeated_.push_back(&start);
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

  [[nodiscard]] static Budget::Amount slice_of(std::uint64_t gates) {
    const std::uint64_t moves =
        std::max(kMovesOfSlice * gates, std::min(kMostMovesOfSlice * gates, kMovesOfSmallSlice));
    return {kSecondsOfMove * static_cast<double>(moves), moves};
  }
  [[nodiscard]] static double slices_in(const Budget& budget, const Budget::Amount& slice) {
    const Budget::Amount whole = budget.left();
    return std::max(whole.seconds / slice.seconds,
                    static_cast<double>(whole.ticks) / static_cast<double>(slice.ticks));
  }

  /// Takes ways to other circuits in slices of the budget.
  void explore(SearchState& state, const Budget& budget) {
    state.go_to(best_.version);
    const std::uint64_t gates = state.gate_count();
    if (gates < kMinGatesOfSlices || given_.segments.empty()) return;
    const Budget::Amount slice = slice_of(gates);
    const double slices = slices_in(budget, slice);
    if (slices < kMinSlices) return;
    add_ways(state.problem(), gates, std::min(1.0, slices / kSlicesForStarts));
    const std::size_t most_idle = gates < kFewGates ? kIdleSlicesOfFewGates : kIdleSlices;
    for (std::size_t idle = 0; idle < most_idle && !budget.spent();) {
      Way& way = random_way();
      const SearchCost before = best_.cost;
      take(way, state, budget, slice);
      const bool has_gained = best_.cost < before;
      way.weight =
          has_gained ? way.weight + 1 : std::max(kMinWeight, kWeightAfterIdleSlice * way.weight);
      idle = has_gained ? 0 : idle + 1;
    }
  }

  void add_ways(const Problem& problem, std::uint64_t gates, double weight_of_starts) {
    ways_.push_back({});
    std::erase_if(repeated_,
                  [&](const Start* start) { return gates > start->most_gates_if_repeated; });
    for (const Start* start : repeated_) {
      ways_.push_back({repeat_of(*start), nullptr, weight_of_starts});
    }
    for (const SearchPointer& detour : parts_.detours) {
      if (!detour->applies(problem)) continue;
      ways_.push_back({nullptr, detour});
      for (const Start* start : repeated_) {
        ways_.push_back({repeat_of(*start), detour, weight_of_starts / 2});
      }
    }
  }

  static const SearchPointer& repeat_of(const Start& start) {
    return start.repeat ? start.repeat : start.make;
  }

  [[nodiscard]] Way& random_way() {
    double sum = 0;
    for (const Way& way : ways_) sum += way.weight;
    double place = sum * random_.unit();
    for (Way& way : ways_) {
      place -= way.weight;
      if (place < 0) return way;
    }
    return ways_.back();
  }

  /// Continues with what is found unless it costs more.
  void take(const Way& way, SearchState& state, const Budget& budget, const Budget::Amount& slice) {
    state.go_to(way.start ? given_ : best_.version);
    if (way.start && way.start->run(state, budget.limited_to(slice.times(kRestartShare))) ==
                         Outcome::no_result) {
      return;
    }
    if (way.detour) (void)way.detour->run(state, budget.limited_to(slice.times(kDetourShare)));
    std::optional<SearchCost> before;
    for (int i = 0; i < kMaxImprovements; ++i) {
      (void)parts_.improvement->run(state, budget.limited_to(slice));
      const SearchCost cost = state.cost();
      if (cost <= best_.cost) {
        best_ = {state.now(), cost};
        return;
      }
      if (!is_within(cost, best_.cost, kMaxRatioOfImproved) || (before && !(cost < *before)))
        return;
      before = cost;
    }
  }

  const PortfolioParts& parts_;
  FastRandom& random_;
  Version given_;  ///< without segments once it is released
  Candidate best_;
  std::vector<const Start*> repeated_;  ///< the starts that are repeated and have a result
  std::vector<Way> ways_;
};

class Portfolio : public Search {
 public:
  Portfolio(const Problem& problem, PortfolioParts parts)
      : parts_(std::move(parts)), random_(problem.seed) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    PortfolioRun(parts_, random_, state.now()).run(state, budget);
    return Outcome::exhausted;
  }

  PortfolioParts parts_;
  FastRandom random_;
};

}  // namespace

SearchPointer make_portfolio(const Problem& problem, PortfolioParts parts) {
  return std::make_shared<Portfolio>(problem, std::move(parts));
}

}  // namespace quartz::optimizer

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/local_optimality/shifted_segments.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/anneal.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/segments.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kLocalPass{"local", "segments searched until none improves"};

/// Moves for each gate with which a segment is annealed.
constexpr std::uint64_t kMovesOfSegment = 150;

/// Estimated time for the rest of the search, in copies of the circuit.
constexpr double kCopiesOfLocalSearch = 8;

/// Makes every segment of the circuit locally optimal.
class SearchLocally : public Search {
 public:
  explicit SearchLocally(std::uint64_t moves_per_gate) : moves_per_gate_(moves_per_gate) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    constexpr std::uint32_t kMostWires = std::numeric_limits<rewrite::Wire>::max();
    if (problem.wires > kMostWires) {
      return "the circuit has more than " + std::to_string(kMostWires) + " qubits";
    }
    return anneal_.obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (state.gate_count() == 0) return Outcome::exhausted;
    if (!state.has_time_for(budget, kCopiesOfLocalSearch)) return Outcome::budget_spent;
    if (!require_class_table(state, budget)) return Outcome::budget_spent;
    const Version before = state.now();
    const SearchCost cost_before = state.cost();
    LocalOptimality all;
    bool is_complete = true;
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      is_complete = search_segment(state, i, budget, all) && is_complete;
    }
    // The table cost and the value that are minimized may be only a part of the cost.
    if (state.cost() > cost_before) {
      state.go_to(before);
    } else {
      state.figures.local_optimality = all;
    }
    state.keep_best();
    return is_complete ? Outcome::converged : Outcome::budget_spent;
  }

  /// Returns whether the search of a segment of the circuit came to its end.
  bool search_segment(SearchState& state, std::size_t index, const Budget& budget,
                      LocalOptimality& all) const {
    const Problem& problem = state.problem();
    const std::span<const Operation> gates = state.segment(index).gates;
    if (gates.empty()) return true;
    LocalSearchLimits limits;
    limits.budget = budget.ended_earlier(kCopiesOfLocalSearch * state.copy_seconds());
    limits.threads = problem.threads;
    limits.workers = problem.workers;
    limits.seed = problem.seed ^ state.figures.annealing_moves;
    limits.value = scalar_cost(problem.cost, problem.set, state.gate_count());
    limits.coupling = problem.coupling;
    limits.record_pairs = problem.record.rules;
    limits.record_history = problem.record.history;
    limits.moves_per_gate = moves_per_gate_;
    if (problem.on_version) {
      limits.on_better = [&](circuit::DerivedGates found) {
        Version version = state.now();
        state.replace_in(version, index, std::move(found));
        problem.on_version(version, state.cost_of(version));
      };
    }
    const std::uint64_t moves_before = state.figures.annealing_moves;
    limits.on_progress = [&](std::uint64_t moves) {
      state.figures.annealing_moves = moves_before + moves;
      state.report(kLocalPass.name);
    };
    LocalSearchResult result =
        search_shifted_segments(*state.figures.table, gates, state.wires(), limits);
    state.figures.annealing_moves = moves_before + result.counts.moves;
    state.figures.used_pairs.add(result.used_pairs);
    state.replace(index, std::move(result.gates));
    all.gates += result.optimality.gates;
    all.in_windows += result.optimality.in_windows;
    all.in_segments += result.optimality.in_segments;
    all.gates_of_segment = std::max(all.gates_of_segment, result.optimality.gates_of_segment);
    all.moves_per_gate = result.optimality.moves_per_gate;
    return result.is_complete;
  }

  Anneal anneal_{AnnealingEnd::when_converged};
  std::uint64_t moves_per_gate_;
};

}  // namespace

SearchPointer make_local_search(const Problem& problem) {
  const auto simplify = std::make_shared<Simplify>(problem);
  return std::make_shared<Sequence>(std::vector<Part>{
      {std::make_shared<Pass>(kSimplifyPass,
                              std::make_shared<SimplifyForAnnealing>(problem, simplify))},
      {make_commutation(problem)},
      {std::make_shared<Pass>(kLocalPass, std::make_shared<SearchLocally>(kMovesOfSegment))}});
}

}  // namespace quartz::optimizer

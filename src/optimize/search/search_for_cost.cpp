#include "optimize/search/search_for_cost.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/search/combinators.hpp"
#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {
namespace {

Problem with_cost(Problem problem, Cost cost) {
  problem.cost = std::move(cost);
  return problem;
}

class SearchForCost : public Search {
 public:
  SearchForCost(const Problem& problem, Cost cost, MakeSearch make)
      : other_(with_cost(problem, std::move(cost))), search_(make(other_)) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem&) const override {
    return search_->obstacle(other_);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Problem& own = state.problem();
    if (own.on_version) {
      other_.on_version = [&](const Version& version, const SearchCost&) {
        Version evaluated = version;
        const SearchCost cost = state.evaluate(evaluated, own.cost);
        own.on_version(evaluated, cost);
      };
    }
    Outcome outcome = Outcome::no_result;
    state.run_for(other_, [&] { outcome = search_->run(state, budget); });
    return outcome;
  }

  Problem other_;
  SearchPointer search_;
};

/// Applies to costs with a critical path.
class SearchForSums : public SearchDecorator {
 public:
  using SearchDecorator::SearchDecorator;
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.cost.additive()) return "the cost has no critical path";
    return SearchDecorator::obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return run_inner(state, budget);
  }
};

}  // namespace

Cost sums_of(const Cost& cost) {
  std::vector<Objective> sums;
  for (const Objective& objective : cost.objectives()) {
    if (objective.additive()) sums.push_back(objective);
  }
  if (sums.empty()) sums.emplace_back(CostKind::total);
  return Cost(std::move(sums));
}

SearchPointer make_search_for_cost(const Problem& problem, Cost cost, MakeSearch make) {
  return std::make_shared<SearchForCost>(problem, std::move(cost), make);
}

SearchPointer make_search_for_sums(const Problem& problem, MakeSearch make) {
  return std::make_shared<SearchForSums>(
      make_search_for_cost(problem, sums_of(problem.cost), make));
}

SearchPointer make_for_leading_sums(const Problem& problem, MakeSearch make) {
  const bool has_ties_by_path =
      !problem.cost.additive() && problem.cost.objectives().front().additive();
  return has_ties_by_path ? make_search_for_sums(problem, make) : make(problem);
}

}  // namespace quartz::optimizer

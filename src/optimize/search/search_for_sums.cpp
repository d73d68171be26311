#include "optimize/search/search_for_sums.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {
namespace {

Problem with_sums(Problem problem) {
  problem.cost = sums_of(problem.cost);
  return problem;
}

class SearchForSums : public Search {
 public:
  SearchForSums(const Problem& problem, MakeSearchForSums make)
      : sums_(with_sums(problem)), search_(make(sums_)) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.cost.additive()) return "the cost has no critical path";
    return search_->obstacle(sums_);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Problem& own = state.problem();
    if (own.on_version) {
      sums_.on_version = [&](const Version& version, const SearchCost&) {
        Version evaluated = version;
        const SearchCost cost = state.evaluate(evaluated, own.cost);
        own.on_version(evaluated, cost);
      };
    }
    if (own.on_the_way) {
      sums_.on_the_way = [&](const Version& version, const SearchCost* cost) {
        Version evaluated = version;
        const SearchCost own_cost = state.evaluate(evaluated, own.cost);
        own.on_the_way(evaluated, cost == nullptr ? nullptr : &own_cost);
      };
    }
    Outcome outcome = Outcome::no_result;
    state.run_for(sums_, [&] { outcome = search_->run(state, budget); });
    return outcome;
  }

  Problem sums_;
  SearchPointer search_;
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

SearchPointer make_search_for_sums(const Problem& problem, MakeSearchForSums make) {
  return std::make_shared<SearchForSums>(problem, make);
}

SearchPointer make_for_leading_sums(const Problem& problem, MakeSearchForSums make) {
  const bool has_ties_by_path =
      !problem.cost.additive() && problem.cost.objectives().front().additive();
  return has_ties_by_path ? make_search_for_sums(problem, make) : make(problem);
}

}  // namespace quartz::optimizer

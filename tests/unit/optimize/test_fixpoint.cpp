#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "gate_set_circuits.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/searches/anneal.hpp"
#include "optimize/searches/cancellation.hpp"
#include "optimize/state/search_state.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

constexpr std::uint64_t kSteps = 30'000;

/// What annealing finds in a number of steps, after adjacent inverses are removed.
class Fixpoint {
 public:
  Fixpoint() {
    ClassTableOptions table;
    table.cost = 4;
    const auto built = build_class_table(set_, table);
    options_.find_class_table = [built](const GateSet&, const ClassTableOptions&) { return built; };
  }

  [[nodiscard]] const GateSet& set() const { return set_; }
  [[nodiscard]] Circuit optimized(const Circuit& circuit, const Cost& cost, std::uint64_t seed) {
    ClassTables tables(options_);
    const Problem problem{.circuit = circuit,
                          .set = set_,
                          .rules = rules_,
                          .cost = cost,
                          .seed = seed,
                          .budget = Budget::of_ticks(kSteps),
                          .amount = {0, kSteps},
                          .tables = tables};
    SearchState state(problem);
    Sequence search(
        {{make_adjacent_cancellation()}, {std::make_shared<Anneal>(AnnealingEnd::with_budget)}});
    (void)search.run(state, problem.budget);
    return state.best_circuit().circuit;
  }

 private:
  GateSet set_ = load_gate_set("nam");
  RuleSet rules_;
  OptimizeOptions options_;
};

std::vector<Cost> costs() {
  return {CostKind::total, Cost({CostKind::two_qubit, CostKind::total}),
          Cost({CostKind::depth, CostKind::total}),
          Cost({CostKind::two_qubit, CostKind::depth, CostKind::total})};
}

}  // namespace

TEST_CASE("optimizing a result again never makes it worse", "[fixpoint]") {
  Fixpoint fixpoint;
  Random random(91);
  for (const Cost& cost : costs()) {
    for (std::uint64_t round = 0; round < 5; ++round) {
      INFO("cost " << cost.name() << ", seed 91, round " << round);
      const Circuit circuit = random_circuit_in(fixpoint.set(), random, 4, 40);
      const Circuit once = fixpoint.optimized(circuit, cost, 1);
      const Circuit twice = fixpoint.optimized(once, cost, 2);
      const Circuit longer = with_inverse_pair(once, random, {h, x, rz, cx});
      CHECK(cost_of(once, cost) <= cost_of(circuit, cost));
      CHECK(cost_of(twice, cost) <= cost_of(once, cost));
      CHECK(cost_of(fixpoint.optimized(longer, cost, 2), cost) <= cost_of(once, cost));
    }
  }
}

TEST_CASE("an inserted pair of inverse gates does not make results worse", "[fixpoint]") {
  Fixpoint fixpoint;
  Random random(92);
  for (const Cost& cost : costs()) {
    std::uint64_t with_pair = 0;
    std::uint64_t without = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Circuit circuit = random_circuit_in(fixpoint.set(), random, 5, 60);
      const Circuit longer = with_inverse_pair(circuit, random, {h, x, rz, cx});
      without += cost_of(fixpoint.optimized(circuit, cost, seed), cost).units[0];
      with_pair += cost_of(fixpoint.optimized(longer, cost, seed), cost).units[0];
    }
    INFO("cost " << cost.name() << ", seed 92: " << with_pair << " with pairs, " << without
                 << " without");
    CHECK(100 * with_pair <= 102 * without);
  }
}

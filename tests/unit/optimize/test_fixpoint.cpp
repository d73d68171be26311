#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "gate_set_circuits.hpp"
#include "quartz/optimize/optimize.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;
using enum GateKind;

namespace {

OptimizeOptions with_steps(const Cost& cost, std::uint64_t seed) {
  OptimizeOptions options;
  options.cost = cost;
  options.steps = 30'000;
  options.threads = 1;
  options.seed = seed;
  return options;
}

const std::vector<Cost> kCosts{
    CostKind::total, Cost({CostKind::two_qubit, CostKind::total}),
    Cost({CostKind::depth, CostKind::total}),
    Cost({CostKind::two_qubit, CostKind::two_qubit_depth, CostKind::total})};

}  // namespace

TEST_CASE("optimizing a result again never makes it worse", "[fixpoint]") {
  for (const char* const name : {"nam", "ibm_heron", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    Random random(91);
    for (const Cost& cost : kCosts) {
      INFO("gate set " << name << ", cost " << cost.name() << ", seed 91");
      const Circuit circuit = random_circuit_in(set, random, 4, 40);
      const Circuit once = optimize(circuit, set, {}, with_steps(cost, 1)).circuit;
      const Circuit twice = optimize(once, set, {}, with_steps(cost, 2)).circuit;
      CHECK(cost_of(once, cost) <= cost_of(circuit, cost));
      CHECK(cost_of(twice, cost) <= cost_of(once, cost));
    }
  }
}

TEST_CASE("an inserted pair of inverse gates does not make results worse", "[fixpoint]") {
  const GateSet set = load_gate_set("nam");
  Random random(92);
  for (const Cost& cost : kCosts) {
    std::uint64_t with_pair = 0;
    std::uint64_t without = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Circuit circuit = random_circuit_in(set, random, 5, 60);
      const Circuit longer = with_inverse_pair(circuit, random, {h, x, rz, cx});
      const auto first_objective_of = [&](const Circuit& input) {
        return cost_of(optimize(input, set, {}, with_steps(cost, seed)).circuit, cost).units[0];
      };
      without += first_objective_of(circuit);
      with_pair += first_objective_of(longer);
    }
    INFO("cost " << cost.name() << ", seed 92: " << with_pair << " with pairs, " << without
                 << " without");
    CHECK(100 * with_pair <= 101 * without);
  }
}

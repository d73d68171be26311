#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "optimize/cost/gate_cost.hpp"
#include "random_costs.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

struct Sums {
  CostValue objectives;
  double numbers = 0;
};

Sums sums_of(const Circuit& circuit, const Cost& cost, const GateCost& gate_cost) {
  Sums sums;
  for (const Operation& operation : circuit.operations) {
    sums.objectives += cost.gate_cost(operation);
    sums.numbers += gate_cost(operation);
  }
  return sums;
}

}  // namespace

TEST_CASE("sums of one number for each gate compare like the objectives", "[gate_cost]") {
  const std::vector<std::vector<Objective>> lists = {
      {CostKind::total},
      {CostKind::two_qubit},
      {CostKind::t, CostKind::two_qubit},
      {CostKind::two_qubit, CostKind::t, CostKind::total},
      {GateWeights("w", {{GateKind::rz, {}, 0.25}, {GateKind::h, {}, 0.5}}, 2), CostKind::t},
      {CostKind::t, GateWeights("w", {{GateKind::cx, {}, 7}}, 0)}};
  const GateSet set = load_gate_set("nam");
  Random random(81);
  for (const std::vector<Objective>& objectives : lists) {
    const Cost cost(objectives);
    const GateCost gate_cost = gate_cost_of(cost, set);
    for (int round = 0; round < 200; ++round) {
      const Sums a = sums_of(random_circuit_in(set, random, 3, below(random, 20)), cost, gate_cost);
      const Sums b = sums_of(random_circuit_in(set, random, 3, below(random, 20)), cost, gate_cost);
      INFO("cost " << cost.name() << ", seed 81, round " << round);
      if (a.objectives < b.objectives) CHECK(a.numbers < b.numbers);
    }
  }
}

TEST_CASE(
    "the number of gates breaks ties, and objectives that are not sums over gates are ignored",
    "[gate_cost]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const auto of = [&](std::vector<Objective> objectives) {
    return gate_cost_of(Cost(std::move(objectives)), set);
  };
  const Operation one = make_operation(h, {0});
  const Operation two = make_operation(cx, {0, 1});
  CHECK(of({CostKind::two_qubit})(one) == 1);
  CHECK(of({CostKind::two_qubit})(two) > 1000);
  CHECK(of({CostKind::depth})(two) == 1);
  // Weights on certain qubits do not apply to a block whose qubits are unknown.
  CHECK(of({GateWeights("w", {{cx, {1, 0}, 3}}, 1)})(two) == 1);
  CHECK(of({GateWeights("w", {}, 0)})(two) == 1);
}

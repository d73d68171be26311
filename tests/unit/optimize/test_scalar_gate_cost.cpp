#include "optimize/cost/scalar_gate_cost.hpp"

#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "random_costs.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

std::uint64_t value_of(const ScalarGateCost& value, const Circuit& circuit) {
  std::uint64_t sum = 0;
  for (const Operation& operation : circuit.operations) sum += value(operation);
  return sum;
}

}  // namespace

TEST_CASE("values of circuits compare like their lexicographic costs", "[gate values]") {
  const GateSet nam = load_gate_set("nam");
  Random random(41);
  for (int round = 0; round < 200; ++round) {
    const Cost cost = random_cost(nam, random, 4);
    if (!cost.additive() || cost.depends_on_qubits()) continue;
    const ScalarGateCost value = scalar_gate_cost(cost, nam, 40);
    const Circuit a = random_circuit_in(nam, random, 4, 5 + below(random, 35));
    const Circuit b = random_circuit_in(nam, random, 4, 5 + below(random, 35));
    INFO("seed 41, round " << round << ", cost " << cost.name());
    const auto expected = cost_of(a, cost) <=> cost_of(b, cost);
    CHECK((value_of(value, a) <=> value_of(value, b)) == expected);
  }
}

TEST_CASE("objectives too large for one number are omitted, the last first", "[gate values]") {
  const GateSet nam = load_gate_set("nam");
  const GateWeights heavy("heavy", {}, 1e9);
  const GateWeights heavier("heavier", {{GateKind::cx, {}, 5e8}}, 1e9);
  const ScalarGateCost value = scalar_gate_cost(Cost({heavy, heavier, CostKind::t}), nam, 1000);
  const Operation cx = make_operation(GateKind::cx, {0, 1});
  const Operation h = make_operation(GateKind::h, {0});
  CHECK(value(cx) == value(h));
  CHECK_FALSE(scalar_gate_cost(Cost(CostKind::depth), nam, 1000));
}

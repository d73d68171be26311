#include "optimize/cost/scalar_gate_cost.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

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

struct Sums {
  CostValue objectives;
  std::uint64_t numbers = 0;
};

Sums sums_of(const Circuit& circuit, const Cost& cost, const ScalarGateCost& gate_cost) {
  Sums sums;
  for (const Operation& operation : circuit.operations) {
    sums.objectives += cost.gate_cost(operation);
    sums.numbers += gate_cost(operation);
  }
  return sums;
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

TEST_CASE("the first objective is rounded if its sums could exceed one number", "[gate values]") {
  const GateSet nam = load_gate_set("nam");
  const Operation cx = make_operation(GateKind::cx, {0, 1});
  const Operation h = make_operation(GateKind::h, {0});
  const Operation x = make_operation(GateKind::x, {0});
  const std::vector<GateWeight> weights{
      {GateKind::h, {}, 1e-4}, {GateKind::x, {}, 2.5}, {GateKind::cx, {}, 1e9}};
  constexpr std::uint64_t kGates = 1'000'000;
  for (const Combination combination : {Combination::sum, Combination::critical_path}) {
    const Cost cost({GateWeights("w", weights, 1, combination), CostKind::two_qubit});
    const ScalarCost scalar = scalar_cost(cost, nam, kGates);
    const ScalarGateCost& value = scalar.length ? scalar.length : scalar.gate;
    // The greatest sum of a circuit that has become eight times as long
    CHECK(value(cx) < (std::uint64_t{1} << 62U) / (8 * kGates + 64));
    CHECK(value(h) == 1);
    CHECK(static_cast<double>(value(cx)) == Approx(4e8 * static_cast<double>(value(x))));
  }
}

TEST_CASE("sums of one number for each gate compare like the objectives", "[gate values]") {
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
    const ScalarGateCost gate_cost = scalar_gate_cost_in_blocks(cost, set);
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
    "[gate values]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const auto of = [&](std::vector<Objective> objectives) {
    return scalar_gate_cost_in_blocks(Cost(std::move(objectives)), set);
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

TEST_CASE("values of circuits with a critical path compare like their costs", "[gate values]") {
  const GateSet nam = load_gate_set("nam");
  const Objective duration =
      GateWeights("duration", {{GateKind::cx, {}, 70}}, 30, Combination::critical_path);
  const std::vector<std::vector<Objective>> costs{{CostKind::depth},
                                                  {CostKind::depth, CostKind::two_qubit},
                                                  {CostKind::two_qubit, CostKind::depth},
                                                  {CostKind::t, duration, CostKind::two_qubit}};
  Random random(42);
  for (int round = 0; round < 200; ++round) {
    const Cost cost(costs[round % costs.size()]);
    INFO("seed 42, round " << round << ", cost " << cost.name());
    const ScalarCost scalar = scalar_cost(cost, nam, 40);
    const auto value = [&](const Circuit& circuit) {
      for (const Objective& objective : cost.objectives()) {
        if (objective.additive()) continue;
        return value_of(scalar.gate, circuit) + scalar.per_length * objective.units_of(circuit);
      }
      return std::uint64_t{0};
    };
    const Circuit a = random_circuit_in(nam, random, 4, 5 + below(random, 35));
    const Circuit b = random_circuit_in(nam, random, 4, 5 + below(random, 35));
    const auto key = [&](const Circuit& circuit) {
      return std::pair(cost_of(circuit, cost), count_gates(circuit).total);
    };
    CHECK((value(a) <=> value(b)) == (key(a) <=> key(b)));
    CHECK(scalar.is_path_first == !cost.objectives().front().additive());
  }
  CHECK_FALSE(scalar_cost(CostKind::total, nam, 40).length);
}

#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "multiples_of_pi.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using quartz::test::kinds_up_to;
using quartz::test::pi;
using quartz::test::Random;
using quartz::test::random_circuit;

namespace {

Operation boundary(OperationKind kind, std::initializer_list<Qubit> qubits,
                   std::vector<ClassicalBit> bits = {}) {
  Operation operation;
  operation.kind = kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  ClassicalPart part;
  part.bits = std::move(bits);
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

Operation conditional(Operation operation, std::uint32_t bit_register, std::uint64_t value) {
  ClassicalPart part;
  part.conditions = {Condition{bit_register, value}};
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

}  // namespace

TEST_CASE("Gates are counted by kind") {
  const GateCounts counts = count_gates(
      make_circuit(3, {make_operation(GateKind::h, {0}), make_operation(GateKind::t, {0}),
                       make_operation(GateKind::tdg, {1}), make_operation(GateKind::cx, {0, 1}),
                       make_operation(GateKind::ccx, {0, 1, 2}), make_operation(GateKind::s, {2}),
                       make_operation(GateKind::rz, {2}, {pi(1, 4)}),
                       make_operation(GateKind::rz, {2}, {pi(-3, 2)}),
                       make_operation(GateKind::rz, {2}, {Angle::symbol("a")})}));
  CHECK(counts.total == 9);
  CHECK(counts.two_qubit == 2);
  CHECK(counts.t == 4);
  CHECK(counts.depth == 8);
}

TEST_CASE("All counts of an empty circuit are zero") {
  const GateCounts counts = count_gates(Circuit());
  CHECK(counts.total == 0);
  CHECK(counts.depth == 0);
}

TEST_CASE("Rotations by multiples of pi/2 do not count as T gates") {
  const auto rz = [](const Angle& angle) { return make_operation(GateKind::rz, {0}, {angle}); };
  CHECK(counts_as_t(rz(pi(1, 4))));
  CHECK(counts_as_t(rz(pi(1, 3))));
  CHECK(counts_as_t(rz(Angle::radians(Rational(1)))));
  CHECK(counts_as_t(rz(Angle::symbol("a"))));
  CHECK_FALSE(counts_as_t(rz(pi(1, 2))));
  CHECK_FALSE(counts_as_t(rz(pi(-7))));
  CHECK_FALSE(counts_as_t(rz(Angle())));
  CHECK(counts_as_t(make_operation(GateKind::u3, {0}, {pi(1, 2), pi(1, 4), pi(1)})));
  CHECK_FALSE(counts_as_t(make_operation(GateKind::u2, {0}, {Angle(), pi(1)})));
  CHECK_FALSE(counts_as_t(make_operation(GateKind::cx, {0, 1})));
  CHECK_FALSE(counts_as_t(boundary(OperationKind::measure, {0}, {0})));
}

TEST_CASE("Optimization boundaries are not counted but order the gates") {
  Circuit circuit =
      make_circuit(2, {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0}),
                       boundary(OperationKind::barrier, {0, 1}), make_operation(GateKind::x, {1}),
                       boundary(OperationKind::reset, {1})});
  const GateCounts counts = count_gates(circuit);
  CHECK(counts.total == 3);
  CHECK(counts.depth == 3);
  // Without the barrier, x is at the same depth as the two h.
  circuit.operations.erase(circuit.operations.begin() + 2);
  CHECK(count_gates(circuit).depth == 2);
}

TEST_CASE("A conditional gate is counted, and comes after the bits it reads") {
  Circuit circuit =
      make_circuit(2, {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0}),
                       boundary(OperationKind::measure, {0}, {1}),
                       conditional(make_operation(GateKind::t, {1}), 0, 2)});
  circuit.bit_registers.push_back({"c", 0, 2});
  circuit.bit_registers.push_back({"d", 2, 1});
  CHECK(count_gates(circuit).total == 3);
  CHECK(count_gates(circuit).t == 1);
  CHECK(count_gates(circuit).depth == 3);
  // A register without measurements is available from the start.
  circuit.operations.back() = conditional(make_operation(GateKind::t, {1}), 1, 0);
  CHECK(count_gates(circuit).depth == 2);
}

TEST_CASE("Costs are found by name") {
  const Circuit circuit =
      make_circuit(2, {make_operation(GateKind::t, {0}), make_operation(GateKind::cx, {0, 1}),
                       make_operation(GateKind::h, {1}), make_operation(GateKind::h, {0})});
  const std::map<std::string_view, std::uint64_t> expected{
      {"total", 4}, {"two-qubit", 1},       {"t", 1},
      {"depth", 3}, {"two-qubit-depth", 1}, {"t-depth", 1}};
  CHECK(cost_names().size() == expected.size());
  for (const auto& [name, value] : expected) {
    INFO(name);
    REQUIRE(find_cost(name) != nullptr);
    const Cost cost = find_cost(name)->kind;
    CHECK(cost.name() == name);
    CHECK(cost_of(circuit, cost).units[0] == value);
    CHECK(cost.objectives()[0].value(value) == static_cast<double>(value));
    CHECK(cost.additive() == !name.ends_with("depth"));
    CHECK_FALSE(cost.depends_on_qubits());
  }
  CHECK(find_cost("speed") == nullptr);
  CHECK(find_cost("") == nullptr);
}

TEST_CASE("An additive cost is the sum over its gates") {
  Random random(61);
  const GateWeights weights("w", {{GateKind::cx, {}, 2.5}, {GateKind::cz, {1, 0}, 7}}, 0.1);
  const Cost cost({CostKind::t, weights, CostKind::two_qubit, CostKind::total});
  for (int round = 0; round < 30; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 4, 30);
    CostValue sum;
    for (const Operation& operation : circuit.operations) sum += cost.gate_cost(operation);
    INFO("seed 61, round " << round);
    CHECK(sum == cost_of(circuit, cost));
    for (const Operation& operation : circuit.operations) sum -= cost.gate_cost(operation);
    CHECK(sum == CostValue());
  }
}

TEST_CASE("Values compare by the first objective that differs") {
  using enum GateKind;
  const Circuit a = make_circuit(2, {make_operation(t, {0}), make_operation(h, {0})});
  const Circuit b = make_circuit(2, {make_operation(t, {0}), make_operation(cx, {0, 1})});
  const Circuit c = make_circuit(
      2, {make_operation(cx, {0, 1}), make_operation(cx, {0, 1}), make_operation(cx, {1, 0})});
  const Cost t_first({CostKind::t, CostKind::two_qubit});
  CHECK(t_first.name() == "t,two-qubit");
  CHECK(cost_of(a, t_first) < cost_of(b, t_first));
  CHECK(cost_of(c, t_first) < cost_of(a, t_first));
  const Cost two_qubit_first({CostKind::two_qubit, CostKind::t});
  CHECK(cost_of(a, two_qubit_first) < cost_of(b, two_qubit_first));
  CHECK(cost_of(b, two_qubit_first) < cost_of(c, two_qubit_first));
  CHECK(cost_of(a, CostKind::total) == cost_of(b, CostKind::total));
  CHECK(two_qubit_first.describe(cost_of(c, two_qubit_first)) == "two-qubit 3, t 0");
}

TEST_CASE("An invalid list of objectives is refused") {
  CHECK_THROWS_MATCHES(Cost({CostKind::t, CostKind::total, CostKind::t}), UsageError,
                       Catch::Message("the cost 't' is given twice"));
  CHECK_THROWS_MATCHES(Cost(std::vector<Objective>()), UsageError,
                       Catch::Message("a cost has 1 to 4 objectives, found 0"));
  CHECK_THROWS_AS(Cost({CostKind::t, CostKind::total, CostKind::depth, CostKind::two_qubit,
                        GateWeights("w", {}, 1)}),
                  UsageError);
  CHECK_THROWS_AS(Cost({GateWeights("w", {}, 1), GateWeights("w", {}, 2)}), UsageError);
}

TEST_CASE("A critical path adds up weights along the heaviest chain of operations") {
  using enum GateKind;
  const GateWeights durations("ns",
                              {{h, {}, 30},
                               {cx, {}, 300},
                               {cx, {1, 2}, 500.5},
                               {GateKind{}, {}, 1000, OperationKind::measure},
                               {GateKind{}, {0}, 2000, OperationKind::measure},
                               {GateKind{}, {}, 700, OperationKind::reset}},
                              0, Combination::critical_path);
  const Objective objective = durations;
  CHECK_FALSE(objective.additive());
  CHECK(objective.depends_on_qubits());
  Circuit circuit = make_circuit(4, {make_operation(h, {0}), make_operation(cx, {0, 1}),
                                     make_operation(cx, {1, 2}), make_operation(h, {3})});
  circuit.bit_registers.push_back({"c", 0, 1});
  const auto value = [&] { return objective.value(objective.units_of(circuit)); };
  CHECK(value() == 830.5);
  circuit.operations.push_back(make_operation(rz, {2}, {Angle::symbol("a")}));
  CHECK(value() == 830.5);
  // A barrier orders what is on its qubits.
  circuit.operations.push_back(boundary(OperationKind::barrier, {2, 3}));
  circuit.operations.push_back(make_operation(h, {3}));
  CHECK(value() == 860.5);
  // A measurement takes time, also before a gate that its outcome decides about.
  circuit.operations.push_back(boundary(OperationKind::measure, {0}, {0}));
  CHECK(value() == 2330);
  circuit.operations.push_back(conditional(make_operation(h, {3}), 0, 1));
  CHECK(value() == 2360);
  circuit.operations.push_back(boundary(OperationKind::measure, {3}, {0}));
  circuit.operations.push_back(boundary(OperationKind::reset, {3}));
  CHECK(value() == 4060);
}

TEST_CASE("The depth is the critical path of gates with the weight 1") {
  Random random(62);
  const Objective depth = CostKind::depth;
  const Objective ones = GateWeights("ones", {}, 1, Combination::critical_path);
  CHECK_FALSE(depth.additive());
  for (int round = 0; round < 30; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 4, 30);
    INFO("seed 62, round " << round);
    CHECK(depth.units_of(circuit) == ones.units_of(circuit));
    CHECK(depth.units_of(circuit) == count_gates(circuit).depth);
  }
}

TEST_CASE("A weighted sum counts conditional gates but no optimization boundaries") {
  Circuit circuit =
      make_circuit(2, {make_operation(GateKind::h, {0}), boundary(OperationKind::measure, {0}, {0}),
                       boundary(OperationKind::barrier, {0, 1}),
                       conditional(make_operation(GateKind::cx, {0, 1}), 0, 1)});
  circuit.bit_registers.push_back({"c", 0, 1});
  const Cost cost({GateWeights("w", {{GateKind::h, {}, 1}, {GateKind::cx, {}, 10}})});
  CHECK(cost_of(circuit, cost).units[0] == 11);
  CHECK(cost.describe(cost_of(circuit, cost)) == "w 11");
  circuit.operations.push_back(make_operation(GateKind::swap, {0, 1}));
  CHECK_FALSE(cost.objectives()[0].covers(circuit));
  CHECK_THROWS_MATCHES(cost_of(circuit, cost), UsageError,
                       Catch::Message("the cost 'w' has no weight for the gate swap"));
}

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "optimize/backtracking/backtracking.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "random_costs.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

const RuleSet& nam_rules() {
  static const RuleSet rules = [] {
    GenerateOptions options;
    options.gates = 3;
    options.qubits = 2;
    return generate(load_gate_set("nam"), options).rules;
  }();
  return rules;
}

Circuit search(const Circuit& circuit, const Cost& cost, const BacktrackingLimits& limits,
               BacktrackingResult* result = nullptr) {
  const RuleIndex index(nam_rules());
  BacktrackingSearch search(index, cost);
  BacktrackingResult found = search.run(circuit.operations, limits);
  Circuit after = make_circuit(circuit.qubit_count(), unpack(found.circuit.gates, search.labels()));
  after.global_phase = search.labels().phase(found.circuit.phase);
  if (result != nullptr) *result = std::move(found);
  return after;
}

void check_search(const Circuit& circuit, const Cost& cost, int round, Random& random) {
  BacktrackingLimits limits;
  limits.pops = 60;
  limits.seed = static_cast<std::uint64_t>(round);
  limits.slack = below(random, 3);
  BacktrackingResult result;
  const Circuit after = search(circuit, cost, limits, &result);
  INFO("round " << round << ", cost " << cost.name() << ": "
                << cost.describe(cost_of(circuit, cost)) << " -> "
                << cost.describe(result.cost.objectives));
  CHECK(unitary_distance(circuit, after) < 1e-8);
  CHECK(result.cost.objectives == cost_of(after, cost));
  CHECK(result.cost.total == after.operations.size());
  CHECK(cost_of(after, cost) <= cost_of(circuit, cost));
}

}  // namespace

TEST_CASE("rules are applied until no gate is left", "[backtracking]") {
  using enum GateKind;
  // h q1; cx; h q1 with exchanged qubits is a cx of the other direction: four h and two cx cancel.
  const Circuit circuit =
      make_circuit(2, {make_operation(h, {0}), make_operation(h, {1}), make_operation(cx, {0, 1}),
                       make_operation(h, {0}), make_operation(h, {1}), make_operation(cx, {1, 0})});
  BacktrackingLimits limits;
  limits.slack = 1;
  BacktrackingResult result;
  const Circuit after = search(circuit, CostKind::total, limits, &result);
  CHECK(after.operations.empty());
  CHECK(result.exhausted);
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("a search preserves the unitary with its phase, and its cost equals a recount",
          "[backtracking]") {
  const GateSet nam = load_gate_set("nam");
  std::vector<GateKind> kinds;
  for (const GateSetEntry& entry : nam.entries) kinds.push_back(entry.gate);
  Random random(31);
  for (int round = 0; round < 40; ++round) {
    const Circuit circuit = random_circuit(random, kinds, 3, 5 + below(random, 20));
    INFO("seed 31");
    for (const CostName& cost : cost_names()) check_search(circuit, cost.kind, round, random);
  }
}

TEST_CASE("for all objectives, the cost equals a recount and is never above the input's",
          "[backtracking]") {
  const GateSet nam = load_gate_set("nam");
  std::vector<GateKind> kinds;
  for (const GateSetEntry& entry : nam.entries) kinds.push_back(entry.gate);
  Random random(34);
  for (int round = 0; round < 80; ++round) {
    const Circuit circuit = random_circuit(random, kinds, 4, 5 + below(random, 20));
    const Cost cost = random_cost(nam, random, 4);
    INFO("seed 34");
    check_search(circuit, cost, round, random);
  }
}

TEST_CASE("weights on qubits refer to the whole circuit", "[backtracking]") {
  using enum GateKind;
  // Qubits 0 and 1 of the slice are 7 and 3 of the whole circuit, where a cx from 7 to 3 is
  // expensive, so that four h and a cx in the other direction are cheaper.
  const Cost cost({GateWeights("w", {{cx, {7, 3}, 100}, {cx, {}, 10}}, 1), CostKind::total});
  const Circuit circuit = make_circuit(2, {make_operation(cx, {0, 1})});
  const std::vector<Qubit> qubits{7, 3};
  BacktrackingLimits limits;
  limits.slack = 1;
  limits.qubits = qubits;
  BacktrackingResult result;
  // The rule set has only circuits of three gates: h q1; cx(0,1); h q1 = h q0; cx(1,0); h q0.
  const Circuit wrapped =
      make_circuit(2, {make_operation(h, {1}), make_operation(cx, {0, 1}), make_operation(h, {1})});
  const Circuit after = search(wrapped, cost, limits, &result);
  CHECK(unitary_distance(wrapped, after) < 1e-9);
  CHECK(result.cost.objectives.units[0] == 12);
  limits.qubits = {};
  CHECK(search(circuit, cost, limits, &result).operations == circuit.operations);
  CHECK(result.cost.objectives.units[0] == 10);
}

TEST_CASE("the second objective breaks ties of the first one", "[backtracking]") {
  using enum GateKind;
  // No T gate can be removed, but two cx can.
  const Circuit circuit =
      make_circuit(2, {make_operation(cx, {0, 1}), make_operation(cx, {0, 1}),
                       make_operation(rz, {1}, {Angle::pi_times(Rational(1, 4))})});
  const Circuit after = search(circuit, Cost({CostKind::t, CostKind::two_qubit}), {});
  CHECK(count_gates(after).t == 1);
  CHECK(count_gates(after).two_qubit == 0);
}

TEST_CASE("a search with the same seed takes the same course", "[backtracking]") {
  Random random(32);
  const Circuit circuit =
      random_circuit(random, {GateKind::h, GateKind::x, GateKind::rz, GateKind::cx}, 3, 30);
  BacktrackingLimits limits;
  limits.pops = 100;
  limits.seed = 9;
  limits.slack = 1;
  BacktrackingResult first;
  BacktrackingResult second;
  const Circuit a = search(circuit, CostKind::total, limits, &first);
  const Circuit b = search(circuit, CostKind::total, limits, &second);
  CHECK(a == b);
  CHECK(first.popped == second.popped);
}

TEST_CASE("a full queue drops circuits, and the search is not reported as exhausted",
          "[backtracking]") {
  Random random(33);
  const Circuit circuit =
      random_circuit(random, {GateKind::h, GateKind::x, GateKind::rz, GateKind::cx}, 3, 30);
  BacktrackingLimits limits;
  limits.pops = 1000000;
  limits.slack = 1;
  limits.queue_bytes = 1024;
  BacktrackingResult result;
  const Circuit after = search(circuit, CostKind::total, limits, &result);
  CHECK_FALSE(result.exhausted);
  CHECK(unitary_distance(circuit, after) < 1e-8);
}

TEST_CASE("the rules that lead to the result are recorded with the gates that each removed",
          "[backtracking]") {
  const RuleIndex index(nam_rules());
  Random random(34);
  for (int round = 0; round < 5; ++round) {
    const Circuit circuit =
        random_circuit(random, {GateKind::h, GateKind::x, GateKind::rz, GateKind::cx}, 3, 30);
    const Cost cost(round % 2 == 0 ? CostKind::total : CostKind::two_qubit);
    BacktrackingLimits limits;
    limits.pops = 100;
    limits.slack = 1;
    limits.record_uses = true;
    BacktrackingSearch search(index, cost);
    const BacktrackingResult result = search.run(circuit.operations, limits);
    INFO("seed 34, round " << round);
    const auto after = static_cast<std::int64_t>(result.circuit.gates.size());
    LabelTable labels;
    const auto gates = static_cast<std::int64_t>(pack(circuit.operations, labels).gates.size());
    const auto before = static_cast<std::int64_t>(
        round % 2 == 0 ? gates : static_cast<std::int64_t>(count_gates(circuit).two_qubit));
    std::int64_t removed = 0;
    std::int64_t saved = 0;
    for (const RuleUse& use : result.uses) {
      removed += use.gates_removed;
      saved += use.saved;
      const RuleIndex::Origin& rule = index.origin(use.replacement);
      const std::vector<ClassMember>& members =
          nam_rules().classes.at(rule.equivalence_class).members;
      const auto left = static_cast<std::int64_t>(members.at(rule.left).gates.size());
      const auto right = static_cast<std::int64_t>(members.at(rule.right).gates.size());
      // A use removes more gates if an angle of the right-hand side is 0.
      CHECK(use.gates_removed >= left - right);
    }
    CHECK_FALSE(result.uses.empty());
    CHECK(removed == gates - after);
    CHECK(saved == before - static_cast<std::int64_t>(result.cost.objectives.units[0]));
    limits.record_uses = false;
    CHECK(search.run(circuit.operations, limits).uses.empty());
  }
}

TEST_CASE("rules whose angles need more than 64 bits are not applied", "[backtracking]") {
  using enum GateKind;
  const auto rz_by = [](std::int64_t denominator) {
    return make_operation(rz, {0}, {Angle::pi_times(Rational(1, denominator))});
  };
  // The sum of the last two angles needs more than 64 bits, and that of all three does.
  const std::vector<Operation> gates{rz_by(3), rz_by(5000000029), rz_by(998244353)};
  const RuleIndex index(nam_rules());
  BacktrackingSearch search(index, CostKind::total);
  // What the first run remembers of rules that it could not apply does not mislead the second one.
  for (int run = 0; run < 2; ++run) {
    const BacktrackingResult found = search.run(gates, {});
    CHECK(found.exhausted);
    CHECK(found.cost.total == 2);
    const std::vector<Operation> left = unpack(found.circuit.gates, search.labels());
    double sum = 0;
    for (const Operation& gate : left) {
      REQUIRE(gate.gate == rz);
      sum += gate.angles[0].value();
    }
    double expected = 0;
    for (const Operation& gate : gates) expected += gate.angles[0].value();
    CHECK(std::abs(sum - expected) < 1e-15);
  }
}

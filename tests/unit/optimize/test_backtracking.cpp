#include <catch2/catch.hpp>

#include "optimize/backtracking.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
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

Circuit search(const Circuit& circuit, CostKind cost, const BacktrackingLimits& limits,
               BacktrackingResult* result = nullptr) {
  const RuleIndex index(nam_rules());
  BacktrackingSearch search(index, cost);
  BacktrackingResult found = search.run(circuit.operations, limits);
  Circuit after = make_circuit(circuit.qubit_count(), unpack(found.best.gates, search.labels()));
  after.global_phase = search.labels().phase(found.best.phase);
  if (result != nullptr) *result = std::move(found);
  return after;
}

}  // namespace

TEST_CASE("rules are applied until nothing is left", "[backtracking]") {
  using enum GateKind;
  // h q1; cx; h q1 turned round is a cx of the other direction: four h and two cx cancel.
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

TEST_CASE("a search keeps the unitary with its phase, and its cost is a recount",
          "[backtracking]") {
  const GateSet nam = load_gate_set("nam");
  std::vector<GateKind> kinds;
  for (const GateSetEntry& entry : nam.entries) kinds.push_back(entry.gate);
  Random random(31);
  for (int round = 0; round < 40; ++round) {
    const Circuit circuit = random_circuit(random, kinds, 3, 5 + below(random, 20));
    for (const CostName& cost : cost_names()) {
      BacktrackingLimits limits;
      limits.pops = 60;
      limits.seed = static_cast<std::uint64_t>(round);
      limits.slack = below(random, 3);
      BacktrackingResult result;
      const Circuit after = search(circuit, cost.kind, limits, &result);
      INFO("seed 31, round " << round << ", cost " << cost.name);
      CHECK(unitary_distance(circuit, after) < 1e-8);
      CHECK(static_cast<double>(result.best_cost.primary) == cost_of(after, cost.kind));
      CHECK(cost_of(after, cost.kind) <= cost_of(circuit, cost.kind));
      CHECK(result.best_cost.total == after.operations.size());
    }
  }
}

TEST_CASE("one seed, one course", "[backtracking]") {
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
  CHECK(first.generated == second.generated);
}

TEST_CASE("a full queue drops circuits, and says that it is not exhausted", "[backtracking]") {
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

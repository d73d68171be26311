#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "gate_set_circuits.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "short_searches.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

/// Returns the gates under conditions.
std::vector<Operation> conditional_gates(const Circuit& circuit) {
  std::vector<Operation> gates;
  for (const Operation& each : circuit.operations) {
    if (each.kind == OperationKind::gate && !each.conditions().empty()) gates.push_back(each);
  }
  return gates;
}

/// Bodies of two and more gates that can be shortened in every gate set.
std::vector<std::vector<Operation>> reducible_bodies() {
  using enum GateKind;
  const auto on_1 = [](GateKind kind) { return make_operation(kind, {1}); };
  return {{on_1(x), on_1(x), on_1(z)},
          {on_1(x), on_1(x)},
          {on_1(h), on_1(h), on_1(z)},
          {on_1(x), on_1(z), on_1(x)},
          {make_operation(cx, {1, 2}), make_operation(cx, {1, 2}), on_1(z)},
          {on_1(x), on_1(x), on_1(z), on_1(s)}};
}

}  // namespace

TEST_CASE("optimization boundaries stay, in order, and no gate crosses them", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  using enum GateKind;
  const Circuit circuit =
      classical_circuit(2, {2},
                        {make_operation(h, {0}), measure(0, 0), barrier({0, 1}),
                         make_operation(h, {0}), conditional(make_operation(x, {1}), 0, 1),
                         make_operation(x, {1}), reset(0), make_operation(x, {1}),
                         opaque("magic", {0, 1}), make_operation(h, {0}), make_operation(h, {0})});
  const OptimizeResult result = optimize(circuit, set, rules, to_the_end(CostKind::total));
  std::vector<Operation> boundaries;
  std::vector<Operation> boundaries_before;
  for (const Operation& o : result.circuit.operations) {
    if (o.is_boundary()) boundaries.push_back(o);
  }
  for (const Operation& o : circuit.operations) {
    if (o.is_boundary()) boundaries_before.push_back(o);
  }
  CHECK(boundaries == boundaries_before);
  // h h after the last boundary and x x around the reset of the other qubit are removed; h m h
  // stays.
  CHECK(count_gates(result.circuit).total == 3);
  CHECK(check_equivalence(circuit, result.circuit).verdict != EquivalenceVerdict::not_equal);
}

TEST_CASE("gates under a condition are optimized", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  using enum GateKind;
  const auto under = [](Operation gate) { return conditional(gate, 0, 1); };
  const Angle quarter = Angle::pi_times(Rational(1, 4));
  const Circuit circuit = classical_circuit(
      2, {1, 1},
      {measure(0, 0), under(make_operation(h, {1})), under(make_operation(cx, {0, 1})),
       under(make_operation(cx, {0, 1})), under(make_operation(h, {1})),
       under(make_operation(rz, {0}, {quarter})), under(make_operation(x, {0})),
       under(make_operation(rz, {0}, {quarter})), under(make_operation(x, {0})), measure(1, 1),
       under(make_operation(h, {1})), conditional(make_operation(h, {1}), 1, 1)});
  const OptimizeResult result = optimize(circuit, set, rules, to_the_end(CostKind::total));
  // Only h under one condition, h under another one, and the measurements remain.
  CHECK(result.circuit.operations == std::vector{circuit.operations[0], circuit.operations[9],
                                                 circuit.operations[10], circuit.operations[11]});
  // A conditional phase is not part of the global phase.
  CHECK(result.circuit.global_phase.is_zero());
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("the gates under a condition are optimized as well as without it", "[optimize]") {
  using enum GateKind;
  // The last three sets are searched in the intermediate set, and share the pairs of costs and
  // bodies: every pair is tested in one of them.
  const std::vector<std::string> alone{"clifford_t", "nam"};
  const std::vector<std::string> sharing{"ibm_heron", "rigetti", "ionq_forte"};
  std::vector<std::string> names = alone;
  names.insert(names.end(), sharing.begin(), sharing.end());
  const std::vector<Cost> costs{Cost(CostKind::total), Cost({CostKind::t, CostKind::total}),
                                Cost({CostKind::depth, CostKind::total})};
  const std::vector<std::vector<Operation>> bodies = reducible_bodies();
  for (std::size_t number = 0; number < names.size(); ++number) {
    const std::string& name = names[number];
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    for (std::size_t of_cost = 0; of_cost < costs.size(); ++of_cost) {
      const Cost& cost = costs[of_cost];
      for (std::size_t of_body = 0; of_body < bodies.size(); ++of_body) {
        const std::vector<Operation>& body = bodies[of_body];
        if (number >= alone.size() && sharing[(of_cost + of_body) % sharing.size()] != name) {
          continue;
        }
        OptimizeOptions options = by_steps(cost, 8'000);
        options.search = "auto";
        options.threads = 1;
        const Circuit plain = translate(make_circuit(3, body), set);
        Circuit circuit =
            classical_circuit(3, {2}, {make_operation(GateKind::x, {0}), measure(0, 0)});
        for (const Operation& gate : body) circuit.operations.push_back(conditional(gate, 0, 1));
        circuit.operations.push_back(measure(1, 1));
        circuit = translate(circuit, set);
        const OptimizeResult result = optimize(circuit, set, rules, options);
        INFO(name << ", cost " << cost.name() << ", " << body.size() << " gates");
        CHECK(conditional_gates(result.circuit).size() <=
              optimize(plain, set, rules, options).circuit.operations.size());
        CHECK(conditional_gates(result.circuit).size() < plain.operations.size());
        // A conditional phase is not part of the global phase.
        const EquivalenceVerdict verdict = check_equivalence(circuit, result.circuit).verdict;
        CHECK((verdict == EquivalenceVerdict::equal ||
               verdict == EquivalenceVerdict::equal_up_to_phase));
      }
    }
  }
}

TEST_CASE("gates that come together under one condition are optimized", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  // The two gates under the condition are next to each other only once the h are gone.
  const auto under = [](Operation gate) { return conditional(gate, 0, 1); };
  const Circuit circuit =
      classical_circuit(2, {1},
                        {measure(0, 0), under(make_operation(x, {1})), make_operation(h, {1}),
                         make_operation(h, {1}), under(make_operation(x, {1}))});
  OptimizeOptions options = by_steps(CostKind::total, 20'000);
  options.search = "auto";
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(result.circuit.operations == std::vector{measure(0, 0)});
}

TEST_CASE("gates are rewritten across boundaries on other qubits", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Operation toffoli = make_operation(ccx, {0, 1, 2});
  const std::vector<Operation> boundaries{reset(2), measure(2, 0),
                                          conditional(make_operation(h, {2}), 0, 1), barrier({2})};
  for (const char* const search : {"auto", "anneal", "fold", "simplify"}) {
    for (const Operation& boundary : boundaries) {
      const Circuit circuit =
          translate(classical_circuit(3, {1}, {toffoli, boundary, toffoli}), set);
      OptimizeOptions options;
      options.search = search;
      options.steps = 20'000;
      options.cost = Cost(CostKind::t);
      const OptimizeResult result = optimize(circuit, set, RuleSet{}, options);
      INFO(search << ", kind " << static_cast<int>(boundary.kind));
      // Rotations about parities of the controls merge, those on the target stay.
      CHECK(count_gates(result.circuit).t <= 8);
      CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
    }
  }
}

TEST_CASE("the search of a small circuit with measurements is exhausted", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = classical_circuit(
      2, {2},
      {make_operation(h, {0}), make_operation(cx, {0, 1}), measure(0, 0), make_operation(h, {0}),
       reset(0), conditional(make_operation(x, {1}), 0, 1), make_operation(cx, {0, 1}),
       measure(0, 0), measure(1, 1)});
  OptimizeOptions options;
  options.search = "backtrack";
  options.threads = 1;
  for (const std::uint64_t steps : {50'000'000, 300'000}) {
    options.steps = steps;
    CHECK(optimize(circuit, set, rules_of(set), options).stop_reason == StopReason::exhausted);
  }
}

TEST_CASE("optimizing random circuits with measurements and conditions preserves them",
          "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  Random random(48);
  for (int round = 0; round < 10; ++round) {
    Circuit circuit = classical_circuit(3, {2, 1}, {});
    std::size_t boundaries = 0;
    while (circuit.operations.size() < 40) {
      const auto choice = below(random, 20);
      if (choice == 0 && boundaries < 4) {
        circuit.operations.push_back(measure(below(random, 3), below(random, 3)));
        ++boundaries;
      } else if (choice == 1 && boundaries < 4) {
        circuit.operations.push_back(reset(below(random, 3)));
        ++boundaries;
      } else {
        const Circuit gates = random_circuit_in(set, random, 3, 1 + below(random, 6));
        const std::uint32_t bits = below(random, 2);
        const std::uint64_t value = below(random, bits == 0 ? 4 : 2);
        const bool is_plain = below(random, 2) == 0;
        for (const Operation& gate : gates.operations) {
          circuit.operations.push_back(is_plain ? gate : conditional(gate, bits, value));
        }
      }
    }
    OptimizeOptions options = quick(CostKind::total);
    options.search = "backtrack";
    const OptimizeResult result = optimize(circuit, set, rules, options);
    INFO("seed 48, round " << round);
    CHECK(count_gates(result.circuit).total <= count_gates(circuit).total);
    const EquivalenceReport report = check_equivalence(circuit, result.circuit);
    CHECK((report.verdict == EquivalenceVerdict::equal ||
           report.verdict == EquivalenceVerdict::equal_up_to_phase));
  }
}

TEST_CASE("an empty circuit and one of optimization boundaries only are returned unchanged",
          "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  const Circuit empty = make_circuit(3, {});
  CHECK(optimize(empty, set, rules, quick(CostKind::total)).circuit == empty);
  const Circuit boundaries = classical_circuit(1, {1}, {measure(0, 0), reset(0), measure(0, 0)});
  CHECK(optimize(boundaries, set, rules, quick(CostKind::depth)).circuit == boundaries);
}

TEST_CASE("boundaries on many qubits take no memory for each qubit", "[optimize]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 20'000;
  std::vector<Operation> gates;
  for (Qubit q = 0; q < qubits; ++q) {
    if (q % 1000 == 0) {
      gates.push_back(make_operation(h, {q}));
      gates.push_back(make_operation(h, {q}));
    }
    gates.push_back(make_operation(h, {q}));
    gates.back().kind = OperationKind::reset;
  }
  const OptimizeResult result = optimize(make_circuit(qubits, gates), load_gate_set("nam"), {},
                                         by_steps(CostKind::total, 10'000));
  CHECK(result.circuit.operations.size() == qubits);
}

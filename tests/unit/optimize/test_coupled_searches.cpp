#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "gate_set_circuits.hpp"
#include "optimize/search/search_list.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "short_searches.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("gates stay on coupled pairs, for every set and search", "[optimize]") {
  // The map is a line and a branch.
  CouplingMap map;
  for (const auto& [a, b] : {std::pair(0U, 1U), {1U, 2U}, {2U, 3U}, {1U, 4U}}) map.add(a, b);
  Random random(50);
  std::size_t rewritten = 0;
  std::set<std::string> reasons;
  for (const char* name : {"nam", "clifford_t", "ibm_heron", "iqm", "ibm_heron_fractional"}) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    for (const SearchName& search : search_names()) {
      for (const CostKind cost : {CostKind::total, CostKind::two_qubit}) {
        Circuit circuit = random_circuit_in(set, random, 5, 120);
        std::erase_if(circuit.operations, [&](const Operation& operation) {
          return uncoupled_pair(operation, map).has_value();
        });
        OptimizeOptions options = quick(cost);
        options.search = search.name;
        options.coupling = map;
        const auto result = optimize_if_applicable(circuit, set, rules, options, reasons);
        if (!result) continue;
        INFO(name << ", search " << search.name << ", cost " << cost_name(cost).name
                  << ", seed 50");
        CHECK_FALSE(uncoupled_gate(result->circuit, map));
        CHECK(unitary_distance(circuit, result->circuit) < 1e-8);
        rewritten += result->circuit.operations != circuit.operations ? 1U : 0U;
      }
    }
  }
  CHECK(rewritten > 10);
}

TEST_CASE("without a coupling map, gates may move to other pairs", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  // These four gates equal one gate between the ends of a line.
  const Circuit circuit = make_circuit(3, {make_operation(cx, {0, 1}), make_operation(cx, {1, 2}),
                                           make_operation(cx, {0, 1}), make_operation(cx, {1, 2})});
  GenerateOptions generation;
  generation.gates = 4;
  generation.qubits = 3;
  const RuleSet rules = generate(set, generation).rules;
  for (const bool anneals : {false, true}) {
    OptimizeOptions options =
        anneals ? by_steps(CostKind::total, 5000) : to_the_end(CostKind::total);
    INFO("anneals: " << anneals);
    const OptimizeResult free = optimize(circuit, set, rules, options);
    CHECK(free.circuit.operations == std::vector{make_operation(cx, {0, 2})});
    options.coupling = coupling_of(circuit);
    const OptimizeResult kept = optimize(circuit, set, rules, options);
    CHECK(kept.circuit.operations.size() == 4);
    CHECK_FALSE(uncoupled_gate(kept.circuit, *options.coupling));
  }
}

TEST_CASE("coupled pairs are also respected in the intermediate gate set", "[optimize]") {
  Random random(51);
  CouplingMap line;
  for (Qubit qubit = 0; qubit < 4; ++qubit) line.add(qubit, qubit + 1);
  Circuit given = random_circuit_in(load_gate_set("nam"), random, 5, 120);
  std::erase_if(given.operations, [&](const Operation& operation) {
    return uncoupled_pair(operation, line).has_value();
  });
  const GateSet set = load_gate_set("iqm");
  const Circuit circuit = translate(given, set);
  OptimizeOptions options = by_steps(CostKind::two_qubit, 20000);
  options.search = "auto";
  options.seconds = 1;
  options.coupling = line;
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  INFO("seed 51");
  CHECK(has_pass(result, "intermediate"));
  CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
  CHECK_FALSE(uncoupled_gate(result.circuit, line));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
}

TEST_CASE("a circuit that violates the coupling map is rejected", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  OptimizeOptions options = quick(CostKind::total);
  options.coupling = CouplingMap();
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});
  CHECK_THROWS_MATCHES(
      optimize(circuit, set, RuleSet{}, options), UsageError,
      Catch::Message("the circuit has a gate between qubits 1 and 0, which are not coupled"));
}

TEST_CASE("gates follow the directions of a coupling map, for every set and search", "[optimize]") {
  for (const char* name : {"nam", "clifford_t", "ibm", "ibm_eagle", "ibm_heron", "ionq_aria"}) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    Random random(67);
    for (const std::string kind : {"anneal", "backtrack", "auto"}) {
      // The set has too many letters for a class table.
      if (kind == "anneal" && set.name == "ionq_aria") continue;
      // One pair has both directions, the others one.
      CouplingMap map(true);
      for (const auto& [a, b] : {std::pair(1U, 0U), std::pair(1U, 2U), std::pair(3U, 2U),
                                 std::pair(2U, 3U), std::pair(0U, 2U)}) {
        map.add(a, b);
      }
      Circuit given = random_circuit_in(set, random, 4, 80);
      std::erase_if(given.operations, [&](const Operation& operation) {
        return uncoupled_pair(operation, map.without_direction()).has_value();
      });
      const Circuit circuit = fix_gate_directions(given, set, map);
      INFO("gate set " << name << ", seed 67");
      CHECK(unitary_distance(given, circuit) < 1e-8);
      CHECK(count_gates(given).two_qubit == count_gates(circuit).two_qubit);
      REQUIRE_FALSE(uncoupled_gate(circuit, map));
      OptimizeOptions options = by_steps(CostKind::total, 20000);
      if (kind != "anneal") options.steps = 0;
      if (kind != "anneal") options.seconds = 0.3;
      options.search = kind;
      options.coupling = map;
      const OptimizeResult result = optimize(circuit, set, rules, options);
      CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
      CHECK_FALSE(uncoupled_gate(result.circuit, map));
      CHECK(count_gates(result.circuit).total < count_gates(circuit).total);
    }
  }
}

TEST_CASE("gates on two qubits are reversed by the gate table", "[optimize]") {
  CouplingMap map(true);
  map.add(0, 1);
  std::string text = R"({"format": "quartz-gate-set", "version": 1, "name": "two", "gates": [)";
  for (const Gate& row : gate_table()) {
    if (row.qubits == 2) text += fmt::format(R"({{"gate": "{}"}}, )", row.name);
  }
  const GateSet set = parse_gate_set(text + R"({"gate": "rz"}, {"gate": "h"}, {"gate": "sx"}],
          "alphabet": {"parameters": 1, "expressions": ["p0"]}})",
                                     "two.json");
  std::set<std::string> kept;
  for (const Gate& row : gate_table()) {
    if (row.qubits != 2) continue;
    Operation given = make_operation(row.kind, {1, 0});
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      given.angles.push_back(i == 0 ? Angle::symbol("a") : Angle::pi_times(Rational(i, 5)));
    }
    const Circuit circuit = make_circuit(2, {given});
    const Circuit reversed = fix_gate_directions(circuit, set, map);
    INFO(row.name);
    CHECK(unitary_distance(circuit, reversed, {{"a", 0.7}}) < 1e-8);
    CHECK(count_gates(reversed).two_qubit == 1);
    if (uncoupled_gate(reversed, map)) {
      CHECK(reversed == circuit);
      kept.emplace(row.name);
      continue;
    }
    const auto place = std::ranges::find(reversed.operations, row.kind, &Operation::gate);
    REQUIRE(place != reversed.operations.end());
    CHECK(place->qubits[0] == 0);
    // Symmetric gates, and ms with its angles exchanged, have nothing around them.
    if (!has_direction(row.kind) || row.kind == GateKind::ms)
      CHECK(reversed.operations.size() == 1);
  }
  CHECK(kept == std::set<std::string>{"cu", "cu3"});
}

TEST_CASE("gates of a gate-set file are reversed by their definitions", "[optimize]") {
  const GateSet set = parse_gate_set(R"({
      "format": "quartz-gate-set", "version": 1, "name": "own",
      "gates": [{"gate": "rz"}, {"gate": "sx"}, {"gate": "x"},
                {"gate": "gate turned_cz a, b { sx a; cz a, b; rz(pi/3) b; }"},
                {"gate": "gate two_cx a, b { cx a, b; sx a; cx b, a; }"}],
      "alphabet": {"parameters": 1, "expressions": ["p0"]}})",
                                     "own.json");
  CouplingMap map(true);
  map.add(0, 1);
  const auto reversed = [&](std::string_view name) {
    const Circuit circuit =
        make_circuit(2, {make_operation(find_gate(name, set.custom_gates())->kind, {1, 0})});
    Circuit result = fix_gate_directions(circuit, set, map);
    CHECK(unitary_distance(circuit, result) < 1e-8);
    return result;
  };
  CHECK_FALSE(uncoupled_gate(reversed("turned_cz"), map));
  CHECK(uncoupled_gate(reversed("two_cx"), map));
}

TEST_CASE("a gate against the direction of the map is rejected if it cannot be reversed",
          "[optimize]") {
  CouplingMap map(true);
  map.add(0, 1);
  CHECK(map.contains(1, 0));
  CHECK(map.allows(0, 1));
  CHECK_FALSE(map.allows(1, 0));
  CHECK(map.without_direction().allows(1, 0));
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});
  OptimizeOptions options = quick(CostKind::total);
  options.coupling = map;
  CHECK_THROWS_AS(optimize(circuit, set, {}, options), UsageError);
  const Circuit controlled_h = make_circuit(2, {make_operation(GateKind::ch, {1, 0})});
  CHECK(fix_gate_directions(controlled_h, set, map) == controlled_h);
  CHECK(uncoupled_gate(controlled_h, map));
  // A gate without a direction fits either way.
  CHECK_FALSE(uncoupled_gate(make_circuit(2, {make_operation(GateKind::cz, {1, 0})}), map));
}

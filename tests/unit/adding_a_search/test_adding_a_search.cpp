#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "gate_set_circuits.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

OptimizeOptions options_of(const std::string& search) {
  OptimizeOptions options;
  options.search = search;
  options.threads = 1;
  options.steps = 1000;
  return options;
}

}  // namespace

TEST_CASE("The search of docs/adding_a_search.md is in the list", "[adding_a_search]") {
  CHECK(std::ranges::count(search_names(), "cancel", &SearchName::name) == 1);
  CHECK_NOTHROW(require_search("cancel"));
  CHECK_NOTHROW(require_search("fold,cancel,anneal"));
}

TEST_CASE("The search of docs/adding_a_search.md removes inverses", "[adding_a_search]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Circuit circuit =
      make_circuit(3, {make_operation(h, {0}), make_operation(cx, {0, 1}), make_operation(t, {2}),
                       make_operation(tdg, {2}), make_operation(cx, {0, 1}), make_operation(h, {0}),
                       make_operation(cx, {0, 1}), make_operation(cx, {1, 0})});
  const OptimizeResult result = optimize(circuit, set, {}, options_of("cancel"));
  CHECK(result.circuit.operations ==
        std::vector{make_operation(cx, {0, 1}), make_operation(cx, {1, 0})});
  REQUIRE(result.passes.size() == 1);
  CHECK(result.passes[0].name == "cancel");
  CHECK(result.passes[0].gates_removed == 6);
}

TEST_CASE("The search of docs/adding_a_search.md keeps the unitary in every gate set",
          "[adding_a_search]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    Random random(91);
    for (int round = 0; round < 10; ++round) {
      INFO("gate set " << name << ", seed 91, round " << round);
      const Circuit circuit = random_circuit_in(set, random, 3, 40);
      const OptimizeResult result = optimize(circuit, set, {}, options_of("cancel"));
      CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
      CHECK(result.circuit.operations.size() <= circuit.operations.size());
    }
  }
}

TEST_CASE("A journal certifies what the search of docs/adding_a_search.md does",
          "[adding_a_search]") {
  const GateSet set = load_gate_set("nam");
  Random random(92);
  for (const std::string search : {"cancel", "fold,cancel"}) {
    for (int round = 0; round < 10; ++round) {
      INFO("search " << search << ", seed 92, round " << round);
      Circuit circuit = classical_circuit(3, {1}, {});
      for (int part = 0; part < 3; ++part) {
        const Circuit gates = random_circuit_in(set, random, 3, 20);
        circuit.operations.insert(circuit.operations.end(), gates.operations.begin(),
                                  gates.operations.end());
        circuit.operations.push_back(measure(below(random, 3), 0));
        circuit.operations.push_back(conditional(make_operation(GateKind::x, {0}), 0, 1));
      }
      SuperoptimizeOptions options;
      options.search = search;
      options.steps = 1000;
      options.threads = 1;
      options.cache.enabled = false;
      options.record_journal = true;
      const SuperoptimizeResult result = superoptimize(circuit, set, options);
      CHECK(result.circuit.operations.size() < circuit.operations.size());
      std::istringstream journal(result.journal);
      const ReplayReport report = replay_journal(circuit, result.circuit, journal, "the journal");
      INFO(report.fault);
      CHECK(report.is_certified);
    }
  }
}

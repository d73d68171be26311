#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "optimize/state/search_state.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

namespace quartz::test {

/// Returns one-qubit gates that cost this much.
inline std::vector<Operation> gates_of_cost(std::size_t cost) {
  return std::vector<Operation>(cost, make_operation(GateKind::h, {0}));
}

/// Returns a gate set in which an ecr gate is reversed by gates that have a phase of -pi/2.
inline GateSet ecr_set() {
  return parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "echoed",
          "gates": [{"gate": "s"}, {"gate": "sdg"}, {"gate": "sx"}, {"gate": "h"},
                    {"gate": "ecr"}],
          "alphabet": {"parameters": 0, "expressions": []}})",
      "echoed.json");
}

/// A problem and the state of its search. The circuit costs ten gates unless another one is given.
struct Fixture {
  explicit Fixture(Circuit given = make_circuit(1, gates_of_cost(10)))
      : circuit(std::move(given)), state(problem) {}

  Circuit circuit;
  GateSet set = load_gate_set("nam");
  RuleSet rules;
  OptimizeOptions options;
  optimizer::ClassTables tables{options};
  optimizer::Problem problem{.circuit = circuit,
                             .set = set,
                             .rules = rules,
                             .cost = Cost(CostKind::total),
                             .tables = tables};
  optimizer::SearchState state;
};

/// Returns a circuit of two gates, a body of three gates (optimizer::Segments::bodies), two gates,
/// a body of one gate, and a body of five gates, which is too long for a black box.
inline Circuit circuit_with_bodies() {
  using enum GateKind;
  const auto under = [](std::uint64_t value) {
    return conditional(make_operation(h, {0}), 0, value);
  };
  Circuit circuit = classical_circuit(
      2, {2},
      {make_operation(h, {0}), make_operation(x, {0}), under(1), under(1), under(1),
       make_operation(h, {0}), make_operation(x, {0}), under(2), make_operation(h, {0})});
  circuit.operations.insert(circuit.operations.end(), 5, under(3));
  return circuit;
}

}  // namespace quartz::test

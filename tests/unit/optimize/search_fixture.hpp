#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "optimize/state/search_state.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::test {

/// Returns one-qubit gates that cost this much.
inline std::vector<Operation> gates_of_cost(std::size_t cost) {
  return std::vector<Operation>(cost, make_operation(GateKind::h, {0}));
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

}  // namespace quartz::test

#include "workflow/stages/run_state.hpp"

#include <utility>
#include <variant>

namespace quartz::workflow {
namespace {

PermutedCircuit first_circuit(const Circuit& circuit, const SuperoptimizeOptions& options) {
  PermutedCircuit first{circuit, {}};
  if (options.qubit_order == QubitOrder::free && swap_gates(options) == SwapGates::removed) {
    first = without_swaps(circuit);
  }
  if (options.assumptions.any())
    first.circuit = with_assumptions(first.circuit, options.assumptions);
  return first;
}

}  // namespace

SwapGates swap_gates(const SuperoptimizeOptions& options) {
  return std::holds_alternative<AnyCoupling>(options.coupling) ? SwapGates::removed
                                                               : SwapGates::kept;
}

RunState::RunState(const Circuit& input, const GateSet& gate_set,
                   const SuperoptimizeOptions& chosen)
    : circuit(input), set(gate_set), options(chosen), first(first_circuit(input, chosen)) {
  result.cost = options.cost.value_or(set.default_cost);
  result.assumptions = options.assumptions;
}

bool RunState::records() const {
  return options.record_journal || options.check != CheckPolicy::off;
}

optimizer::PassContext RunState::context() const {
  return {set, result.cost, result.coupling ? &*result.coupling : nullptr, options.stop};
}

OutputPermutation RunState::permutation() const {
  if (options.qubit_order == QubitOrder::keep) return {};
  return composed(first.permutation, now.permutation);
}

}  // namespace quartz::workflow

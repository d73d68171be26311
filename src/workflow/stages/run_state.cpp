#include "workflow/stages/run_state.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "quartz/base/parallel_for.hpp"

namespace quartz::workflow {
namespace {

/// Returns the circuit with which the journal begins if it is not the input.
std::optional<PermutedCircuit> changed_input(const Circuit& circuit,
                                             const SuperoptimizeOptions& options) {
  std::optional<PermutedCircuit> changed;
  if (options.qubit_order == QubitOrder::free && swap_gates(options) == SwapGates::removed) {
    changed = without_swaps(circuit);
  }
  if (options.assumptions.any()) {
    const Circuit& before = changed ? changed->circuit : circuit;
    changed = PermutedCircuit{with_assumptions(before, options.assumptions),
                              changed ? changed->permutation : OutputPermutation()};
  }
  return changed;
}

/// The permutation of an input that is not changed.
const OutputPermutation kNoPermutation;

}  // namespace

SwapGates swap_gates(const SuperoptimizeOptions& options) {
  return std::holds_alternative<AnyCoupling>(options.coupling) ? SwapGates::removed
                                                               : SwapGates::kept;
}

RunState::RunState(const Circuit& input, const GateSet& gate_set,
                   const SuperoptimizeOptions& chosen)
    : circuit(input),
      set(gate_set),
      options(chosen),
      changed(changed_input(input, chosen)),
      first{changed ? changed->circuit : input, changed ? changed->permutation : kNoPermutation} {
  result.cost = options.cost.value_or(set.default_cost);
  result.assumptions = options.assumptions;
}

bool RunState::records() const {
  return options.record_journal || options.check != CheckPolicy::off;
}

optimizer::PassContext RunState::context() const {
  // A checkpoint may be continued by a call that needs the derivation.
  const bool has_checkpoint = !options.checkpoint.folder.empty();
  return {.set = set,
          .cost = result.cost,
          .coupling = result.coupling ? &*result.coupling : nullptr,
          .stop = options.stop,
          .records = records() || has_checkpoint,
          .threads = thread_count(options.threads)};
}

CostValue RunState::cost_of_translation() const {
  return is_in_set ? cost_of(first.circuit, result.cost) : quartz::cost_of_translation(result);
}

std::size_t RunState::operations_of_translation() const {
  return result.plain_translation ? result.plain_translation->operations
                                  : translated().operations.size();
}

circuit::DerivedCircuit& RunState::complete_now() {
  if (is_translation) now.circuit = translated();
  is_translation = false;
  return now;
}

void RunState::append(circuit::DerivedCircuit step) {
  now.append(std::move(step));
  is_translation = false;
}

OutputPermutation RunState::permutation() const {
  if (options.qubit_order == QubitOrder::keep) return {};
  return composed(first.permutation, now.permutation);
}

}  // namespace quartz::workflow

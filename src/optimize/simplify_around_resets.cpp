#include "quartz/optimize/simplify_around_resets.hpp"

#include <algorithm>
#include <utility>

#include "circuit/history.hpp"
#include "optimize/resets/prepared_qubits.hpp"
#include "optimize/resets/unobserved_gates.hpp"
#include "optimize/resets/unobserved_rotations.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

Circuit with_operations(const Circuit& circuit, circuit::PhasedGates gates) {
  Circuit result = without_operations(circuit);
  result.operations = std::move(gates.gates);
  result.global_phase.add_phase(gates.phase);
  return result;
}

}  // namespace

Circuit simplify_around_resets(const Circuit& circuit, const GateSet* set,
                               std::shared_ptr<const circuit::History>* history) {
  const bool has_resets = std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::reset && operation.conditions().empty();
  });
  if (!has_resets) return circuit;
  const bool records = history != nullptr;
  try {
    circuit::HistoryPointer derived;
    Circuit result = circuit;
    const auto apply = [&](circuit::PhasedGates gates) {
      derived = circuit::in_sequence(std::move(derived), std::move(gates.history));
      result = with_operations(result, std::move(gates));
    };
    apply(optimizer::simplify_on_prepared_qubits(result, set, records));
    apply(optimizer::without_unobserved_rotations(result, records));
    apply(optimizer::without_unobserved_gates(result, records));
    if (records) *history = std::move(derived);
    return result;
  } catch (const OverflowError&) {
    return circuit;  // the exact global phase does not fit 64 bits
  }
}

}  // namespace quartz

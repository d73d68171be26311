#include "optimize/state/direction.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {
namespace {

/// Returns the gate on qubits 0 and 1 as a circuit with the gate on 1 and 0, or nothing if no such
/// circuit is known.
std::optional<Circuit> reversed_gate(GateKind kind) {
  using enum GateKind;
  if (kind == cx) {
    return make_circuit(2,
                        {make_operation(h, {0}), make_operation(h, {1}), make_operation(cx, {1, 0}),
                         make_operation(h, {0}), make_operation(h, {1})});
  }
  if (kind == ecr) {
    Circuit circuit = make_circuit(
        2, {make_operation(s, {0}), make_operation(sx, {0}), make_operation(sdg, {0}),
            make_operation(sdg, {1}), make_operation(sx, {1}), make_operation(s, {1}),
            make_operation(ecr, {1, 0}), make_operation(h, {0}), make_operation(h, {1})});
    circuit.global_phase = Angle::pi_times(Rational(-1, 2));
    return circuit;
  }
  return std::nullopt;
}

}  // namespace

const Circuit* optimizer::Directions::reversed(GateKind gate) {
  const auto [found, added] = reversed_.try_emplace(gate);
  if (added) {
    found->second = reversed_gate(gate);
    try {
      if (found->second) found->second = translate(*found->second, set_);
    } catch (const InputError&) {
      found->second.reset();  // the set lacks a required gate
    }
  }
  return found->second ? &*found->second : nullptr;
}

circuit::PhasedGates optimizer::Directions::fix_gate_directions(
    std::span<const Operation> operations, bool records_history) {
  circuit::PhasedGates result;
  result.gates.reserve(operations.size());
  circuit::GateByGateHistory history(operations.size());
  for (const Operation& operation : operations) {
    const bool stands = operation.kind != OperationKind::gate || !has_direction(operation.gate) ||
                        map_.allows(operation.qubits[0], operation.qubits[1]);
    const Circuit* const turned = stands ? nullptr : reversed(operation.gate);
    if (turned == nullptr) {
      result.gates.push_back(operation);
      if (records_history) history.keep();
      continue;
    }
    const std::size_t first = result.gates.size();
    for (Operation step : turned->operations) {
      for (Qubit& qubit : step.qubits) qubit = operation.qubits[qubit];
      step.classical = operation.classical;
      result.gates.push_back(std::move(step));
    }
    if (operation.classical == nullptr) result.phase.add_phase(turned->global_phase);
    if (records_history) history.replace(std::span(result.gates).subspan(first));
  }
  if (records_history) result.history = std::move(history).finish();
  return result;
}

Circuit optimizer::Directions::fix_gate_directions(const Circuit& circuit,
                                                   circuit::HistoryPointer* history) {
  circuit::PhasedGates turned = fix_gate_directions(circuit.operations, history != nullptr);
  if (history != nullptr) *history = std::move(turned.history);
  Circuit result = without_operations(circuit);
  result.operations = std::move(turned.gates);
  result.global_phase.add_phase(turned.phase);
  return result;
}

Circuit fix_gate_directions(const Circuit& circuit, const GateSet& set, const CouplingMap& map,
                            std::shared_ptr<const circuit::History>* history) {
  return optimizer::Directions(set, map).fix_gate_directions(circuit, history);
}

}  // namespace quartz

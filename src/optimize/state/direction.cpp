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

circuit::DerivedGates optimizer::Directions::fix_gate_directions(
    std::span<const Operation> operations) {
  std::vector<Operation> result;
  result.reserve(operations.size());
  Angle phase;
  circuit::GateByGateHistory history(operations.size());
  for (const Operation& operation : operations) {
    const bool stands = operation.kind != OperationKind::gate || !has_direction(operation.gate) ||
                        map_.allows(operation.qubits[0], operation.qubits[1]);
    const Circuit* const turned = stands ? nullptr : reversed(operation.gate);
    if (turned == nullptr) {
      result.push_back(operation);
      history.keep();
      continue;
    }
    const std::size_t first = result.size();
    for (Operation step : turned->operations) {
      for (Qubit& qubit : step.qubits) qubit = operation.qubits[qubit];
      step.classical = operation.classical;
      result.push_back(std::move(step));
    }
    if (operation.classical == nullptr) phase.add_phase(turned->global_phase);
    history.replace(std::span(result).subspan(first));
  }
  return {std::move(result), phase, circuit::Derivation::by(std::move(history).finish())};
}

circuit::DerivedCircuit optimizer::Directions::fix_gate_directions(const Circuit& circuit) {
  circuit::DerivedGates turned = fix_gate_directions(circuit.operations);
  Circuit result = without_operations(circuit);
  result.operations = std::move(turned.gates);
  result.global_phase.add_phase(turned.phase);
  return {std::move(result), std::move(turned.derivation)};
}

Circuit fix_gate_directions(const Circuit& circuit, const GateSet& set, const CouplingMap& map) {
  return optimizer::Directions(set, map).fix_gate_directions(circuit).circuit;
}

}  // namespace quartz

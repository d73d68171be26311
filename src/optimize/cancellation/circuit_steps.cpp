#include "optimize/cancellation/circuit_steps.hpp"

#include <bit>
#include <optional>

#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

using Kind = CircuitStep::Kind;

CircuitStep step_on(Kind kind, const Operation& gate) {
  CircuitStep step{kind, static_cast<std::uint8_t>(gate.qubits.size()), {}, 0};
  for (std::size_t i = 0; i < gate.qubits.size(); ++i) step.wires.at(i) = gate.qubits[i];
  return step;
}

CircuitStep step_on(Kind kind, Qubit wire) { return {kind, 1, {wire}, 0}; }

std::optional<Kind> kind_of(GateKind gate) {
  switch (gate) {
    case GateKind::h:
      return Kind::hadamard;
    case GateKind::x:
      return Kind::flip;
    case GateKind::cx:
      return Kind::controlled_not;
    case GateKind::cz:
      return Kind::controlled_z;
    case GateKind::swap:
      return Kind::swap;
    case GateKind::ccx:
      return Kind::toffoli;
    default:
      return std::nullopt;
  }
}

}  // namespace

void CircuitSteps::append_phase(const Operation& gate, unsigned operands, const Angle& angle,
                                std::vector<CircuitStep>& steps) {
  CircuitStep step{Kind::phase, 0, {}, 0};
  for (unsigned i = 0; operands >> i != 0; ++i) {
    if ((operands >> i & 1U) != 0) step.wires.at(step.wire_count++) = gate.qubits[i];
  }
  const auto next = static_cast<std::uint32_t>(phases_.size());
  const auto [found, is_new] = numbers_.try_emplace(angle, next);
  if (is_new) phases_.push_back(&found->first);
  step.phase = found->second;
  steps.push_back(step);
}

void CircuitSteps::append_box(const Operation& box, std::vector<CircuitStep>& steps) {
  const bool is_measurement = is_measurement_box(*box.classical);
  for (std::size_t i = 0; i < box.qubits.size(); ++i) {
    steps.push_back(
        step_on(i == 0 && is_measurement ? Kind::measured : Kind::unknown, box.qubits[i]));
  }
}

void CircuitSteps::append(const Operation& operation, std::vector<CircuitStep>& steps) {
  if (is_black_box(operation)) return append_box(operation, steps);
  if (operation.gate == GateKind::id) return;
  if (const std::optional<Kind> kind = kind_of(operation.gate)) {
    steps.push_back(step_on(*kind, operation));
    return;
  }
  const std::optional<PauliRotation> rotation = as_pauli_rotation(operation);
  if (rotation && rotation->axis.x == 0 && std::popcount(rotation->axis.z) <= 3) {
    append_phase(operation, rotation->axis.z,
                 rotation->axis.phase == 0 ? rotation->angle : -rotation->angle, steps);
    return;
  }
  if (const Decomposition* const parts = general_decomposition(gate(operation.gate))) {
    for (const Operation& part : instantiate(*parts, operation).operations) append(part, steps);
    return;
  }
  for (const Qubit wire : operation.qubits) steps.push_back(step_on(Kind::unknown, wire));
}

bool commutes(const CircuitStep& step, std::span<const WireContent> contents) {
  const auto has = [&](std::size_t wire, WireContent pauli) {
    return (contents[wire] & pauli) != 0;
  };
  switch (step.kind) {
    case Kind::hadamard:
    case Kind::unknown:
      return contents[0] == 0;
    case Kind::flip:
      return !has(0, kContentZ);
    case Kind::controlled_not:
      return !has(0, kContentX) && !has(1, kContentZ);
    case Kind::toffoli:
      return !has(0, kContentX) && !has(1, kContentX) && !has(2, kContentZ);
    case Kind::swap:
      return contents[0] == 0 && contents[1] == 0;
    case Kind::controlled_z:
    case Kind::phase:
    case Kind::measured:
      for (std::size_t i = 0; i < step.wire_count; ++i) {
        if (has(i, kContentX)) return false;
      }
      return true;
  }
  return false;
}

void move_through(const CircuitStep& step, std::span<WireContent> contents) {
  const auto has = [&](std::size_t wire, WireContent pauli) {
    return (contents[wire] & pauli) != 0;
  };
  const auto add = [&](std::size_t wire, WireContent pauli) {
    contents[wire] = static_cast<WireContent>(contents[wire] | pauli);
  };
  switch (step.kind) {
    case Kind::hadamard:
      contents[0] = static_cast<WireContent>((contents[0] & 1U) << 1U | contents[0] >> 1U);
      return;
    case Kind::flip:
      return;
    case Kind::controlled_not: {
      const bool has_x = has(0, kContentX);
      if (has(1, kContentZ)) add(0, kContentZ);
      if (has_x) add(1, kContentX);
      return;
    }
    case Kind::controlled_z: {
      const bool has_x = has(0, kContentX);
      if (has(1, kContentX)) add(0, kContentZ);
      if (has_x) add(1, kContentZ);
      return;
    }
    case Kind::swap:
      return std::swap(contents[0], contents[1]);
    case Kind::toffoli:
      // An X on a control gains a CNOT of the others, and a Z of the target a CZ of the controls.
      for (std::size_t i = 0; i < 2; ++i) add(i, kContentZ);
      add(2, kContentX);
      return;
    case Kind::phase:
      for (std::size_t i = 0; i < step.wire_count; ++i) add(i, kContentZ);
      return;
    case Kind::measured:
    case Kind::unknown:
      return;
  }
}

}  // namespace quartz::optimizer

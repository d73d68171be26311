#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "certify/pauli/moved_rotations.hpp"
#include "unitary_distance.hpp"

namespace quartz::test {

/// A gate of two circuits, or of one of them.
struct MovedGate {
  Operation gate;
  certify::MovableGate::Role role = certify::MovableGate::Role::stays;
};

/// Returns the gates for the functions of certify/pauli; they must outlive the result.
[[nodiscard]] inline std::vector<certify::MovableGate> movable_gates(
    const std::vector<MovedGate>& gates) {
  std::vector<certify::MovableGate> movable;
  for (const MovedGate& each : gates) {
    movable.push_back(
        {{&each.gate, {each.gate.qubits.data(), each.gate.qubits.size()}}, each.role});
  }
  return movable;
}

/// A method that compares the circuit before with the one after.
using CompareMoved = certify::Comparison (*)(certify::GateParts&, std::size_t,
                                             std::span<const certify::MovableGate>, const Budget&);

[[nodiscard]] inline certify::Comparison compare_moved_gates(CompareMoved method,
                                                             const std::vector<MovedGate>& gates,
                                                             std::size_t wires) {
  certify::GateParts parts;
  Budget budget;
  budget.memory_bytes = 1e9;
  return method(parts, wires, movable_gates(gates), budget);
}

/// Returns the circuit without the gates of a role.
[[nodiscard]] inline Circuit circuit_without(const std::vector<MovedGate>& gates,
                                             std::uint32_t wires,
                                             certify::MovableGate::Role absent) {
  std::vector<Operation> operations;
  for (const MovedGate& each : gates) {
    if (each.role != absent) operations.push_back(each.gate);
  }
  return make_circuit(wires, std::move(operations));
}

/// Returns the distance of the circuits, of which the second one has this phase relative to the
/// first one.
[[nodiscard]] inline double distance_of_sides(const std::vector<MovedGate>& gates,
                                              std::uint32_t wires, const Angle& phase) {
  const Circuit before = circuit_without(gates, wires, certify::MovableGate::Role::inserted);
  Circuit after = circuit_without(gates, wires, certify::MovableGate::Role::removed);
  after.global_phase = -phase;
  return unitary_distance(before, after, {{"a", 0.37}});
}

}  // namespace quartz::test

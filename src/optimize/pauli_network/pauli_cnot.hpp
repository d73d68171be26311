#pragma once

#include <cstdint>

#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// A Pauli operator on one qubit: 1 for X, 2 for Z, 3 for Y, 0 for the identity.
using LocalAxis = unsigned;

/// Returns what an operator is on a qubit.
[[nodiscard]] inline LocalAxis axis_on(const PauliString& pauli, std::uint32_t qubit) {
  return static_cast<unsigned>(pauli.x >> qubit & 1U) | static_cast<unsigned>(pauli.z >> qubit & 1U)
                                                            << 1U;
}

[[nodiscard]] inline bool axes_anticommute(LocalAxis a, LocalAxis b) {
  return a != 0 && b != 0 && a != b;
}

/// A CNOT between Clifford gates on its qubits: it multiplies an operator by `target_axis` on the
/// target if the operator anticommutes with `control_axis` on the control, and the other way round.
struct PauliCnot {
  std::uint32_t control = 0;
  std::uint32_t target = 0;
  LocalAxis control_axis = 0;
  LocalAxis target_axis = 0;

  /// Returns by how much the weight of an operator with these factors on the control and the target
  /// changes.
  [[nodiscard]] int change(LocalAxis on_control, LocalAxis on_target) const {
    const LocalAxis new_control =
        axes_anticommute(on_target, target_axis) ? on_control ^ control_axis : on_control;
    const LocalAxis new_target =
        axes_anticommute(on_control, control_axis) ? on_target ^ target_axis : on_target;
    return static_cast<int>(new_control != 0) + static_cast<int>(new_target != 0) -
           static_cast<int>(on_control != 0) - static_cast<int>(on_target != 0);
  }
  /// Returns by how much the weight of an operator changes.
  [[nodiscard]] int change(const PauliString& pauli) const {
    return change(axis_on(pauli, control), axis_on(pauli, target));
  }
};

}  // namespace quartz::optimizer

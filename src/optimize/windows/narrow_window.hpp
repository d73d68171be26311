#pragma once

#include <cstddef>
#include <vector>

#include "optimize/windows/edited_gates.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates of a list that can be replaced together: a convex part of the circuit on few qubits.
struct NarrowWindow {
  std::vector<EditedGates::Index> gates;  ///< in the order of the list
  std::vector<Qubit> qubits;              ///< in the order in which they occur
  /// The gate before which all of them may be placed, or EditedGates::kEnd.
  EditedGates::Index anchor = 0;
  std::size_t two_qubit_gates = 0;
};

/// Grows a window from a gate on two qubits along the list, to at most `two_qubit_gates` gates on
/// two qubits and the one-qubit gates among them, on at most `qubits` qubits, in time linear in the
/// size of the window. Gates with free parameters, gates on three or more qubits, and optimization
/// boundaries end the window on their qubits. No qubit joins once a gate on the window's qubits was
/// left out, so no path leaves the window and returns.
[[nodiscard]] NarrowWindow grow_narrow_window(const EditedGates& gates, EditedGates::Index start,
                                              std::size_t two_qubit_gates, std::size_t qubits = 3);

}  // namespace quartz::optimizer

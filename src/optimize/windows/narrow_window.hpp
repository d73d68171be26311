#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/budget.hpp"
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

/// Returns whether a gate has no free parameter.
[[nodiscard]] bool has_constant_angles(const Operation& operation);

/// Grows a window from a gate on two qubits along the list, to at most `two_qubit_gates` gates on
/// two qubits and the one-qubit gates among them, on at most `qubits` qubits, in time linear in the
/// size of the window. Gates with angles that `takes_angles` refuses, gates on three or more
/// qubits, and optimization boundaries end the window on their qubits. No qubit joins once a gate
/// on the window's qubits was left out, so no path leaves the window and returns.
[[nodiscard]] NarrowWindow grow_narrow_window(
    const EditedGates& gates, EditedGates::Index start, std::size_t two_qubit_gates,
    std::size_t qubits = 3, bool (*takes_angles)(const Operation&) = has_constant_angles);

/// Calls a function with each two-qubit gate of a list, at which a window may begin, until the
/// budget is spent. It returns the gate that begins where the window did if it has replaced the
/// window, which is then called with again: one more gate may be superfluous there. Returns whether
/// a window was replaced.
template <typename TryWindow>
bool replace_windows(const EditedGates& gates, const Budget& budget, const TryWindow& try_window) {
  bool has_replaced = false;
  for (EditedGates::Index start = gates.first(); start != EditedGates::kEnd && !budget.spent();) {
    std::optional<EditedGates::Index> replaced;
    if (gates[start].qubits.size() == 2) replaced = try_window(start);
    has_replaced = has_replaced || replaced.has_value();
    start = replaced.value_or(gates.next(start));
  }
  return has_replaced;
}

}  // namespace quartz::optimizer

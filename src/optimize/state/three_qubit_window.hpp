#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates of a list that can be replaced together: a convex part of the circuit on at most three
/// qubits.
struct ThreeQubitWindow {
  std::vector<std::size_t> places;  ///< indices of the gates, ascending
  std::vector<Qubit> qubits;        ///< in the order in which they occur
  std::size_t anchor = 0;           ///< index of the gate before which all of them may be placed
  std::size_t two_qubit_gates = 0;
};

/// The windows of one list of gates, which must outlive this object unchanged.
class ThreeQubitWindows {
 public:
  explicit ThreeQubitWindows(std::span<const Operation> gates);

  /// Grows a window from a gate on two qubits along the list, to at most `two_qubit_gates` gates on
  /// two qubits and the one-qubit gates among them, in time linear in the size of the window. Gates
  /// with free parameters, gates on three or more qubits, and optimization boundaries end the
  /// window on their qubits. No qubit joins once a gate on the window's qubits was left out, so no
  /// path leaves the window and returns.
  [[nodiscard]] ThreeQubitWindow grow(std::size_t start, std::size_t two_qubit_gates) const;

 private:
  class Growth;

  std::span<const Operation> gates_;
  /// The index of the next gate on each operand of a gate on one or two qubits, or the number of
  /// gates.
  std::vector<std::array<std::uint32_t, 2>> next_;
};

}  // namespace quartz::optimizer

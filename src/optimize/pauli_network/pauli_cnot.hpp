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

  /// Returns by how much the weight of an operator changes.
  [[nodiscard]] int change(const PauliString& pauli) const {
    const LocalAxis a = axis_on(pauli, control);
    const LocalAxis b = axis_on(pauli, target);
    const LocalAxis new_a = axes_anticommute(b, target_axis) ? a ^ control_axis : a;
    const LocalAxis new_b = axes_anticommute(a, control_axis) ? b ^ target_axis : b;
    return static_cast<int>(new_a != 0) + static_cast<int>(new_b != 0) - static_cast<int>(a != 0) -
           static_cast<int>(b != 0);
  }
};

/// Calls `visit` with each CNOT that makes an operator smaller.
template <typename Visit>
void for_each_reduction(const PauliString& pauli, const Visit& visit) {
  for (std::uint64_t left = pauli.support(); left != 0; left &= left - 1) {
    const auto a = static_cast<std::uint32_t>(__builtin_ctzll(left));
    for (std::uint64_t right = left & (left - 1); right != 0; right &= right - 1) {
      const auto b = static_cast<std::uint32_t>(__builtin_ctzll(right));
      const LocalAxis on_a = axis_on(pauli, a);
      const LocalAxis on_b = axis_on(pauli, b);
      for (LocalAxis other = 1; other <= 3; ++other) {
        if (other != on_a) visit(PauliCnot{a, b, other, on_b});
        if (other != on_b) visit(PauliCnot{b, a, other, on_a});
      }
    }
  }
}

}  // namespace quartz::optimizer

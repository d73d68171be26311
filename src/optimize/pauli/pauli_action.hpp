#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "optimize/pauli/pauli_gate.hpp"

namespace quartz {

/// What a Clifford gate does to the Paulis of its operands, in the order in which tables of Paulis
/// are changed. Operands are numbered as the gate's own; the X of operand j is row 2j, the Z row
/// 2j+1. Of gates on up to two qubits.
struct PauliAction {
  static constexpr std::size_t kMostRows = 4;

  /// Row `target` becomes i^phase times the product of the factors, in this order.
  struct Update {
    std::uint8_t target = 0;
    std::uint8_t phase = 0;
    std::uint8_t factor_count = 0;
    std::array<std::uint8_t, kMostRows> factors{};
  };

  /// The rows that change. All at once, unless `in_place`.
  std::vector<Update> updates;
  /// Each target is its own first factor, and none of the other factors: one after the other.
  bool in_place = false;
  /// Two rows trade places, and that is all.
  bool is_swap = false;
};

/// C^dagger P C for each X and Z of the operands, as C is followed by the gate: G^dagger P G.
[[nodiscard]] PauliAction pulled_back_action(const CliffordAction& action);

/// The bits of G P G^dagger: whether it has an X at an operand is the sum of these bits of P, and
/// so on. Phases have no meaning here.
[[nodiscard]] PauliAction pushed_forward_action(const CliffordAction& action);

}  // namespace quartz

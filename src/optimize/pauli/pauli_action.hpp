#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "optimize/pauli/pauli_gate.hpp"

namespace quartz::optimizer {

/// Effect of a Clifford gate on up to two qubits on the Paulis of its operands, in the order in
/// which tables of Paulis are updated. Row 2j is the X of the gate's operand j, row 2j+1 its Z.
struct PauliAction {
  static constexpr std::size_t kMaxRows = 4;

  /// Row `target` becomes i^phase times the product of the factors, in this order.
  struct Update {
    std::uint8_t target = 0;
    std::uint8_t phase = 0;
    std::uint8_t factor_count = 0;
    std::array<std::uint8_t, kMaxRows> factors{};
  };

  /// The rows that change; simultaneously, unless `in_place`.
  std::vector<Update> updates;
  /// Each target is its own first factor and no other factor, so the updates can be applied one
  /// after the other.
  bool in_place = false;
  /// The whole action exchanges two rows.
  bool is_swap = false;
};

/// Returns the action on C^dagger P C, for each X and Z of the operands, when the gate G follows C:
/// P becomes G^dagger P G.
[[nodiscard]] PauliAction pulled_back_action(const CliffordAction& action);

/// Returns the action on the bits of G P G^dagger: each of its x and z bits is a sum of bits of P.
/// Ignores phases.
[[nodiscard]] PauliAction pushed_forward_action(const CliffordAction& action);

}  // namespace quartz::optimizer

#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Hermitian Pauli operators on the operands of a gate that determine what the gate does: the axis
/// of a rotation, or A and B of a controlled Pauli operator, which is the identity where A or B is
/// 1, and -1 where both are -1. A CNOT has A = Z on its control and B = X on its target.
struct GateOperators {
  std::size_t count = 0;  ///< 1 for a rotation, 2 for a controlled Pauli operator
  std::array<LocalPauli, 2> paulis{};
};

/// Returns the operators of a kind of gate, or nothing for gates that are no rotations and no
/// controlled Pauli operators.
[[nodiscard]] std::optional<GateOperators> gate_operators(GateKind kind);

}  // namespace quartz::optimizer

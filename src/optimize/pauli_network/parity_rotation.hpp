#pragma once

#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A rotation of the parity of qubits: CNOTs from all others to the first one, a rotation of that,
/// and the CNOTs again.
struct ParityRotation {
  std::vector<Qubit> qubits;
  Operation rotation;  ///< a gate on the first qubit
};

/// Appends the gates of a rotation of a parity.
void append_parity_rotation(std::span<const Qubit> qubits, const Operation& rotation,
                            std::vector<Operation>& gates);

}  // namespace quartz::optimizer

#pragma once

#include <span>
#include <vector>

#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// Returns Clifford gates as gates in {h, x, rz, cx}.
[[nodiscard]] std::vector<Operation> gates_of(std::span<const CliffordGate> gates);

/// Returns gates in {h, x, rz, cx} that equal a sequence, with their global phase. Each rotation is
/// between CNOTs of its own: such a circuit is large, but it is made in no time, to be read again.
[[nodiscard]] circuit::PhasedGates gates_of(const RotationSequence& sequence);

}  // namespace quartz::optimizer

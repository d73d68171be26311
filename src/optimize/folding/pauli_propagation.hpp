#pragma once

#include <cstdint>
#include <span>

#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Returns whether the gates of a set can express the Pauli operators X and Z of a qubit.
[[nodiscard]] bool has_pauli_gates(const GateSet& set);

/// Moves Pauli operators to the end of a list of gates, which costs nothing: Clifford gates map
/// Pauli operators to Pauli operators, and rotations change the sign of their angles. Rotations by
/// an angle that takes more gates than the angle without a half turn leave a Pauli operator
/// behind: s and t on one qubit become tdg, as in words of H, S and T that approximate rotations.
/// One-qubit rotations about the same axis that follow each other merge. Operators become gates
/// again at black boxes, at gates that they cannot pass, and at the end. The computation is exact:
/// the input equals e^{i phase} times the result.
///
/// Takes time and memory linear in the number of gates and of qubits. Requires
/// has_pauli_gates(set).
[[nodiscard]] circuit::DerivedGates propagate_paulis(std::span<const Operation> gates,
                                                     std::uint32_t qubits, const GateSet& set);

}  // namespace quartz::optimizer

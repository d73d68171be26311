#pragma once

#include <cstdint>
#include <span>

#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Moves one-qubit Clifford gates along their wires to where they take the fewest gates. The gates
/// between two others on a wire are a Clifford gate, of which a quarter turn may pass the next gate
/// or become part of it: s passes the control of a CNOT, and h s h its target; s and t are tdg and
/// a Pauli operator. For each wire, dynamic programming finds the cheapest choice of what passes,
/// without counting Pauli operators, which are moved to the end of the circuit afterwards
/// (folding/pauli_propagation.hpp). The computation is exact: the input equals e^{i phase} times
/// the result, which may have more gates if many Pauli operators cannot move.
///
/// Takes time and memory linear in the number of gates and of qubits. Requires
/// has_pauli_gates(set).
[[nodiscard]] circuit::DerivedGates commute_cliffords(std::span<const Operation> gates,
                                                      std::uint32_t qubits, const GateSet& set);

}  // namespace quartz::optimizer

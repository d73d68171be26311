#pragma once

#include <cstdint>
#include <span>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Merges rotations that are about the same Pauli operator once the Clifford gates before them are
/// commuted to the end, where every rotation in between commutes with it. This is phase folding
/// across Hadamards as well: it generalises the merging of equal parities (Amy, Maslov, Mosca,
/// arXiv 1303.2042) to all Pauli rotations (Zhang, Chen, arXiv 1903.12456). The gates keep their
/// places; a merged rotation stands at the first of its places. Exact; the unitary stays the same.
///
/// Only plain gates (no walls). Time is linear in the number of gates, with a bounded window of
/// rotations that are still open for merging, and so is memory: gates on more than
/// kMostFoldedQubits qubits are folded in groups. Ends early once the budget is spent, with the
/// merges that were made; circuits of up to 16384 gates are always passed over once.
[[nodiscard]] PhasedGates fold_rotations(std::span<const Operation> gates, std::uint32_t qubits,
                                         const GateSet& set, const Budget& budget = {});

/// Folding at once on this many qubits takes about 32 MiB, which grows with their square.
inline constexpr std::uint32_t kMostFoldedQubits = 4096;

}  // namespace quartz

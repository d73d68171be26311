#pragma once

#include <cstdint>
#include <span>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Merges rotations that are about the same Pauli operator once the Clifford gates before them are
/// commuted to the end, provided that every rotation in between commutes with it. This includes
/// phase folding across Hadamards: it generalizes the merging of equal parities (Amy, Maslov,
/// Mosca, arXiv 1303.2042) to all Pauli rotations (Zhang, Chen, arXiv 1903.12456). The gates keep
/// their positions; a merged rotation takes the first of its positions. The computation is exact:
/// the input equals e^{i phase} times the result.
///
/// The input consists of gates and black boxes (state/segments.hpp). Rotations merge across a black
/// box if their operator acts on none of its wires there. Time is linear in the number of gates,
/// because the number of open rotations is bounded; so is memory, because gates on more than
/// kMaxFoldedQubits qubits are folded in groups. Ends early once the budget is spent, with the
/// merges made so far; circuits of up to 16384 gates always get one full pass.
///
/// Without `record_history`, the derivation only says whether anything has changed: a history takes
/// 20 to 40 bytes of memory a gate, and as much time as a pass.
[[nodiscard]] circuit::DerivedGates fold_rotations(std::span<const Operation> gates,
                                                   std::uint32_t qubits, const GateSet& set,
                                                   const Budget& budget = {},
                                                   bool record_history = true);

/// Folding on this many qubits at once takes about 32 MiB; the memory grows with their square.
inline constexpr std::uint32_t kMaxFoldedQubits = 4096;

}  // namespace quartz::optimizer

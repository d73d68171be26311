#pragma once

#include <cstdint>
#include <span>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Replaces blocks of CNOTs and SWAPs on three to 64 qubits by fewer CNOTs
/// (linear/linear_synthesis.hpp), in a circuit on `wires` wires. The gates are taken in an order in
/// which as many CNOTs and SWAPs as possible follow each other; those that are connected form a
/// block. With a coupling map, a block is only replaced by CNOTs in directions that it permits.
/// Ends early once the budget is spent. Returns the gates as they are if no block gets shorter.
[[nodiscard]] circuit::DerivedGates resynthesize_linear_blocks(std::span<const Operation> gates,
                                                               std::uint32_t wires,
                                                               const CouplingMap* coupling,
                                                               const Budget& budget);

}  // namespace quartz::optimizer

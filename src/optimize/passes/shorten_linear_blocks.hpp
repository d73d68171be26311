#pragma once

#include "circuit/derivation.hpp"
#include "quartz/circuit/coupling.hpp"

namespace quartz::optimizer {

/// Returns an equal circuit in which blocks of CNOTs and SWAPs on three to 64 qubits are replaced
/// by fewer CNOTs, where a SWAP counts as three; all other operations stay. With a coupling map,
/// CNOTs act on its pairs only. Takes time in proportion to the circuit, and about a millisecond
/// for a block on 64 qubits.
[[nodiscard]] circuit::DerivedCircuit shorten_linear_blocks(const Circuit& circuit,
                                                            const CouplingMap* coupling = nullptr);

}  // namespace quartz::optimizer

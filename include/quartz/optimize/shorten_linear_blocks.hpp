#pragma once

#include <memory>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"

namespace quartz {

namespace circuit {
struct History;
}

/// Returns an equal circuit in which blocks of CNOTs and SWAPs on three to 64 qubits are replaced
/// by fewer CNOTs, where a SWAP counts as three; all other operations stay. With a coupling map,
/// CNOTs act on its pairs only. Takes time in proportion to the circuit, and about a millisecond
/// for a block on 64 qubits. Stores how the result was derived unless `history` is null.
[[nodiscard]] Circuit shorten_linear_blocks(
    const Circuit& circuit, const CouplingMap* coupling = nullptr,
    std::shared_ptr<const circuit::History>* history = nullptr);

}  // namespace quartz

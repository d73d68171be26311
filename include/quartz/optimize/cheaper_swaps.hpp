#pragma once

#include <array>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Returns the pairs of qubits whose last gates would cost less with a SWAP gate behind them: a
/// block on two qubits costs as many gates as its Weyl coordinates need, and a SWAP gate changes
/// these; a CNOT followed by a SWAP gate takes one iswap gate instead of two. If the qubits may end
/// in any order, the SWAP gate costs nothing. No qubit is in two pairs. The circuit is in the gate
/// set. Blocks end at gates with free parameters, gates on three or more qubits, and all operations
/// that are no gates, except final ones (final_operations) behind them.
[[nodiscard]] std::vector<std::array<Qubit, 2>> pairs_cheaper_with_swap(const Circuit& circuit,
                                                                        const GateSet& set,
                                                                        const Cost& cost);

}  // namespace quartz

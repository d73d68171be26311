#pragma once

#include <cstdint>
#include <optional>

#include "circuit/derivation.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Which blocks on two qubits may get a SWAP gate behind them.
enum class SwapPlaces : std::uint8_t {
  anywhere,   ///< what is behind the block moves to other pairs of qubits
  at_the_end  ///< only those behind which there is nothing but final operations
};

/// Puts a SWAP gate behind each block on two qubits that costs less with it: a block costs as many
/// gates as its Weyl coordinates need, and a SWAP gate changes these; a CNOT followed by a SWAP
/// gate takes one iswap gate instead of two. The block and the SWAP gate, which need not be in the
/// gate set, are left for resynthesis. What is behind the block is on the other one of its qubits
/// instead, up to the final operations (final_operations), so that the output is permuted. Returns
/// nothing if no block costs less.
///
/// The circuit is in the gate set. Blocks end at gates with free parameters, gates on three or more
/// qubits, and all operations that are no gates. A block gets no SWAP gate if another operation
/// than a gate follows on its qubits, except for final ones. All pairs of qubits are assumed to
/// cost the same.
[[nodiscard]] std::optional<circuit::DerivedCircuit> with_free_swaps(const Circuit& circuit,
                                                                     const GateSet& set,
                                                                     const Cost& cost,
                                                                     SwapPlaces places);

}  // namespace quartz::optimizer

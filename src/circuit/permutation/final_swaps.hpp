#pragma once

#include <array>
#include <span>

#include "circuit/history.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz::circuit {

/// A circuit with SWAP gates before its final operations.
struct FinalSwaps {
  /// The operations that are not final, the SWAP gates, and the final operations (in this order),
  /// which are on the wires to which the SWAP gates lead.
  Circuit circuit;
  std::size_t first_swap = 0;     ///< index of the first SWAP gate
  OutputPermutation permutation;  ///< the qubits on which those of the original end
  HistoryPointer history;         ///< leads from the original to the circuit
};

/// Puts SWAP gates on these pairs of wires, one after the other, before the final operations of a
/// circuit.
[[nodiscard]] FinalSwaps with_final_swaps(const Circuit& circuit,
                                          std::span<const std::array<Qubit, 2>> swaps);

}  // namespace quartz::circuit

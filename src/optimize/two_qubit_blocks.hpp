#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimize/block_replacement.hpp"
#include "optimize/gate_cost.hpp"
#include "optimize/two_qubit_synthesis.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A circuit with blocks resynthesized: the gates given equal e^{i phase} times `gates`.
struct BlockResynthesis {
  std::vector<Operation> gates;
  Angle phase;
  std::vector<BlockReplacement> replacements;  ///< in the order in which they were made
  bool numeric = false;                        ///< whether any of them is
};

/// Replaces maximal runs of gates on two qubits by their cheapest synthesis from their unitary,
/// where that costs less (KAK decomposition: two_qubit_synthesis.hpp), and shortens the one-qubit
/// gates along each wire (one_qubit_chains.hpp), before that or only after it, whichever costs less
/// in the end. The cost never grows.
///
/// Gates with free parameters and on three qubits or more end a block and stay, and so do walls. A
/// set whose one-qubit gates take no free angle is left alone, and so are blocks on two qubits of a
/// set without a known two-qubit gate. Linear in the number of gates. Once `interrupted` says so,
/// no more blocks are replaced.
[[nodiscard]] BlockResynthesis resynthesize_two_qubit_blocks(
    std::span<const Operation> gates, std::uint32_t qubits, const GateSet& set,
    const GateCost& weight = two_qubit_then_total, Exactness exactness = Exactness::numeric);

/// The same with a synthesis prepared before.
[[nodiscard]] BlockResynthesis resynthesize_two_qubit_blocks(
    std::span<const Operation> gates, std::uint32_t qubits, const TwoQubitSynthesis& synthesis,
    const GateCost& weight, Exactness exactness, const std::function<bool()>& interrupted);

}  // namespace quartz

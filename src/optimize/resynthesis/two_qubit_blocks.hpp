#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/cost/gate_cost.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A circuit with blocks resynthesized; equal to the gates given.
struct BlockResynthesis : PhasedGates {
  std::vector<BlockReplacement> replacements;  ///< in the order in which they were made
};

/// Replaces maximal runs of gates on two qubits by their cheapest synthesis from their unitary,
/// where that costs less (KAK decomposition: two_qubit_synthesis.hpp), and shortens the one-qubit
/// gates along each wire (one_qubit_chains.hpp), before that or only after it, whichever costs less
/// in the end. The cost never grows.
///
/// Gates with free parameters and on three qubits or more end a block and stay, and so do walls. A
/// set whose one-qubit gates take no free angle is left alone, and so are blocks on two qubits of a
/// set without a known two-qubit gate.
class TwoQubitBlocks {
 public:
  TwoQubitBlocks(const GateSet& set, GateCost cost, Exactness exactness);

  /// Linear in the number of gates; blocks that were seen before take little time. Once
  /// the budget is spent, no more blocks are replaced.
  [[nodiscard]] BlockResynthesis resynthesize(std::span<const Operation> gates,
                                              std::uint32_t qubits, const Budget& budget);

 private:
  struct Run;
  class Pass;

  [[nodiscard]] static std::vector<Run> runs_of(std::span<const Operation> gates,
                                                std::uint32_t qubits);

  GateCost cost_;
  Exactness exactness_;
  TwoQubitSynthesis synthesis_;
  /// Hashes of blocks for which nothing cheaper was found. Where two blocks have the same, one may
  /// stay that could be cheaper.
  std::unordered_set<std::size_t> cheapest_;
};

/// The same for one circuit.
[[nodiscard]] BlockResynthesis resynthesize_two_qubit_blocks(
    std::span<const Operation> gates, std::uint32_t qubits, const GateSet& set,
    const GateCost& cost = two_qubit_then_total, Exactness exactness = Exactness::numeric);

}  // namespace quartz

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Replaces maximal runs of gates on two qubits by their cheapest synthesis from their unitary, if
/// that costs less (KAK decomposition: two_qubit_synthesis.hpp), and shortens the one-qubit gates
/// along each wire (one_qubit_chains.hpp), either before that or only after it, whichever gives the
/// lower cost. The cost never grows.
///
/// Gates with free parameters, gates on three or more qubits, and optimization boundaries end a
/// block and stay. A set whose one-qubit gates take no free angle is left unchanged, and so are
/// blocks on two qubits if the set has no known two-qubit gate.
class TwoQubitBlocks {
 public:
  TwoQubitBlocks(const GateSet& set, ScalarGateCost cost, Exactness exactness);

  /// Runs in time linear in the number of gates; blocks that were seen before take little time.
  /// Once the budget is spent, no more blocks are replaced and no more chains are shortened.
  [[nodiscard]] circuit::DerivedGates resynthesize(std::span<const Operation> gates,
                                                   std::uint32_t qubits, const Budget& budget);
  /// Shortens the one-qubit gates before the blocks are replaced, without comparing the other
  /// order, in half the time.
  [[nodiscard]] circuit::DerivedGates resynthesize_once(std::span<const Operation> gates,
                                                        std::uint32_t qubits, const Budget& budget);

 private:
  class Pass;

  ScalarGateCost cost_;
  Exactness exactness_;
  TwoQubitSynthesis synthesis_;
  /// Hashes of blocks for which nothing cheaper was found. A collision can keep a block that could
  /// be made cheaper.
  std::unordered_set<std::size_t> cheapest_;
};

}  // namespace quartz::optimizer

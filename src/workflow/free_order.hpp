#pragma once

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// The order in which the qubits of a circuit end, chosen before the search.
struct FreeOrder {
  /// A replacement of the circuit with this permutation, which states it in a comment.
  Circuit start;
  OutputPermutation permutation;  ///< empty if each qubit ends in its place
  double seconds = 0;             ///< that the choice took
};

/// Chooses an order of the qubits at the end of the circuit in which the circuit costs less. SWAP
/// gates are removed, unless there is a coupling map; and where the last gates on two qubits would
/// cost less with a SWAP gate behind them, that SWAP gate is added, unless a short search from
/// there ends with a higher cost, or, if there is no time for one, the circuit is not simpler at
/// once. Nothing is added to circuits of many gates, nor with a
/// checkpoint, because the choice depends on the time. A request to stop ends the choice; it throws
/// Stopped if that is before the first search.
[[nodiscard]] FreeOrder choose_order(const Circuit& circuit, const GateSet& set,
                                     const SuperoptimizeOptions& options);

}  // namespace quartz::workflow

#pragma once

#include <functional>

#include "quartz/circuit/output_permutation.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/certificate/certifiable_circuits.hpp"

namespace quartz::workflow {

/// A circuit of a search, up to the order of its qubits at the end.
struct OrderedCircuit {
  FoundCircuit found;
  OutputPermutation
      permutation;  ///< the qubits on which those of the first circuit of the history end
};

/// What is needed to change the order of a circuit.
struct FreeOrder {
  const GateSet& set;
  const Cost& cost;
  const std::optional<CouplingMap>& coupling;
  std::stop_token stop;
  /// Simplifies a circuit in the gate set, with its history.
  std::function<OptimizeResult(const Circuit&)> simplify;
};

/// Returns whether a circuit is small enough that SWAP gates are taken for free.
[[nodiscard]] bool is_of_free_order(const Circuit& circuit);

/// Puts SWAP gates, which a free order does not pay for, behind blocks on two qubits, as long as
/// the simplified circuit costs less with them. With a coupling map only behind the last blocks,
/// because all gates behind a SWAP gate move to other pairs of qubits. Returns whether there
/// are any.
[[nodiscard]] bool take_free_swaps(OrderedCircuit& now, const FreeOrder& order);

}  // namespace quartz::workflow

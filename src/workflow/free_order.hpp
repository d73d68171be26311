#pragma once

#include <functional>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"

namespace quartz::workflow {

/// Returns whether a circuit is small enough that SWAP gates are taken for free.
[[nodiscard]] bool is_of_free_order(const Circuit& circuit);

/// Simplifies a circuit in the gate set.
using Simplification = std::function<circuit::DerivedCircuit(const Circuit&)>;

/// Puts SWAP gates, which a free order does not pay for, behind blocks on two qubits, as long as
/// the simplified circuit costs less with them. With a coupling map only behind the last blocks,
/// because all gates behind a SWAP gate move to other pairs of qubits. Returns whether there
/// are any.
[[nodiscard]] bool take_free_swaps(circuit::DerivedCircuit& now,
                                   const optimizer::PassContext& context,
                                   const Simplification& simplify);

}  // namespace quartz::workflow

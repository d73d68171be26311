#pragma once

#include "optimize/resets/simplified_gates.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Removes gates that no measurement can see: those all of whose qubits are reset next, and those
/// that are diagonal on qubits that are only measured, or control other gates, before they are
/// reset. Nothing is known of what happens behind a barrier. All other operations stay. The time is
/// linear.
///
/// A qubit that is reset is discarded (traced out). A unitary that only acts on discarded qubits
/// changes nothing, and a gate that is diagonal on a qubit commutes with whatever is diagonal on
/// it.
[[nodiscard]] SimplifiedGates without_unobserved_gates(const Circuit& circuit);

}  // namespace quartz::optimizer

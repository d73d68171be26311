#pragma once

#include "optimize/resets/simplified_gates.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Simplifies gates on qubits whose state is known, because a reset and gates on the qubit alone
/// have prepared it, and is a Pauli eigenstate: a gate that leaves the state as it is becomes one
/// on its other qubits, or is removed. A CNOT with its control in |0> or its target in |+> is
/// removed; a Toffoli gate with a control in |1> becomes a CNOT. New gates are those of the gate
/// set, or any of the gate table if `set` is null. All other operations stay. The state of a qubit
/// behind a barrier is not known.
[[nodiscard]] SimplifiedGates simplify_on_prepared_qubits(const Circuit& circuit,
                                                          const GateSet* set);

}  // namespace quartz::optimizer

#pragma once

#include "circuit/derivation.hpp"
#include "quartz/optimize/known_states.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Returns whether a circuit has unconditional resets. Others are not simplified around them.
[[nodiscard]] bool has_resets(const Circuit& circuit);

/// A circuit that was simplified around its resets.
struct SimplifiedCircuit {
  circuit::DerivedCircuit derived;
  KnownStates changes;
};

/// Returns an equal circuit with fewer gates next to resets. A gate on a qubit that a reset has
/// prepared in a known state is simplified: a CNOT controlled by |0> is removed, a Toffoli gate
/// controlled by |1> becomes a CNOT. A gate that no measurement sees before its qubits are reset is
/// removed, and so is a rotation between the last Clifford gates of the circuit. Nothing that is
/// known of a qubit, of its state or of its use, holds beyond a barrier on it. New gates are those
/// of the gate set, or any of the gate table if `set` is null. The time is linear, but for the
/// rotations of up to 20,000 last gates, which take 0.1 s at most.
[[nodiscard]] SimplifiedCircuit simplify_around_resets(const Circuit& circuit,
                                                       const GateSet* set = nullptr);

}  // namespace quartz::optimizer

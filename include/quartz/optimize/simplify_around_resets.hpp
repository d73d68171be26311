#pragma once

#include <memory>

#include "quartz/circuit/circuit.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

namespace circuit {
struct History;
}

/// Returns an equal circuit with fewer gates next to resets. A gate on a qubit that a reset has
/// prepared in a known state is simplified: a CNOT controlled by |0> is removed, a Toffoli gate
/// controlled by |1> becomes a CNOT. A gate that no measurement sees before its qubits are reset is
/// removed, and so is a rotation between the last Clifford gates of the circuit. New gates are
/// those of the gate set, or any of the gate table if `set` is null. The time is linear, but for
/// the rotations of up to 20,000 last gates, which take 0.1 s at most. Stores how the result was
/// derived unless `history` is null.
[[nodiscard]] Circuit simplify_around_resets(
    const Circuit& circuit, const GateSet* set = nullptr,
    std::shared_ptr<const circuit::History>* history = nullptr);

}  // namespace quartz

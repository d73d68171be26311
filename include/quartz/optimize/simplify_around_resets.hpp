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
/// removed. New gates are those of the gate set, or any of the gate table if `set` is null. The
/// time is linear. Stores how the result was derived unless `history` is null.
[[nodiscard]] Circuit simplify_around_resets(
    const Circuit& circuit, const GateSet* set = nullptr,
    std::shared_ptr<const circuit::History>* history = nullptr);

}  // namespace quartz

#pragma once

#include <cstdint>
#include <memory>

#include "quartz/circuit/circuit.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

namespace circuit {
struct History;
}

/// How many gates of a circuit changed because of what is known of the states of its qubits: a
/// reset has prepared them, or nothing sees them before a reset.
struct KnownStates {
  std::uint64_t gates_removed = 0;
  std::uint64_t gates_replaced = 0;  ///< by gates on fewer qubits, which are still there

  [[nodiscard]] bool any() const { return gates_removed != 0 || gates_replaced != 0; }
  friend bool operator==(const KnownStates&, const KnownStates&) = default;
};

/// Returns an equal circuit with fewer gates next to resets. A gate on a qubit that a reset has
/// prepared in a known state is simplified: a CNOT controlled by |0> is removed, a Toffoli gate
/// controlled by |1> becomes a CNOT. A gate that no measurement sees before its qubits are reset is
/// removed, and so is a rotation between the last Clifford gates of the circuit. Nothing that is
/// known of a qubit, of its state or of its use, holds beyond a barrier on it. New gates are those
/// of the gate set, or any of the gate table if `set` is null. The time is linear, but for the
/// rotations of up to 20,000 last gates, which take 0.1 s at most. Stores how the result was
/// derived unless `history` is null, and how many gates changed unless `changes` is null.
[[nodiscard]] Circuit simplify_around_resets(
    const Circuit& circuit, const GateSet* set = nullptr,
    std::shared_ptr<const circuit::History>* history = nullptr, KnownStates* changes = nullptr);

}  // namespace quartz

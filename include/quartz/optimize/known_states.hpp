#pragma once

#include <cstdint>

namespace quartz {

/// How many gates of a circuit changed because of what is known of the states of its qubits: a
/// reset has prepared them, or nothing sees them before a reset.
struct KnownStates {
  std::uint64_t gates_removed = 0;
  std::uint64_t gates_replaced = 0;  ///< by gates on fewer qubits, which are still there

  [[nodiscard]] bool any() const { return gates_removed != 0 || gates_replaced != 0; }
  KnownStates& operator+=(const KnownStates& other) {
    gates_removed += other.gates_removed;
    gates_replaced += other.gates_replaced;
    return *this;
  }
  friend bool operator==(const KnownStates&, const KnownStates&) = default;
};

}  // namespace quartz

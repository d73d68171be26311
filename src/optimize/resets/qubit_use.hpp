#pragma once

#include <cstdint>
#include <span>

#include "circuit/history.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// What happens to a qubit behind some place. Nothing is known of what is behind a barrier: whoever
/// puts one there wants the gates before it to be executed.
enum class Use : std::uint8_t {
  discarded,  ///< it is reset next
  controls,   ///< all operations on it are diagonal on it, until it is reset
  any,
};

struct QubitUse {
  Use use = Use::any;
  circuit::GateNumber reset = 0;  ///< index of the reset, unless the use is `any`
};

/// Turns the uses behind a measurement, reset or other boundary into those before it. The use of
/// the qubits of a barrier is `any`.
inline void pass_backwards(const Operation& boundary, circuit::GateNumber index,
                           std::span<QubitUse> uses) {
  if (boundary.conditions().empty()) {
    if (boundary.kind == OperationKind::reset) {
      uses[boundary.qubits[0]] = {Use::discarded, index};
      return;
    }
    if (boundary.kind == OperationKind::measure) {
      QubitUse& first = uses[boundary.qubits[0]];
      if (first.use != Use::any) first.use = Use::controls;
      return;
    }
  }
  for (const Qubit qubit : boundary.qubits) uses[qubit].use = Use::any;
}

}  // namespace quartz::optimizer

#pragma once

#include <functional>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// What a gate costs: not negative. A circuit costs the sum over its gates.
using GateWeight = std::function<double(const Operation&)>;

/// The number of gates on two or more qubits decides, then the number of all gates.
[[nodiscard]] inline double two_qubit_then_total(const Operation& operation) {
  return operation.qubits.size() >= 2 ? 1e6 : 1;
}

}  // namespace quartz

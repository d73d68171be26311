#pragma once

#include <functional>

#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// What a gate costs: not negative. A circuit costs the sum over its gates.
using GateCost = std::function<double(const Operation&)>;

/// The number of gates on two or more qubits decides, then the number of all gates.
[[nodiscard]] inline double two_qubit_then_total(const Operation& operation) {
  return operation.qubits.size() >= 2 ? 1e6 : 1;
}

/// The objectives of a cost, and the number of gates after them, as gate_values makes them one
/// number, for blocks of a few thousand gates. Objectives that are no sum over the gates, or that
/// depend on the qubits, are left out. The gates of the set have weights.
[[nodiscard]] GateCost gate_cost_of(const Cost& cost, const GateSet& set);

}  // namespace quartz

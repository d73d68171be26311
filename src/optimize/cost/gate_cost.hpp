#pragma once

#include <functional>

#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Cost of a gate, not negative. The cost of a circuit is the sum over its gates.
using GateCost = std::function<double(const Operation&)>;

/// Orders circuits by their number of gates on two or more qubits, then by their number of gates.
[[nodiscard]] inline double two_qubit_then_total(const Operation& operation) {
  return operation.qubits.size() >= 2 ? 1e6 : 1;
}

/// Returns the objectives of a cost, followed by the number of gates, encoded as one number in the
/// way of scalar_gate_cost, for blocks of a few thousand gates. Omits objectives that are not a sum
/// over the gates or that depend on the qubits. The gates of the set must have weights.
[[nodiscard]] GateCost gate_cost_of(const Cost& cost, const GateSet& set);

}  // namespace quartz::optimizer

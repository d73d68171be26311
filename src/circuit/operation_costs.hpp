#pragma once

#include <span>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::circuit {

/// Returns the cost_of() a circuit with these operations in place of its own, of which no copy is
/// made. The circuit has no declared gates.
[[nodiscard]] CostValue cost_of_operations(const Circuit& circuit,
                                           std::span<const Operation> operations, const Cost& cost);

}  // namespace quartz::circuit

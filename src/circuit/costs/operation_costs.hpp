#pragma once

#include <cstdint>
#include <span>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::circuit {

/// The cost of some operations.
struct OperationCosts {
  CostValue value;
  std::uint64_t gates = 0;  ///< their number, without operations of other kinds
};

/// Returns the cost_of() a circuit with these operations in place of its own, of which no copy is
/// made. The circuit has no declared gates. Takes one pass over the operations, of 56 bytes each,
/// for all objectives: each adds some 2 ns an operation.
[[nodiscard]] OperationCosts costs_of_operations(const Circuit& circuit,
                                                 std::span<const Operation> operations,
                                                 const Cost& cost);
/// Returns the sums of the additive objectives alone, with 0 for the others.
[[nodiscard]] OperationCosts sums_of_operations(std::span<const Operation> operations,
                                                const Cost& cost);

}  // namespace quartz::circuit

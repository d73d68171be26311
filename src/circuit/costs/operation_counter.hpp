#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "circuit/costs/objective_value.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::circuit {

/// Counts the operations of a circuit of which only parts are in the memory.
class OperationCounter {
 public:
  /// The circuit, of which only the qubits and bits matter, outlives the counter.
  OperationCounter(const Circuit& circuit, const Cost& cost);
  OperationCounter(const OperationCounter&) = delete;
  OperationCounter& operator=(const OperationCounter&) = delete;

  /// Counts the next operations. Throws UsageError as cost_of() does.
  void append(std::span<const Operation> operations);
  [[nodiscard]] CircuitCounts counts() const;

 private:
  /// The named costs, and then the objectives of the cost that have weights.
  std::vector<Objective> objectives_;
  /// For each objective of the cost, its index in `objectives_`.
  std::vector<std::size_t> places_;
  std::vector<ObjectiveValue> values_;
  std::vector<std::uint64_t> gates_;  ///< by kind
  std::uint64_t operations_ = 0;
};

}  // namespace quartz::circuit

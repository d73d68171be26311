#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "circuit/costs/operation_costs.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Cost by which searches compare circuits: the requested cost, then the number of gates.
struct SearchCost {
  CostValue objectives;
  std::uint64_t total = 0;

  friend auto operator<=>(const SearchCost&, const SearchCost&) = default;
  SearchCost& operator+=(const SearchCost& other) {
    objectives += other.objectives;
    total += other.total;
    return *this;
  }
  SearchCost& operator-=(const SearchCost& other) {
    objectives -= other.objectives;
    total -= other.total;
    return *this;
  }
};

/// Returns whether the first objective that differs is at most `ratio` times the other one.
[[nodiscard]] inline bool is_within(const SearchCost& cost, const SearchCost& other, double ratio) {
  for (std::size_t i = 0; i < cost.objectives.units.size(); ++i) {
    const auto left = static_cast<double>(cost.objectives.units[i]);
    const auto right = static_cast<double>(other.objectives.units[i]);
    if (left != right) return left <= ratio * right;
  }
  return true;
}

/// Returns the additive objectives of a cost, and the number of gates, summed over operations.
[[nodiscard]] inline SearchCost sum_of_costs(std::span<const Operation> operations,
                                             const Cost& cost) {
  const circuit::OperationCosts sums = circuit::sums_of_operations(operations, cost);
  return {sums.value, sums.gates};
}

[[nodiscard]] inline SearchCost search_cost_of(const Circuit& circuit, const Cost& cost) {
  if (!circuit.declared_gates.empty()) return {cost_of(circuit, cost), count_gates(circuit).total};
  const circuit::OperationCosts costs =
      circuit::costs_of_operations(circuit, circuit.operations, cost);
  return {costs.value, costs.gates};
}

/// Returns the cost of a circuit with these operations in place of its own, of which no copy is
/// made unless the circuit has declared gates.
[[nodiscard]] inline SearchCost search_cost_of(const Circuit& circuit,
                                               std::span<const Operation> operations,
                                               const Cost& cost) {
  if (!circuit.declared_gates.empty()) {
    Circuit whole = without_operations(circuit);
    whole.operations.assign(operations.begin(), operations.end());
    return search_cost_of(whole, cost);
  }
  const circuit::OperationCosts costs = circuit::costs_of_operations(circuit, operations, cost);
  return {costs.value, costs.gates};
}

}  // namespace quartz::optimizer

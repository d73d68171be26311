#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Contribution of a gate to the scalar cost that a search minimizes, independent of its qubits.
using ScalarGateCost = std::function<std::uint64_t(const Operation&)>;

/// Exceeds the scalar cost of any list of gates. The sum of two such costs fits 64 bits.
inline constexpr std::uint64_t kUnreachableCost = std::uint64_t{1} << 62U;

/// Encodes the contribution of a gate to a lexicographic cost as one number, so that a search adds
/// and compares costs in one instruction: the objectives are digits, in bases that no circuit of up
/// to `gates` gates overflows.
///
/// Omits objectives that are not sums, and the last objectives if a sum could exceed `most`. If the
/// sum of the first one could, that is rounded to larger units. For weights on certain qubits it
/// uses the gate's weight on all other qubits. A search that minimizes these values must compare
/// its result by the cost itself.
[[nodiscard]] ScalarGateCost scalar_gate_cost(const Cost& cost, const GateSet& set,
                                              std::uint64_t gates,
                                              std::uint64_t most = std::uint64_t{1} << 62U);

/// Returns the same for blocks of a few thousand gates, with the number of gates as the last
/// objective, and without objectives that depend on the qubits. The sum over a circuit of up to 10
/// million gates fits 64 bits. The gates of the set must have weights.
[[nodiscard]] ScalarGateCost scalar_gate_cost_in_blocks(const Cost& cost, const GateSet& set);

[[nodiscard]] inline std::uint64_t sum_of_costs(std::span<const Operation> gates,
                                                const ScalarGateCost& cost) {
  std::uint64_t sum = 0;
  for (const Operation& gate : gates) sum += cost(gate);
  return sum;
}

/// A scalar cost that has a critical path, as one number for searches that know the lengths of
/// chains: the sum of `gate` over the gates, plus `per_length` for each unit of the longest chain.
struct ScalarCost {
  ScalarGateCost gate;    ///< if empty, 1 for every gate
  ScalarGateCost length;  ///< contribution of a gate to the chains; empty without a critical path
  std::uint64_t per_length = 0;
  bool is_path_first = false;  ///< whether the critical path is the first objective

  ScalarCost() = default;
  /// A cost without a critical path.
  ScalarCost(ScalarGateCost gate_cost) : gate(std::move(gate_cost)) {}
};

/// Encodes a lexicographic cost in the way of scalar_gate_cost, with the first of its objectives
/// that have a critical path, and with the number of gates last if there is such an objective.
[[nodiscard]] ScalarCost scalar_cost(const Cost& cost, const GateSet& set, std::uint64_t gates);

}  // namespace quartz::optimizer

#pragma once

#include <cstdint>
#include <functional>

#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Contribution of a gate to the scalar cost that a search minimizes, independent of its qubits.
using ScalarGateCost = std::function<std::uint64_t(const Operation&)>;

/// Encodes the contribution of a gate to a lexicographic cost as one number, so that a search adds
/// and compares costs in one instruction: the objectives are digits, in bases that no circuit of up
/// to `gates` gates overflows.
///
/// Omits objectives that are not sums, and the last objectives if a sum could exceed `most`. For
/// weights on certain qubits it uses the gate's weight on all other qubits. A search that minimizes
/// these values must compare its result by the cost itself.
[[nodiscard]] ScalarGateCost scalar_gate_cost(const Cost& cost, const GateSet& set,
                                              std::uint64_t gates,
                                              std::uint64_t most = std::uint64_t{1} << 62U);

}  // namespace quartz::optimizer

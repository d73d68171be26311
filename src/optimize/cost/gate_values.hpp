#pragma once

#include <cstdint>
#include <functional>

#include "quartz/circuit/cost.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Contribution of a gate to the scalar cost that a search minimizes, independent of its qubits.
using GateValue = std::function<std::uint64_t(const Operation&)>;

/// One number for what a gate adds to a lexicographic cost, so that a search adds and compares in
/// one instruction: the objectives are digits, in bases that no circuit of so many gates overflows.
///
/// Objectives that would make a sum greater than `most` are left out, the last first, and those
/// that are no sums; of weights on certain qubits the gate's weight on all others stands in. A
/// search that goes by these values has its result compared by the cost itself.
[[nodiscard]] GateValue gate_values(const Cost& cost, const GateSet& set, std::uint64_t gates,
                                    std::uint64_t most = std::uint64_t{1} << 62U);

}  // namespace quartz

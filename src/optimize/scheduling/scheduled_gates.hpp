#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/derivation.hpp"
#include "optimize/runs/run_words.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Longer lists are not scheduled: the proof of a new order takes time that grows with the square
/// of the number of gates.
inline constexpr std::size_t kMostScheduledGates = 4096;

/// Returns gates, without black boxes, in an order in which the heaviest chain is short
/// (unit_schedule.hpp), by changing the places of those that commute. One-qubit Clifford gates are
/// written before the units that need them, so that the result may have more of them. Returns
/// nothing if the longest chain of units becomes no shorter, or if the phase is beyond exact
/// arithmetic. The result equals the gates exactly, and is one exchange of all of them.
[[nodiscard]] std::optional<circuit::DerivedGates> scheduled_gates(
    std::span<const Operation> gates, std::uint32_t wires, RunWords& words,
    const std::function<std::uint64_t(const Operation&)>& weight_of, FastRandom& random,
    const Budget& budget);

}  // namespace quartz::optimizer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/resynthesis/one_qubit_synthesis.hpp"

namespace quartz::optimizer {

/// Finds the cheapest one-qubit gates along each wire.
///
/// Most gates let rotations about one axis of an operand pass: cx those about Z on its control and
/// those about X on its target. The runs of one-qubit gates between such gates therefore form a
/// chain in which a part of each run may move into the next. If a run is rewritten, either as much
/// of it as possible moves on, or nothing does and the next run is independent of it; dynamic
/// programming finds the cheapest sequence of these choices. Other gates, including those with free
/// parameters, stay unchanged.
///
/// Each replacement costs less than the gates that it replaces. Gates on other wires within its
/// range stay in the circuit. Once the budget is spent, no more chains are shortened.
[[nodiscard]] std::vector<PlacedReplacement> shorten_one_qubit_chains(
    std::span<const Operation> gates, std::uint32_t qubits, const OneQubitSynthesis& synthesis,
    const ScalarGateCost& weight, Exactness exactness, const Budget& budget = {});

}  // namespace quartz::optimizer

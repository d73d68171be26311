#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/cost/gate_cost.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/resynthesis/one_qubit_synthesis.hpp"

namespace quartz {

/// The cheapest one-qubit gates along each wire.
///
/// Most gates let rotations about one axis of an operand pass: cx those about Z on its control and
/// those about X on its target. So the runs of one-qubit gates between them form a chain in which a
/// part of each run may move into the next. Where a run is rewritten, either as much of it as can
/// moves on, or nothing does and the next run starts afresh; the cheapest sequence of both is found
/// by dynamic programming. Other gates stay as they are, free parameters included.
///
/// Each replacement costs less than what it replaces. Its gates on other wires stay in the circuit.
[[nodiscard]] std::vector<PlacedReplacement> shorten_one_qubit_chains(
    std::span<const Operation> gates, std::uint32_t qubits, const OneQubitSynthesis& synthesis,
    const GateCost& weight, Exactness exactness);

}  // namespace quartz

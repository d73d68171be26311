#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/state/qubit_groups.hpp"

namespace quartz::optimizer {

/// Rewrites gates on some wires group by group: divides them at the black boxes (segments.hpp), and
/// what lies between into groups on at most `max_qubits` qubits (split_by_qubits). `rewrite`
/// returns the gates that replace those of a group. The order of the groups may differ from that of
/// the gates, even if no group changes.
[[nodiscard]] circuit::DerivedGates rewrite_groups(
    std::span<const Operation> gates, std::uint32_t wires, std::uint32_t max_qubits,
    const std::function<circuit::DerivedGates(const QubitGroup&)>& rewrite);

/// Rewrites gates in stretches of this many consecutive gates at least, one after the other, each
/// with a history of its own: a replay takes memory for one of them at a time. Stops when the budget
/// is spent, with the other gates as they were.
[[nodiscard]] circuit::DerivedGates rewrite_stretches(
    std::span<const Operation> gates, std::size_t size, const Budget& budget,
    const std::function<circuit::DerivedGates(std::span<const Operation>)>& rewrite);

/// Returns what `rewrite` makes of gates, which is given them and the number of their qubits. If
/// there are few gates on some of many qubits, it is given them in groups whose qubits all have
/// gates (split_by_qubits), so that the other qubits need no memory.
[[nodiscard]] circuit::DerivedGates rewrite_on_used_qubits(
    std::span<const Operation> gates, std::uint32_t qubits,
    const std::function<circuit::DerivedGates(std::span<const Operation>, std::uint32_t)>& rewrite);

}  // namespace quartz::optimizer

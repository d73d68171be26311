#pragma once

#include <cstdint>
#include <functional>
#include <span>

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

}  // namespace quartz::optimizer

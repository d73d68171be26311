#pragma once

#include <span>

#include "certify/replay/gate_list.hpp"

namespace quartz::certify {

/// Returns the gates without those that have no effect on any but the discarded wires, after which
/// these are discarded.
///
/// From the end backwards, a wire is *discarded* if nothing follows on it, and *only controls* if
/// each operation that follows on it is diagonal on this wire and it is discarded in the end. A
/// gate whose wires are all discarded, or only control and have it diagonal on them, commutes with
/// what follows: it is a unitary on discarded wires and changes nothing else. What is left are the
/// same channels.
[[nodiscard]] GateList without_unobserved_gates(const GateList& gates,
                                                std::span<const Wire> discarded,
                                                const OperationTable& table);

}  // namespace quartz::certify

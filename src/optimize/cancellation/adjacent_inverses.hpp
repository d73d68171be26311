#pragma once

#include <cstdint>
#include <span>

#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Removes pairs of inverse gates with nothing between them on any of their qubits, until there are
/// none. The other gates stay in their order. Black boxes (state/segments.hpp) stay, too.
///
/// What is left does not depend on such pairs that were inserted before, except for the order of
/// gates that share no qubit: every reduction of this kind ends with the same gates (they form a
/// graph group, whose free reductions are confluent).
[[nodiscard]] circuit::DerivedGates cancel_adjacent_inverses(std::span<const Operation> gates,
                                                             std::uint32_t qubits);

}  // namespace quartz::optimizer

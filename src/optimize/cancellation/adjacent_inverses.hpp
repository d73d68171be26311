#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Returns the phase of the product of two gates if the second one is the inverse of the first one
/// up to a phase.
[[nodiscard]] std::optional<Angle> phase_of_inverses(const Operation& first,
                                                     const Operation& second);

/// Removes pairs of inverse gates with nothing between them on any of their qubits, until there are
/// none. The other gates stay in their order. Black boxes (state/segments.hpp) stay, too. Returns
/// nothing if there is no pair.
///
/// What is left does not depend on such pairs that were inserted before, except for the order of
/// gates that share no qubit: every reduction of this kind ends with the same gates (they form a
/// graph group, whose free reductions are confluent).
[[nodiscard]] std::optional<circuit::DerivedGates> cancel_adjacent_inverses(
    std::span<const Operation> gates, std::uint32_t qubits);

}  // namespace quartz::optimizer

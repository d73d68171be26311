#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

namespace quartz::certify {

/// Looks for a difference: runs both circuits on random basis states, as lists of the amplitudes
/// that are not 0. Many wires are no matter where few amplitudes arise, up to `max_amplitudes`.
/// Finding none proves nothing (the outcome is unknown): the circuits may differ on a few of their
/// 2^n basis states only.
[[nodiscard]] Comparison search_difference(const Problem& problem, const Budget& budget,
                                           std::size_t max_amplitudes, std::uint64_t seed);

}  // namespace quartz::certify

#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Looks for a difference by running both circuits on random basis states, with a list of the
/// non-zero amplitudes. The number of wires does not matter as long as there are at most
/// `max_amplitudes` amplitudes. If no difference is found the outcome is unknown: the circuits may
/// differ only on a few of their 2^n basis states.
[[nodiscard]] Comparison search_difference(const Problem& problem, const Budget& budget,
                                           std::size_t max_amplitudes, std::uint64_t seed);

}  // namespace quartz::certify

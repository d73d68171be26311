#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

namespace quartz::certify {

/// Compares the two families of unitaries exactly, at a random point of a prime field
/// (certify/random_point.hpp), applied to one random state for each choice of truth values: two
/// matrices with proportional images of a random vector are proportional. Holds for all values of
/// the parameters, all outcomes, and all unitaries that opaque operations may be.
///
/// Decides `equal` with the bound on the probability of an error that it states, or finds that the
/// circuits differ; that is certain, but says nothing of the size of the difference, so that the
/// outcome is then `unknown` with `differs_exactly`. `phase_hint` is a global phase that the right
/// circuit is expected to have relative to the left one: it is confirmed if it is right.
[[nodiscard]] Comparison compare_in_field(const Problem& problem, const Angle& phase_hint,
                                          const Budget& budget, std::uint64_t seed);

/// "exact arithmetic modulo a random prime of 126 bits (wrong with probability below 2^-90)".
[[nodiscard]] std::string field_method_name(double log2_failure);

/// A bound above this on the probability of an error decides nothing.
inline constexpr double largest_log2_failure = -40;

}  // namespace quartz::certify

#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Compares the two families of unitaries exactly, at a random point of a prime field
/// (certify/random_point.hpp), applied to one random state for each choice of truth values: two
/// matrices with proportional images of a random vector are proportional. The result holds for all
/// values of the parameters, all outcomes, and all unitaries that opaque operations may be.
///
/// Decides `equal` with a bound on the probability of an error, or finds that the circuits differ.
/// A difference is certain, but its size is not known, so the outcome is then `unknown` with
/// `differs_exactly`. `phase_hint` is the global phase that the right circuit is expected to have
/// relative to the left one; it is confirmed if it is right.
[[nodiscard]] Comparison compare_in_field(const Problem& problem, const Angle& phase_hint,
                                          const Budget& budget, std::uint64_t seed);

/// Returns the name of the method with its probability of an error, for messages.
[[nodiscard]] std::string field_method_name(double log2_failure);

/// Largest log2 of the probability of an error for which the method decides.
inline constexpr double kMaxLog2Failure = -40;

/// A lower bound on the time to update an entry of a state by a gate.
inline constexpr double kSecondsPerFieldUpdate = 1e-9;

/// Returns a lower bound on the time of a comparison, in seconds. It is not started if it cannot
/// finish in the time left.
[[nodiscard]] double seconds_in_field(const Problem& problem);

}  // namespace quartz::certify

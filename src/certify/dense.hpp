#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

/// Comparison by state vectors in double precision. Both methods state a bound on the operator norm
/// of the difference up to global phase, rounding included, and say `equal` only where it is within
/// the tolerance. They decide nothing for circuits with free parameters or opaque operations:
/// samples of those bound nothing.
namespace quartz::certify {

/// Runs both circuits on every basis state. The Frobenius norm of the difference bounds its
/// operator norm.
[[nodiscard]] Comparison compare_dense_unitaries(const Problem& problem, const Budget& budget);

/// Runs both circuits on random states from the Haar measure. The bound on the operator norm then
/// holds except with the probability that the method states.
[[nodiscard]] Comparison compare_random_states(const Problem& problem, const Budget& budget,
                                               std::uint64_t seed);

/// Roughly how many amplitudes each method touches; methods are chosen by it.
[[nodiscard]] double dense_unitary_work(const Problem& problem);
[[nodiscard]] double random_states_work(const Problem& problem);
[[nodiscard]] double random_states_memory(const Problem& problem);

}  // namespace quartz::certify

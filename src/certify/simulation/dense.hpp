#pragma once

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

/// Comparison by state vectors in double or extended precision. Both methods compute a bound on the operator
/// norm of the difference up to global phase, including rounding, and decide `equal` only if it is
/// within the tolerance. They decide nothing for circuits with free parameters or opaque
/// operations, because samples of those give no bound.
namespace quartz::certify {

/// Runs both circuits on every basis state. The Frobenius norm of the difference bounds its
/// operator norm.
[[nodiscard]] Comparison compare_dense_unitaries(const Problem& problem, const Budget& budget);

/// Runs both circuits on random states from the Haar measure. The bound on the operator norm then
/// holds except with the probability in the result.
[[nodiscard]] Comparison compare_random_states(const Problem& problem, const Budget& budget,
                                               std::uint64_t seed);

/// Returns roughly how many amplitudes the method touches. Methods are selected by it.
[[nodiscard]] double dense_unitary_work(const Problem& problem);
[[nodiscard]] double random_states_work(const Problem& problem);
[[nodiscard]] double random_states_memory(const Problem& problem);

}  // namespace quartz::certify

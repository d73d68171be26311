#pragma once

#include "certify/comparison.hpp"
#include "certify/problem.hpp"

/// Comparison by state vectors in double precision.
namespace quartz::certify {

/// Every column of both unitaries. Every difference above the tolerance is found; free
/// parameters and opaque operations take random values.
[[nodiscard]] Comparison compare_dense_unitaries(const Problem& problem, const Budget& budget,
                                                 std::uint64_t seed);

/// Images of three random states. With D the difference of the unitaries on n free wires and
/// |D| its Frobenius norm, |D psi|^2 has mean |D|^2 / 2^n over psi = random_state(), and falls
/// below t times its mean with probability at most about t: two unitaries that differ by |D| pass
/// for equal with probability at most (tolerance^2 2^n / |D|^2)^3.
[[nodiscard]] Comparison compare_random_states(const Problem& problem, const Budget& budget,
                                               std::uint64_t seed);

/// Roughly how many amplitudes each will touch; methods are chosen by it.
[[nodiscard]] double dense_unitary_work(const Problem& problem);
[[nodiscard]] double random_states_work(const Problem& problem);
[[nodiscard]] double random_states_memory(const Problem& problem);

}  // namespace quartz::certify

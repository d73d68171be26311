#pragma once

#include "certify/problem/comparison.hpp"
#include "quartz/circuit/circuit.hpp"

/// Comparison of circuits with measurements as maps from states to classical results and
/// unnormalised states (quantum instruments).
///
/// Classical bits start at 0. For each contents b of the classical bits at the end, a circuit maps
/// the input state psi to the density matrix rho_b(psi), the sum over the branches that end with b;
/// two circuits are equal if and only if all their rho_b are. Both methods compare random linear
/// functionals <v| rho_b |w> at random psi: the two sides are polynomials in psi, v and w.
namespace quartz::certify {

/// Follows branches with state vectors in double precision. Can find a difference, with a witness,
/// but never equality, since samples give no bound. If there are too many branches, only those that
/// end with a few random contents b are followed.
[[nodiscard]] Comparison search_branch_difference(const Circuit& left, const Circuit& right,
                                                  const Budget& budget, std::uint64_t seed);

/// Follows all branches exactly, at a random point of a prime field (certify/random_point.hpp) at
/// which psi and its conjugate are independent. Decides `equal` with a bound on the probability of
/// an error; if the circuits differ, the outcome is `unknown` with `differs_exactly`.
[[nodiscard]] Comparison compare_branches_in_field(const Circuit& left, const Circuit& right,
                                                   const Budget& budget, std::uint64_t seed);

}  // namespace quartz::certify

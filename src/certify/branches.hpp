#pragma once

#include "certify/comparison.hpp"
#include "quartz/circuit/circuit.hpp"

/// Comparison of circuits with measurements, as what they are: maps from states to classical
/// results with unnormalised states (quantum instruments).
namespace quartz::certify {

/// Follows every branch of both circuits with state vectors. Classical bits start at 0. For each
/// contents b of the classical bits at the end, a circuit maps the input state psi to the density
/// matrix rho_b(psi), the sum over the branches that end with b; two circuits are equal if and
/// only if all their rho_b are. Compared are random linear functionals <v| rho_b |w> at random psi:
/// both sides are polynomials in psi, v, w, which agree at random points only if they agree (up to
/// the tolerance, on amplitudes of the branches that end with b). With too many branches for that,
/// only those that end with a few random contents b are followed, which can show a difference but
/// never equality.
[[nodiscard]] Comparison compare_branches(const Circuit& left, const Circuit& right,
                                          const Budget& budget, std::uint64_t seed);

}  // namespace quartz::certify

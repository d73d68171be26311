#pragma once

#include <optional>
#include <stop_token>

#include "approximation/exact_approximation.hpp"
#include "approximation/special_unitary.hpp"

namespace quartz::approximation {

/// Largest number of points that a region may have, about. They are visited in the time in which
/// its lattice is reduced, starting from the lattice of a larger region.
inline constexpr double kMostPoints = 2'000;

/// Returns a unitary with the fewest T gates within `epsilon` of the target up to a global phase,
/// and of those the closest one; nullopt if that takes too long. Epsilon is in [1e-12, 1], and the
/// target has bits_for(epsilon) bits or more. Throws Stopped once a stop is requested.
///
/// A unitary over the ring with the denominator sqrt(2)^k and the determinant 1 or w is a vector of
/// Z[w]^2 of length sqrt(2)^k whose conjugate has the same length. Those close to a target are the
/// points of a lattice of eight dimensions in a thin region (Morisaki, Sano, Akibue,
/// arXiv:2510.05816), which has some 1 / epsilon points of the lattice where it has the first
/// solution. All of them are not visited: every unitary is one of the 3 * 2^(p - 1) prefixes of
/// normal forms with p T gates, times a unitary with p fewer T gates, which is close to the inverse
/// of the prefix times the target. Each T gate of the prefix doubles the number of regions, and
/// leaves each of them a quarter of the points. With regions of constant size, 1 / sqrt(epsilon) of
/// them remain. The vectors before a syllable are a sublattice of those before the rest of the
/// prefix, whose reduced basis leads to a reduced one in a few steps.
[[nodiscard]] std::optional<ExactApproximation> search_unitary(const SpecialUnitary& target,
                                                               double epsilon,
                                                               const std::stop_token& stop = {},
                                                               double most_points = kMostPoints);

}  // namespace quartz::approximation

#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "approximation/exact_approximation.hpp"

namespace quartz::approximation {

/// The first column of an element of SU(2), which has the second column (-b^dagger, a^dagger).
struct SpecialUnitary {
  /// In fixed point, with this number of bits (fixed_point.hpp).
  CirclePoint a;  ///< real and imaginary part of the upper entry
  CirclePoint b;
  unsigned bits = 0;
  /// Largest error of the column, as a vector of four coordinates, in units of the last bit.
  std::uint64_t error = 0;
};

/// Returns a unitary with the fewest T gates within `epsilon` of the target up to a global phase,
/// and of those the closest one; nullopt if that takes too long. Epsilon is in [1e-9, 1], and the
/// target has bits_for(epsilon) bits or more.
///
/// A unitary over the ring with the denominator sqrt(2)^k and the determinant 1 or w is a vector of
/// Z[w]^2 of length sqrt(2)^k whose conjugate has the same length. Those close to a target are the
/// points of a lattice of eight dimensions in a thin region (Morisaki, Sano, Akibue,
/// arXiv:2510.05816), which has some 1 / epsilon points of the lattice where it has the first
/// solution.
[[nodiscard]] std::optional<ExactApproximation> search_unitary(const SpecialUnitary& target,
                                                               double epsilon);

}  // namespace quartz::approximation

#pragma once

#include <vector>

#include "approximation/exact_unitary.hpp"
#include "approximation/fixed_point.hpp"
#include "approximation/rings/integer.hpp"
#include "quartz/approximation/rotation.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::approximation {

/// A unitary over the ring that is close to an element of SU(2).
struct ExactApproximation {
  ExactUnitary unitary;
  /// The unitary approximates e^{i phase pi / 8} times the element.
  unsigned phase = 0;
  /// An upper bound of the operator norm of the difference.
  double distance = 0;
  /// Gates of the normal form, which equals the unitary up to a power of w.
  std::vector<GateKind> gates;
};

/// Returns the gates as a word that approximates the element of SU(2). They are multiplied out,
/// whatever the way in which they were found.
[[nodiscard]] RotationApproximation word_of(ExactApproximation found);

/// Returns the number of bits that all real numbers need for this epsilon.
[[nodiscard]] unsigned bits_for(double epsilon);
/// Returns epsilon^2 / 2, rounded down: the difference of 1 and the overlap at the distance
/// epsilon.
[[nodiscard]] Integer defect_of(double epsilon, unsigned bits);
/// Returns the distance of a defect, sqrt(2 defect), rounded up.
[[nodiscard]] double distance_of(const Integer& defect, unsigned bits);
/// Returns a lower bound of the real part of u z^dagger / sqrt(2)^k, with twice the bits of z,
/// whose coordinates have errors of 2 units of the last bit at most.
[[nodiscard]] Integer lower_bound_of_overlap(const CyclotomicInteger& u, unsigned k,
                                             const CirclePoint& z, const Integer& root_two,
                                             unsigned bits);

}  // namespace quartz::approximation

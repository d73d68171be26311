#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A word of Clifford+T gates on one qubit that is close to a rotation about Z.
struct RotationApproximation {
  /// The gates in the order in which they are applied: h, s, sdg, t, x and z. At most one Clifford
  /// prefix, then syllables "t h" and "t h s", then at most one more t: the Matsumoto-Amano normal
  /// form, whose number of T gates is the least for its unitary.
  std::vector<GateKind> gates;
  /// e^{i phase} times the product of the gates approximates rz(angle).
  Angle phase;
  std::size_t t_count = 0;
  /// A proved upper bound of the operator norm of the difference. 0 if the word is exact.
  double distance = 0;
};

/// Smallest distance that approximate_rotation accepts.
inline constexpr double kSmallestRotationEpsilon = 1e-30;

/// Returns whether rz(angle) consists of Clifford+T gates: whether the angle is a multiple of pi/4.
[[nodiscard]] bool is_clifford_t_rotation(const Angle& angle);

/// Returns Clifford+T gates within operator-norm distance `epsilon` of rz(angle), up to a global
/// phase, with the fewest T gates for which such gates exist and the numbers that have to be
/// factored are not too large (all are small enough for an epsilon of 1e-15 and above). Multiples
/// of pi/4 are exact. The result depends on the arguments only.
///
/// Throws UsageError if the angle has free parameters, or `epsilon` is not in
/// [kSmallestRotationEpsilon, 1]. If the angle is a multiple of pi/4, epsilon may also be 0.
[[nodiscard]] RotationApproximation approximate_rotation(const Angle& angle, double epsilon);

/// Returns approximations of rotations about Z whose distances add up to at most `epsilon`. The
/// budget is divided so that the rotations have few T gates in all: one that needs many more T
/// gates for a little less distance gets more of it. Equal angles are approximated once. The result
/// depends on the angles and on `epsilon` only.
///
/// Throws UsageError for angles as approximate_rotation does, and if an equal part of `epsilon` is
/// below 4 kSmallestRotationEpsilon; throws Stopped once a stop is requested.
[[nodiscard]] std::vector<RotationApproximation> approximate_rotations(
    std::span<const Angle> angles, double epsilon, unsigned threads = 1,
    const std::stop_token& stop = {});

}  // namespace quartz

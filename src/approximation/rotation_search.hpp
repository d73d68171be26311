#pragma once

#include "approximation/exact_unitary.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::approximation {

/// A unitary close to a rotation about Z.
struct ExactRotation {
  ExactUnitary unitary;
  /// The unitary approximates e^{i phase pi / 8} rz(angle).
  unsigned phase = 0;
  /// An upper bound of the operator norm of the difference.
  double distance = 0;
  /// Gates of the normal form, which equals the unitary up to a power of w.
  std::vector<GateKind> gates;
};

/// Returns a unitary with the fewest T gates within `epsilon` of rz(angle) up to a global phase, as
/// approximate_rotation does. The angle is constant; epsilon is in [1e-30, 1].
[[nodiscard]] ExactRotation search_rotation(const Angle& angle, double epsilon);

}  // namespace quartz::approximation

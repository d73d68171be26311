#pragma once

#include "approximation/exact_approximation.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::approximation {

/// Returns a unitary with the fewest T gates within `epsilon` of rz(angle) up to a global phase, as
/// approximate_rotation does. The angle is constant; epsilon is in [1e-30, 1].
[[nodiscard]] ExactApproximation search_rotation(const Angle& angle, double epsilon);

}  // namespace quartz::approximation

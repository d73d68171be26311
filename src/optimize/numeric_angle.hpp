#pragma once

#include "quartz/algebra/angle.hpp"

/// Where floating-point numbers become exact angles again.
namespace quartz {

/// What numeric synthesis takes for equal: angles (in radians) and entries of unitaries that differ
/// by no more. Results in double precision are a thousand times closer than that.
inline constexpr double kNumericTolerance = 1e-12;

/// The angle, brought into (-pi, pi]: the multiple of pi/192 within kNumericTolerance if there is
/// one (so all of pi/64 and pi/12), exactly; otherwise a decimal of 16 digits after the point,
/// whose sums with others of its kind are exact.
[[nodiscard]] Angle nearest_angle(double radians);

/// Whether an exact checker in the ring of Clifford+T knows the angle: a multiple of pi/4.
[[nodiscard]] bool is_eighth_turns(const Angle& angle);

}  // namespace quartz

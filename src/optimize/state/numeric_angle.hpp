#pragma once

#include "quartz/algebra/angle.hpp"

/// Where floating-point numbers become exact angles again.
namespace quartz {

/// What numeric synthesis takes for equal: angles (in radians) and entries of unitaries that differ
/// by no more. Results in double precision are a thousand times closer than that.
inline constexpr double kNumericTolerance = 1e-12;

/// The angle, brought into (-pi, pi]: the simple fraction of pi within kNumericTolerance if there
/// is one, exactly; or else such a decimal of 6 digits after the point, so that the decimals of a
/// program come back as they were (of all angles, two in a million are that close to one);
/// otherwise a decimal of 16 digits, whose sums with others of its kind are exact.
[[nodiscard]] Angle nearest_angle(double radians);

/// Whether the angle is a multiple of pi/245760 (so of pi/16384, pi/12, pi/10), or n/d times pi
/// with d up to 1000. Fewer than one in a million of all angles are within kNumericTolerance of
/// one.
[[nodiscard]] bool is_simple_fraction(const Angle& angle);

/// Whether an exact checker in the ring of Clifford+T knows the angle: a multiple of pi/4.
[[nodiscard]] bool is_eighth_turns(const Angle& angle);

}  // namespace quartz

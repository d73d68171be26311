#pragma once

#include "quartz/algebra/angle.hpp"

/// Conversion of floating-point numbers to exact angles.
namespace quartz::optimizer {

/// Numeric synthesis treats angles (in radians) and entries of unitaries as equal if they differ by
/// at most this much. Results in double precision are a thousand times more accurate.
inline constexpr double kNumericTolerance = 1e-12;

/// Returns the angle, reduced to (-pi, pi]. If a simple fraction of pi is within kNumericTolerance,
/// returns it exactly; otherwise, if a decimal of 6 digits after the point is, returns that one, so
/// that the decimals of a program are preserved (two in a million of all angles are that close to
/// one); otherwise returns a decimal of 16 digits, whose sums with others of its kind are exact.
[[nodiscard]] Angle nearest_angle(double radians);

/// Returns whether the angle is a multiple of pi/245760 (and therefore of pi/16384, pi/12 or
/// pi/10), or n/d times pi with d up to 1000. Fewer than one in a million of all angles are within
/// kNumericTolerance of one.
[[nodiscard]] bool is_simple_fraction(const Angle& angle);

/// Returns whether the angle is a multiple of pi/4, which exact arithmetic in the ring of
/// Clifford+T can represent.
[[nodiscard]] bool is_eighth_turns(const Angle& angle);

}  // namespace quartz::optimizer

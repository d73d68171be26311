#pragma once

#include <cstdint>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

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

/// The largest common denominator of fractions of pi which double precision tells apart: sums of
/// such angles, and half of them, are equal or differ by more than kNumericTolerance.
inline constexpr std::int64_t kLargestResolvedDenominator = std::int64_t{1} << 40U;

/// Returns the denominator of the fraction of pi in an angle that is exact. Decimals are rounded
/// numbers, also decimals of ten digits or more times pi, which a program may have as fractions:
/// for these the result is 1.
[[nodiscard]] std::int64_t exact_denominator(const Angle& angle);

/// Returns whether the angles of a gate may be rounded to double precision: all of them are
/// constant, and none has an exact fraction of pi with a larger denominator than
/// kLargestResolvedDenominator. Numeric synthesis would take pi/2^60 for zero, and therefore leaves
/// such a gate as it is.
[[nodiscard]] bool has_numeric_angles(const Operation& operation);

}  // namespace quartz::optimizer

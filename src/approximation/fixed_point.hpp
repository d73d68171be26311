#pragma once

#include "approximation/rings/integer.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::approximation {

/// Real numbers as integers: the integer x is the number x / 2^bits. The result of every function
/// differs from the exact number by at most 2 / 2^bits.

/// Returns sqrt(2), rounded down.
[[nodiscard]] Integer root_two(unsigned bits);
/// Returns pi.
[[nodiscard]] Integer pi(unsigned bits);

/// A point of the unit circle.
struct CirclePoint {
  Integer cosine;
  Integer sine;
};

/// Returns the product of two complex numbers whose real and imaginary parts are the cosines and
/// the sines. What errors the factors have is not counted in its error.
[[nodiscard]] CirclePoint product(const CirclePoint& a, const CirclePoint& b, unsigned bits);

/// Returns the point of half an angle, cos(angle / 2) and sin(angle / 2), to which a multiple of pi
/// is added first. The angle is constant.
[[nodiscard]] CirclePoint half_angle_point(const Angle& angle, unsigned bits,
                                           const Rational& pi_multiple = {});

}  // namespace quartz::approximation

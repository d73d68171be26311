#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>

#include "quartz/algebra/angle.hpp"

namespace quartz::algebra {

/// Returns the same fraction in numbers of any size.
[[nodiscard]] boost::multiprecision::cpp_rational exact_value(const Rational& value);

/// Returns the number of a literal in the normal form of Angle::decimal, "1.25e-7", also if it is
/// times pi.
[[nodiscard]] boost::multiprecision::cpp_rational exact_literal(const std::string& text);

/// Returns the constant part of an angle that is not a multiple of pi, in radians: the radian part
/// plus all decimal literals in radians, as one exact fraction. Equal numbers give equal fractions,
/// independently of how the angle writes them.
[[nodiscard]] boost::multiprecision::cpp_rational exact_radians(const Angle& angle);

/// Inverts exact_radians: returns the angle of exactly this many radians, or nullopt for a fraction
/// that neither fits 64 bits nor is a decimal of at most 400 digits.
[[nodiscard]] std::optional<Angle> angle_of_radians(
    const boost::multiprecision::cpp_rational& radians);

/// Returns the part of an angle that is a multiple of pi, divided by pi: the pi part plus all
/// literals that are times pi.
[[nodiscard]] boost::multiprecision::cpp_rational exact_pi_multiple(const Angle& angle);

/// Inverts exact_pi_multiple: returns the angle of this multiple of pi, or nullopt if it is not the
/// sum of a fraction of 64 bits and a decimal of at most 400 digits. The decimal may be negative.
[[nodiscard]] std::optional<Angle> angle_of_pi_multiple(
    const boost::multiprecision::cpp_rational& multiple);

/// Returns the fraction modulo a positive integer, in [0, period).
[[nodiscard]] boost::multiprecision::cpp_rational modulo(
    const boost::multiprecision::cpp_rational& fraction,
    const boost::multiprecision::cpp_int& period);

/// Returns a + b, with literals if 64-bit fractions do not suffice. Throws OverflowError for a sum
/// that angle_of_radians or angle_of_pi_multiple cannot express.
[[nodiscard]] Angle exact_sum(const Angle& a, const Angle& b);

/// Returns pi * 2^bits, off by less than 2^20 for less than 2^18 bits.
[[nodiscard]] boost::multiprecision::cpp_int scaled_pi(unsigned bits);

}  // namespace quartz::algebra

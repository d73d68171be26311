#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

#include "quartz/algebra/angle.hpp"

namespace quartz::qasm {

/// The value of a text that is a whole number in digits only; nothing for any other text and for a
/// number that the type cannot hold.
template <std::unsigned_integral Integer>
[[nodiscard]] std::optional<Integer> read_whole_number(std::string_view text) {
  Integer value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

/// The value of a number as it stands in the file (digits, a point, an exponent; no sign), exactly.
/// A whole number of up to 64 bits is always a Rational.
///
/// One exception: a decimal of 12 significant digits or more whose nearest double is what a program
/// gets for k*pi/d in doubles, with d up to 64 or a power of two up to 2^20, is read as k*pi/d.
/// Programs write doubles, so `0.7853981633974483` is how they say pi/4; every reader that computes
/// in doubles sees the same number, while a reader that took the decimal at its word would lose
/// every exact identity. No other decimal falls on such a double by chance (odds 1e-9). A decimal
/// of more than 18 digits and an exponent is always left as written, so that everything can be.
///
/// Throws InputError (without a place) for a number that is beyond the range of a double.
[[nodiscard]] Angle read_number(std::string_view text);

/// Whether read_number takes the number, which is no whole one, for a multiple of pi.
[[nodiscard]] bool means_pi_multiple(std::string_view text);

/// A value that had to be computed in doubles: the shortest decimal that reads back as that double,
/// or the multiple of pi as above. Throws InputError (without a place) if it is not finite.
[[nodiscard]] Angle angle_from_double(double value);

}  // namespace quartz::qasm

#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "quartz/algebra/angle.hpp"

namespace quartz::qasm {

/// Returns the value of a text that consists of digits only; nullopt for any other text and for a
/// number that the type cannot hold.
template <std::unsigned_integral Integer>
[[nodiscard]] std::optional<Integer> read_whole_number(std::string_view text) {
  Integer value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

/// Returns the value of a number as it is written in the file (digits with underscores between
/// them, a point, an exponent; no sign), exactly. A whole number of up to 64 bits is always a
/// Rational.
///
/// There is one exception: a decimal of 12 significant digits or more whose nearest double is what
/// a program computes for k*pi/d in doubles, with d up to 64 or a power of two up to 2^20, is read
/// as k*pi/d. Programs write doubles, so they write pi/4 as `0.7853981633974483`. Every reader that
/// computes in doubles sees the same number, while a reader that took the decimal literally would
/// lose every exact identity. The odds that another decimal falls on such a double by chance are
/// 1e-9. A decimal of more than 18 digits with an exponent is always read as it is written, so that
/// every value can be expressed.
///
/// Throws InputError (without a location) for a number that is beyond the range of a double.
[[nodiscard]] Angle read_number(std::string_view text);

/// Limit for the bits of a number in another base than 10, which must be within the range of
/// angles.
inline constexpr std::size_t kMaxBitsOfNumber = 996;

/// Returns the whole number of digits in a base of 2, 8 or 16. Throws InputError (without a
/// location) if it has more than kMaxBitsOfNumber bits.
[[nodiscard]] Angle read_radix_number(std::string_view digits, int base);

/// Returns whether read_number reads the number, which must not be an integer, as a multiple of pi.
[[nodiscard]] bool means_pi_multiple(std::string_view text);

}  // namespace quartz::qasm

#pragma once

#include <string_view>

/// The symbols of an angle's terms that are numbers (Angle::Term).
namespace quartz::algebra {

/// The end of a literal that counts in multiples of pi.
inline constexpr std::string_view kTimesPi = "*pi";

/// Returns whether a symbol is a number, and no free parameter.
[[nodiscard]] inline bool is_literal(std::string_view symbol) {
  return !symbol.empty() && symbol.front() >= '0' && symbol.front() <= '9';
}
/// Returns whether a symbol is a number times pi.
[[nodiscard]] inline bool is_pi_literal(std::string_view symbol) {
  return is_literal(symbol) && symbol.ends_with(kTimesPi);
}

}  // namespace quartz::algebra

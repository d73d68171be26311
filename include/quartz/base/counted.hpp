#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quartz {

/// Returns the plural of a regular English noun, of which the last word may be one of several:
/// "gate" becomes "gates", "class" "classes", and "classical bit" "classical bits".
[[nodiscard]] inline std::string plural_of(std::string_view noun) {
  const auto ends_in = [&](std::string_view end) { return noun.ends_with(end); };
  const bool hisses = ends_in("s") || ends_in("x") || ends_in("ch") || ends_in("sh");
  return std::string(noun) + (hisses ? "es" : "s");
}

/// Returns a number with what it counts, as in "1 gate" and "12 gates".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + (count == 1 ? std::string(noun) : plural_of(noun));
}

}  // namespace quartz

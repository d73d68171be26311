#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Colors of messages and verdicts on terminals.
namespace quartz::cli {

enum class Color : std::uint8_t { red, yellow, green };

/// Returns whether a stream is a terminal that shows colors, and the user has not asked for none by
/// NO_COLOR (https://no-color.org).
[[nodiscard]] bool shows_colors(int descriptor);

/// Returns the text, with the control sequences of the color if colors are shown.
[[nodiscard]] std::string colored(std::string_view text, Color color, bool shows_colors);

}  // namespace quartz::cli

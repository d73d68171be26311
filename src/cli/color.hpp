#pragma once

#include <fmt/color.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

/// Colors of messages and verdicts on terminals.
namespace quartz::cli {

using Color = fmt::terminal_color;

/// Returns whether a stream is a terminal that shows colors, and the user has not asked for none by
/// NO_COLOR (https://no-color.org).
[[nodiscard]] inline bool shows_colors(int descriptor) {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (unwanted != nullptr && *unwanted != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(descriptor) == 1;
}

/// Returns the text, with the control sequences of the color if colors are shown.
[[nodiscard]] inline std::string colored(std::string_view text, Color color, bool shows_colors) {
  if (!shows_colors) return std::string(text);
  return fmt::format(fmt::emphasis::bold | fmt::fg(color), "{}", text);
}

}  // namespace quartz::cli

#include "cli/color.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace quartz::cli {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fmt::terminal_color terminal_color(Color color) {
  switch (color) {
    case Color::red:
      return fmt::terminal_color::red;
    case Color::yellow:
      return fmt::terminal_color::yellow;
    case Color::green:
      return fmt::terminal_color::green;
  }
  return fmt::terminal_color::white;
}

}  // namespace

bool shows_colors(int descriptor) {
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && ::isatty(descriptor) == 1;
}

std::string colored(std::string_view text, Color color, bool shows_colors) {
  if (!shows_colors) return std::string(text);
  return fmt::format(fmt::emphasis::bold | fmt::fg(terminal_color(color)), "{}", text);
}

}  // namespace quartz::cli

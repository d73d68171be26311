#include "cli/output/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace quartz::cli {
namespace {

/// Returns the argument as one word of a shell.
std::string shell_word(const std::string& argument) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string word = "'";
  for (const char c : argument) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace

std::string command_line_of(const CLI::App& app, std::span<const std::string_view> left_out) {
  std::string line = app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    const bool is_left_out = std::ranges::find(left_out, option->get_name()) != left_out.end();
    if (option->count() == 0 || is_left_out) continue;
    const std::string name = option->get_positional() ? "" : " " + option->get_name();
    if (option->get_items_expected_max() == 0) {
      line += name;
      continue;
    }
    // An option with several values is given once for each.
    for (const std::string& value : option->results()) line += name + " " + shell_word(value);
  }
  return line;
}

}  // namespace quartz::cli

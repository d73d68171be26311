#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace quartz::cli {

/// Returns the name of a command and the options that it was given, with their long names, for a
/// shell. Options of the names in `left_out` are not among them. Call after parsing.
[[nodiscard]] std::string command_line_of(const CLI::App& app,
                                          std::span<const std::string_view> left_out = {});

}  // namespace quartz::cli

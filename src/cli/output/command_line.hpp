#pragma once

#include <string>

namespace CLI {
class App;
}

namespace quartz::cli {

/// Returns the name of a command and the options that it was given, with their long names, for a
/// shell. Call after parsing.
[[nodiscard]] std::string command_line_of(const CLI::App& app);

}  // namespace quartz::cli

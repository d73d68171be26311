#pragma once

#include <string>
#include <vector>

#include "quartz/qasm/include_path.hpp"

namespace CLI {
class App;
}

namespace quartz::cli {

/// Declares --include-path, whose folders are appended to the list.
void add_include_path_option(CLI::App& app, std::vector<std::string>& folders);

[[nodiscard]] IncludePath include_path_of(const std::vector<std::string>& folders);

}  // namespace quartz::cli

#pragma once

#include <filesystem>
#include <string_view>

namespace quartz::target {

/// Returns whether an argument that is not one of the known names means a file: because it can mean
/// nothing else, or because the file exists.
[[nodiscard]] inline bool means_file(std::string_view argument) {
  std::error_code ignored;
  return argument.find('/') != std::string_view::npos || argument.ends_with(".json") ||
         argument == "-" || std::filesystem::exists(argument, ignored);
}

}  // namespace quartz::target

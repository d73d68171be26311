#pragma once

#include <filesystem>
#include <string_view>

namespace quartz {

/// Whether an argument that is none of the known names means a file: it can mean nothing else, or
/// there is one.
[[nodiscard]] inline bool means_file(std::string_view argument) {
  std::error_code ignored;
  return argument.find('/') != std::string_view::npos || argument.ends_with(".json") ||
         argument == "-" || std::filesystem::exists(argument, ignored);
}

}  // namespace quartz

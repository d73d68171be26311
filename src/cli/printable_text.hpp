#pragma once

#include <string>
#include <string_view>

namespace quartz::cli {

/// Returns the text for a terminal: control characters and bytes that are not UTF-8 as \xNN, and
/// line breaks as spaces.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace quartz::cli

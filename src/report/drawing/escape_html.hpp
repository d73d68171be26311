#pragma once

#include <string>
#include <string_view>

namespace quartz::report {

/// Returns the text with the characters that have a meaning in HTML and SVG escaped, for contents
/// and for attributes in quotes. Control characters, which no HTML document may have, become
/// spaces.
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace quartz::report

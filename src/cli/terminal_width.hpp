#pragma once

#include <cstddef>

namespace quartz::cli {

/// The width of what is not written to a terminal.
inline constexpr std::size_t kDefaultWidth = 80;

/// Returns the number of columns of the output behind a descriptor: the environment variable
/// COLUMNS, or else the width of the terminal, or else kDefaultWidth.
[[nodiscard]] std::size_t terminal_width(int descriptor);

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command `quartz-gen table`, which builds the class table of a gate set and writes it
/// to a file.
[[nodiscard]] Command gen_table_command();

}  // namespace quartz::cli

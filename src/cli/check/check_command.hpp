#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command quartz-check, which decides whether two circuits are equal.
[[nodiscard]] Command check_command();

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command quartz-gen, which generates a rule set for a gate set.
[[nodiscard]] Command gen_command();

}  // namespace quartz::cli

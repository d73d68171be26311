#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// quartz-gen: a gate set in, a rule set out.
[[nodiscard]] Command gen_command();

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// `quartz-gen count`: counts the classes of constant circuits level by level.
[[nodiscard]] Command gen_count_command();

}  // namespace quartz::cli

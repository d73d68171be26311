#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command `quartz-gen count`, which counts the classes of constant circuits by level.
[[nodiscard]] Command gen_count_command();

}  // namespace quartz::cli

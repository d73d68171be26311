#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// quartz-check: are two circuits equal?
[[nodiscard]] Command check_command();

}  // namespace quartz::cli

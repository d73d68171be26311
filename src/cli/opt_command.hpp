#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// quartz-opt: a circuit in, an equal and better one out.
[[nodiscard]] const Command& opt_command();

}  // namespace quartz::cli

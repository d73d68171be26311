#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command quartz-opt, which optimizes a circuit.
[[nodiscard]] const Command& opt_command();

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// Returns the command `quartz-gen prove`, which proves every equality of a rule set. The exit code
/// is not_equal if an equality is refuted, otherwise undecided if one is not proved, and otherwise
/// done.
[[nodiscard]] Command gen_prove_command();

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"

namespace quartz::cli {

/// `quartz-gen prove`: proves every equality of a rule set. The exit code is done, not_equal if one
/// is refuted, or else undecided if one is not proved.
[[nodiscard]] Command gen_prove_command();

}  // namespace quartz::cli

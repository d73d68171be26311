#pragma once

#include "cli/command.hpp"
#include "cli/opt/opt_options.hpp"

namespace quartz::cli {

/// Optimizes several circuits with one progress line, and prints a table of all of them, or JSON
/// (docs/formats/stats.md). One process optimizes them one after the other, and several share them.
/// An error ends only the run of its circuit. Returns the exit code of the worst failure. Throws
/// UsageError if the files cannot be told apart, and as target_of().
[[nodiscard]] ExitCode run_batch(const OptOptions& options, const CommandContext& context);

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/opt_run.hpp"
#include "cli/opt/run_target.hpp"

/// The run of one circuit whose search several processes share.
namespace quartz::cli {

/// Throws UsageError unless the search of the options has tasks for other processes.
void require_shared_search(const OptOptions& options);

/// Does the same as run_file(), with the other ranks as workers of the search. To be called by the
/// first rank, while the others call do_search_tasks() (opt/search_tasks.hpp).
[[nodiscard]] RunOutcome run_file_with_ranks(const OptOptions& options, const OptFiles& files,
                                             const RunTarget& target, const RunDisplay& display,
                                             const CommandContext& context);

}  // namespace quartz::cli

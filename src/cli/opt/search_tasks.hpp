#pragma once

#include "cli/command.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/run_target.hpp"

namespace quartz::cli {

/// Does tasks of a search on the first rank (opt/rank_workers.hpp) until that has ended. One thread
/// communicates, and others do the tasks. Once a stop is requested, the tasks are left to other
/// ranks. To be called by all ranks but the first. Throws Error if the first rank does not answer
/// any more.
void do_search_tasks(const OptOptions& options, const RunTarget& target,
                     const CommandContext& context);

}  // namespace quartz::cli

#pragma once

#include "cli/command.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::cli {

/// Does tasks of a search on the first rank (workers/rank_workers.hpp) until that has ended. One
/// thread communicates, and others do the tasks. Once a stop is requested, the tasks are left to
/// other ranks. To be called by all ranks but the first, with the same gate set. `memory` is the
/// limit of the process in bytes, 0 if there is none. Throws Error if the first rank does not
/// answer any more.
void do_search_tasks(const SuperoptimizeOptions& options, double memory, const GateSet& set,
                     const CommandContext& context);

}  // namespace quartz::cli

#pragma once

#include <functional>
#include <string_view>

#include "cli/command.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz::cli {

/// Runs something on a thread of its own, with the other ranks as workers, and ends them. Throws
/// what `run` throws. To be called by the first rank, while the others call do_search_tasks()
/// (workers/search_tasks.hpp). `name` is that of the command in warnings.
void run_with_workers(std::string_view name, const CommandContext& context,
                      const std::function<void(SearchWorkers&)>& run);

}  // namespace quartz::cli

#include "cli/opt/shared_run.hpp"

#include <fmt/format.h>

#include <future>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/opt/rank_signs.hpp"
#include "cli/opt/rank_workers.hpp"
#include "cli/opt/shared_options.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz::cli {

void require_shared_search(const OptOptions& options) {
  if (has_tasks_for_workers(options.library.search)) return;
  throw UsageError(
      fmt::format("--search {} optimizes one circuit in one process, expected --search local, "
                  "several circuits or a folder{}",
                  options.library.search, kHowToRunSeparately));
}

RunOutcome run_file_with_ranks(const OptOptions& options, const OptFiles& files,
                               const RunTarget& target, const RunDisplay& display,
                               const CommandContext& context) {
  RankWorkers workers(*context.ranks, [&](std::string_view message) {
    // The progress line belongs to the thread of the search: it stays above the warning.
    if (context.terminal) context.err << '\n';
    write_warning("quartz-opt", context, message);
  });
  OptOptions shared = options;
  shared.library.workers = &workers;
  std::future<RunOutcome> run = std::async(
      std::launch::async, [&] { return run_file(shared, files, target, display, context); });
  while (run.wait_for(kBetweenPolls) != std::future_status::ready) workers.communicate();
  workers.dismiss();
  return run.get();
}

}  // namespace quartz::cli

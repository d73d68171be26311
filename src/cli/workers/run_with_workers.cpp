#include "cli/workers/run_with_workers.hpp"

#include <future>
#include <ostream>

#include "cli/workers/rank_signs.hpp"
#include "cli/workers/rank_workers.hpp"

namespace quartz::cli {

void run_with_workers(std::string_view name, const CommandContext& context,
                      const std::function<void(SearchWorkers&)>& run) {
  RankWorkers workers(*context.ranks, [&](std::string_view message) {
    // The progress line belongs to the other thread: it stays above the warning.
    if (context.terminal) context.err << '\n';
    write_warning(name, context, message);
  });
  std::future<void> running = std::async(std::launch::async, [&] { run(workers); });
  while (running.wait_for(kBetweenPolls) != std::future_status::ready) workers.communicate();
  workers.dismiss();
  running.get();
}

}  // namespace quartz::cli
